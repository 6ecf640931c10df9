internal import ArgumentParser
internal import Authority
internal import BenjiPage
internal import BenjiProtocol
internal import Store

/// Makes apps clients of the OpenID provider (docs/openid.md).
struct AppOpenIDCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "openid", abstract: "Let an app log people in over OpenID Connect.",
        discussion: """
            Works on the data directory itself, whether or not `benji serve` is running. The server answers once its
            configuration has openid.issuer.
            """.paragraphs,
        subcommands: [Set.self, Show.self, RotateSecret.self, RotateKeys.self, Remove.self])

    struct Set: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "set", abstract: "Make an app a client, or replace what it was; prints its secret this once.",
            discussion: """
                The client_id is the app's id. Without --jwks the client gets a secret, shown this once.

                Example:
                  benji page new --out login.json
                  benji app openid set 300000000001 --redirect-uri https://shop.example/callback --page login.json
                """.paragraphs)

        @OptionGroup var options: ConfigurationOptions
        @Argument(help: "The app's id.") var id: AppID
        @Option(help: "Where an answer may go, compared character by character. May be given several times.")
        var redirectUri: [String]
        @Option(help: "The page's description, as benji page new writes it.") var page: String
        @Option(
            help:
                "An image or video of the page, as name=file; PNG, JPEG, GIF, WebP or MP4. May be given several times.")
        var media: [String] = []
        @Option(
            help:
                "File with a JWK set of the app's public keys. Its server then signs: private_key_jwt, request objects."
        )
        var jwks: String?
        @Flag(help: "With --jwks: the server still authenticates with a secret, and signs request objects only.")
        var secret = false
        @Flag(help: "Sign ID tokens with RS256, for clients that know nothing else.") var rs256 = false
        @Flag(help: "Let the person type the digits of the number that the page hides.") var digits = false
        @Flag(help: "Accept only authorization requests that were pushed (RFC 9126).") var pushedOnly = false
        @Option(
            help: ArgumentHelp(
                "Let the app call CAMARA's interfaces for this purpose; may be given several times, needs --jwks.",
                valueName: "dpv:NAME"))
        var purpose: [String] = []
        @Option(
            help: ArgumentHelp(
                "Let pages of this origin show the login page in a frame; may be given several times.",
                valueName: "https://shop.example"))
        var frameAncestor: [String] = []
        @Flag(
            help:
                "Tell the app who comes back also where no page is shown, for CAMARA's scopes. Without it each answer has a sub of its own."
        )
        var stableSubWithoutPage = false
        @Flag(help: "Print JSON.") var json = false

        func run() async throws {
            let file: PageFile
            do { file = try PageFile(page) } catch { throw CommandFailure("--page: \(error)") }
            let report = try PageReport(file.page, try PageRangeOptions.parse([]).viewings(of: [file.page]), .current)
            let errors = report.entries.filter { $0.finding.severity == .error }
            guard errors.isEmpty else {
                let rules = errors.map(\.finding.rule.rawValue).joined(separator: ", ")
                throw CommandFailure("--page: breaks \(rules); see: benji page lint \(page)")
            }
            var registration = OpenIDClients.Registration(appID: id, page: file.page)
            registration.redirectURIs = redirectUri
            registration.media = try AppOpenIDCommand.media(media)
            registration.keySet = try jwks.map(AppCommand.contents)
            registration.authentication = jwks == nil || secret ? .clientSecretBasic : .privateKeyJWT
            registration.idTokenAlgorithm = rs256 ? .rs256 : .es256
            registration.asksMiddleDigits = digits
            registration.requiresPushedRequests = pushedOnly
            registration.purposes = purpose
            registration.frameAncestors = frameAncestor
            registration.stableSubjectWithoutPage = stableSubWithoutPage
            let fixed = registration
            AppOpenIDCommand.show(
                try await AppOpenIDCommand.withClients(options) { clients throws in
                    try await clients.register(fixed)
                }, json: json)
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "What is registered for an app, without its secret.")
        @OptionGroup var options: ConfigurationOptions
        @Argument(help: "The app's id.") var id: AppID
        @Flag(help: "Print JSON.") var json = false

        func run() async throws {
            let id = id
            let record = try await AppOpenIDCommand.withClients(options) { clients throws in try await clients.find(id)
            }
            AppOpenIDCommand.show(OpenIDClients.Registered(record: record), json: json)
        }
    }

    struct RotateSecret: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "rotate-secret", abstract: "Give a client a new secret; the old one stops working at once.")
        @OptionGroup var options: ConfigurationOptions
        @Argument(help: "The app's id.") var id: AppID
        @Flag(help: "Print JSON.") var json = false

        func run() async throws {
            let id = id
            AppOpenIDCommand.show(
                try await AppOpenIDCommand.withClients(options) { clients throws in
                    try await clients.rotateSecret(of: id)
                }, json: json)
        }
    }

    struct RotateKeys: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "rotate-keys", abstract: "Sign ID tokens with new keys from now on.",
            discussion: "The old keys stay in the JWK set for an hour, longer than any token that they signed lives.")
        @OptionGroup var options: ConfigurationOptions

        func run() async throws {
            try await AppOpenIDCommand.withClients(options) { clients throws in try await clients.rotateKeys() }
            Terminal().print("ID tokens are signed with new keys from now on.")
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove", abstract: "End an app's being a client, and every code and token that it holds.")
        @OptionGroup var options: ConfigurationOptions
        @Argument(help: "The app's id.") var id: AppID

        func run() async throws {
            let id = id
            try await AppOpenIDCommand.withClients(options) { clients throws in try await clients.remove(id) }
            Terminal().print("\(id.rawValue) is no OpenID client any more.")
        }
    }

    /// Reads `name=file` of each argument. What is in a file is judged where it is registered.
    private static func media(_ arguments: [String]) throws -> [String: [UInt8]] {
        var media: [String: [UInt8]] = [:]
        for argument in arguments {
            let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2 else { throw ValidationError("--media: write name=file, such as logo=logo.png") }
            do { media[parts[0]] = try PageFile.bytes(parts[1], limit: 1 << 20) } catch {
                throw CommandFailure("--media: \(parts[1]): \(error.problem)")
            }
        }
        return media
    }

    private static func withClients<Result>(
        _ options: ConfigurationOptions, _ body: @Sendable (OpenIDClients) async throws -> Result
    ) async throws -> Result {
        try await AppCommand.withAuthority(options) { try await body($0.openIDClients) }
    }

    private static func show(_ client: OpenIDClients.Registered, json: Bool) {
        let record = client.record
        let terminal = Terminal()
        let members: [JSON.Member?] = [
            JSON.Member("client_id", .string(record.appID.rawValue)),
            client.secret.map { JSON.Member("client_secret", .string($0.reveal())) },
            JSON.Member("redirect_uris", .array(record.redirectURIs.map { .string($0) })),
            JSON.Member("token_endpoint_auth_method", .string(record.authentication.rawValue)),
            JSON.Member("id_token_signed_response_alg", .string(record.idTokenAlgorithm.rawValue)),
            JSON.Member("require_pushed_authorization_requests", .bool(record.requiresPushedRequests)),
            JSON.Member("asks_middle_digits", .bool(record.asksMiddleDigits)),
            JSON.Member("has_jwks", .bool(record.keySet != nil)),
            JSON.Member("purposes", .array(record.purposes.map { .string($0) })),
            JSON.Member("frame_ancestors", .array(record.frameAncestors.map { .string($0) })),
            JSON.Member("stable_sub_without_page", .bool(record.stableSubjectWithoutPage)),
        ]
        let present = members.compactMap { $0 }
        if json { return terminal.print(JSON.object(present).text) }
        for member in present {
            let text = member.value.stringValue ?? member.value.text
            terminal.print("\(terminal.styled(Terminal.padded(member.name, to: 38), .cyan))\(text)")
        }
        if client.secret != nil {
            terminal.print("\nThe secret is shown this once. Keep it where only your server can read it.")
        }
    }
}

import Administration
import ArgumentParser
import Authority
import BenjiPage
import BenjiProtocol
import OpenIDProvider
import Store

/// Makes apps clients of the OpenID provider (docs/openid.md).
struct AppOpenIDCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "openid", abstract: "Let an app log people in over OpenID Connect.",
        discussion: """
            Works on the data directory itself, whether or not `benji serve` is running. The server answers once its
            configuration has openid.issuer.
            """.paragraphs,
        subcommands: [Set.self, Show.self, RotateSecret.self, RetireSecret.self, RotateKeys.self, Remove.self])

    struct Set: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "set",
            abstract: "Make an app a client, or change what is named of the client; the rest stays.",
            discussion: """
                The client_id is the app's id. A new client needs --redirect-uri and --page. Without --jwks it gets a secret, \
                shown this once. Later calls change what they name and nothing else; a new secret comes from rotate-secret.

                Example:
                  benji page new --out login.json
                  benji app openid set 300000000001 --redirect-uri https://shop.example/callback --page login.json
                  benji app openid set 300000000001 --add-redirect-uri https://shop.example/callback2
                """.paragraphs)

        @OptionGroup var options: ConfigurationOptions
        @Argument(help: "The app's id.") var id: AppID
        @Option(
            help: """
                Where an answer may go, compared character by character. May be given several times, and is then the new list.
                """)
        var redirectUri: [String] = []
        @Option(help: "One more redirect URI.") var addRedirectUri: [String] = []
        @Option(help: "A redirect URI that is none any more.") var removeRedirectUri: [String] = []
        @Option(help: "The page's description, as benji page new writes it.") var page: String?
        @Option(
            help: """
                An image or video of the page, as name=file; PNG, JPEG, GIF, WebP or MP4. Takes the place of one of the same \
                name. May be given several times.
                """)
        var media: [String] = []
        @Option(help: "The name of an image that the page has no more.") var removeMedia: [String] = []
        @Option(
            help:
                "File with a JWK set of the app's public keys. A new client's server then signs: private_key_jwt, request objects."
        )
        var jwks: String?
        @Flag(
            inversion: .prefixedNo,
            help:
                "The server authenticates with a secret, also with --jwks; without a secret it signs: private_key_jwt.")
        var secret: Bool?
        @Flag(
            inversion: .prefixedNo,
            help: "Sign ID tokens with RS256, for OpenID clients without elliptic-curve support.")
        var rs256: Bool?
        @Flag(inversion: .prefixedNo, help: "Let the person type the digits of the number that the page hides.")
        var digits: Bool?
        @Flag(inversion: .prefixedNo, help: "Accept only authorization requests that were pushed (RFC 9126).")
        var pushedOnly: Bool?
        @Option(
            help: ArgumentHelp(
                """
                Let the app call CAMARA's interfaces for this purpose; needs --jwks. May be given several times, and is then \
                the new list.
                """, valueName: "dpv:NAME"))
        var purpose: [String] = []
        @Option(help: ArgumentHelp("A purpose that is none any more.", valueName: "dpv:NAME"))
        var removePurpose: [String] = []
        @Option(
            help: ArgumentHelp(
                """
                Let pages of this origin show the login page in a frame. May be given several times, and is then the new list.
                """, valueName: "https://shop.example"))
        var frameAncestor: [String] = []
        @Option(
            help: ArgumentHelp(
                "An origin whose pages may not show the login page any more.", valueName: "https://shop.example"))
        var removeFrameAncestor: [String] = []
        @Flag(
            inversion: .prefixedNo,
            help: """
                Tell the app who comes back also where no page is shown, for CAMARA's scopes. Without it each answer has a sub \
                of its own.
                """)
        var stableSubWithoutPage: Bool?
        @Flag(help: "Print JSON.") var json = false

        func validate() throws {
            guard redirectUri.isEmpty || (addRedirectUri + removeRedirectUri).isEmpty else {
                throw ValidationError(
                    "--redirect-uri is the new list; leave out --add-redirect-uri and --remove-redirect-uri")
            }
            let lists = [
                redirectUri, addRedirectUri, removeRedirectUri, media, removeMedia, purpose, removePurpose,
                frameAncestor,
                removeFrameAncestor,
            ]
            let flags = [secret, rs256, digits, pushedOnly, stableSubWithoutPage]
            guard
                page != nil || jwks != nil || lists.contains(where: { !$0.isEmpty })
                    || flags.contains(where: { $0 != nil })
            else {
                throw ValidationError(
                    "nothing to change was named; a new client needs --redirect-uri and --page, and benji app openid show "
                        + "says what is registered")
            }
        }

        func run() async throws {
            let (order, id) = (self, id)
            let page = try page.map(AppOpenIDCommand.page)
            let media = try AppOpenIDCommand.media(media)
            let keySet = try jwks.map(AppCommand.contents)
            let registered = try await AppOpenIDCommand.withClients(options, of: id) { clients throws in
                try await clients.set(id, by: .machineUser("app.openid.set")) { client throws(Refusal) in
                    try order.change(&client, page, media, keySet)
                }
            }
            AppOpenIDCommand.show(registered, json: json)
        }

        private func change(
            _ client: inout OpenIDClients.Registration, _ page: PageDescription?, _ media: [String: [UInt8]],
            _ keySet: String?
        ) throws(Refusal) {
            let isNew = client.redirectURIs.isEmpty
            guard !isNew || page != nil && !(redirectUri + addRedirectUri).isEmpty else {
                throw Refusal(.parameterInvalid, "the app is no client yet; a new one needs --redirect-uri and --page")
            }
            try ListChange(redirectUri, adding: addRedirectUri, removing: removeRedirectUri).apply(
                to: &client.redirectURIs, of: "redirect URI")
            client.page = page
            client.media = media
            client.removedMedia = Swift.Set(removeMedia)
            if let keySet { client.keySet = keySet }
            if isNew { client.authentication = keySet == nil ? .clientSecretBasic : .privateKeyJWT }
            if let secret { client.authentication = secret ? .clientSecretBasic : .privateKeyJWT }
            if let rs256 { client.idTokenAlgorithm = rs256 ? .rs256 : .es256 }
            if let digits { client.asksMiddleDigits = digits }
            if let pushedOnly { client.requiresPushedRequests = pushedOnly }
            try Self.change(&client.purposes, to: purpose, removing: removePurpose, of: "purpose")
            try Self.change(
                &client.frameAncestors, to: frameAncestor, removing: removeFrameAncestor, of: "frame ancestor")
            if let stableSubWithoutPage { client.stableSubjectWithoutPage = stableSubWithoutPage }
        }

        /// A list that is named is the new one; what is removed leaves it then.
        private static func change(
            _ present: inout [String], to list: [String], removing: [String], of noun: String
        ) throws(Refusal) {
            try ListChange(list).apply(to: &present, of: noun)
            try ListChange(removing: removing).apply(to: &present, of: noun)
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
            let (record, usages) = try await AppCommand.withInstallation(options) { installation throws in
                let apps = installation.authority.apps
                _ = try await apps.find(id)
                return (try await installation.openIDClients.find(id), try await apps.usages(of: id))
            }
            AppOpenIDCommand.show(OpenIDClients.Registered(record: record), usages, json: json)
        }
    }

    struct RotateSecret: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "rotate-secret", abstract: "Give a client a new secret.",
            discussion: "The secret before stays valid until it is retired.")
        @OptionGroup var options: ConfigurationOptions
        @Argument(help: "The app's id.") var id: AppID
        @OptionGroup var before: OverlapOptions
        @Flag(help: "Print JSON.") var json = false

        func run() async throws {
            let (id, overlap) = (id, before.value)
            AppOpenIDCommand.show(
                try await AppOpenIDCommand.withClients(options, of: id) { clients throws in
                    try await clients.rotateSecret(
                        of: id, keeping: overlap, by: .machineUser("app.openid.rotate-secret"))
                }, json: json)
            if !json {
                Terminal().print(
                    before.note(
                        "client secret", retire: "benji app openid retire-secret \(id)",
                        show: "benji app openid show \(id)"))
            }
        }
    }

    struct RetireSecret: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "retire-secret",
            abstract: "End a client secret at once: the one before the newest, or the one named.")
        @OptionGroup var options: ConfigurationOptions
        @Argument(help: "The app's id.") var id: AppID
        @Option(help: "The version that ends; all but the newest if not given.") var keyVersion: Int?
        @Flag(help: "Print JSON.") var json = false

        func run() async throws {
            let (id, version) = (id, keyVersion)
            AppOpenIDCommand.show(
                try await AppOpenIDCommand.withClients(options, of: id) { clients throws in
                    try await clients.retireSecret(
                        of: id, version: version, by: .machineUser("app.openid.retire-secret"))
                }, json: json)
        }
    }

    struct RotateKeys: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "rotate-keys", abstract: "Sign ID tokens with new keys from now on.",
            discussion: "The old keys stay in the JWK set for an hour, longer than any token that they signed lives.")
        @OptionGroup var options: ConfigurationOptions

        func run() async throws {
            try await AppOpenIDCommand.withClients(options) { clients throws in
                try await clients.rotateKeys(by: .machineUser("openid.rotate-keys"))
            }
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
            try await AppOpenIDCommand.withClients(options, of: id) { clients throws in
                try await clients.remove(id, by: .machineUser("app.openid.remove"))
            }
            Terminal().print("\(id.rawValue) is no OpenID client any more.")
        }
    }

    /// Reads a page that breaks no rule.
    private static func page(_ path: String) throws -> PageDescription {
        let file: PageFile
        do { file = try PageFile(path) } catch { throw CommandFailure("--page: \(error)") }
        let report = try PageReport(file.page, try PageRangeOptions.parse([]).viewings(of: [file.page]), .current)
        let errors = report.entries.filter { $0.finding.severity == .error }
        guard errors.isEmpty else {
            let rules = errors.map(\.finding.rule.rawValue).joined(separator: ", ")
            throw CommandFailure("--page: breaks \(rules); see: benji page lint \(path)")
        }
        return file.page
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

    /// - Parameter app: the app that it is about, which must be there.
    private static func withClients<Result>(
        _ options: ConfigurationOptions, of app: AppID? = nil,
        _ body: @Sendable (OpenIDClients) async throws -> Result
    ) async throws -> Result {
        try await AppCommand.withInstallation(options) { installation in
            if let app { _ = try await installation.authority.apps.find(app) }
            return try await body(installation.openIDClients)
        }
    }

    private static func show(_ client: OpenIDClients.Registered, _ usages: [AppKeyUsage] = [], json: Bool) {
        let terminal = Terminal()
        guard case .object(var present) = client.record.json(usages) else { return }
        if let secret = client.secret {
            present.insert(JSON.Member("client_secret", .string(secret.reveal())), at: 1)
        }
        if json { return terminal.print(JSON.object(present).text) }
        for member in present where member.name != "secrets" {
            let text = member.value.stringValue ?? member.value.text
            terminal.print("\(terminal.styled(Terminal.padded(member.name, to: 38), .cyan))\(text)")
        }
        for line in (JSON.object(present)["secrets"]?.arrayValue ?? []).map({ KeyLine($0) }) {
            terminal.print("\(terminal.styled(Terminal.padded(line.word, to: 38), .cyan))\(line.text)")
        }
        if client.secret != nil {
            terminal.print("\nThe secret is shown this once. Keep it where only your server can read it.")
        }
    }
}

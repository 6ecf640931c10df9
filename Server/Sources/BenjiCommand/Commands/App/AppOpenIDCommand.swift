import Administration
import ArgumentParser
import Authority
import BenjiPage
import BenjiProtocol
import Foundation
import OpenIDProvider
import ServerRuntime
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
                The client_id is the app's id. A new client needs --redirect-uri and --page. Without --jwks it gets a \
                secret, \
                shown this once. Later calls change what they name and nothing else; a new secret comes from \
                rotate-secret.

                Example:
                  benji page new --out login.json
                  benji app openid set 300000000001 --redirect-uri https://shop.example/callback --page login.json
                  benji app openid set 300000000001 --add-redirect-uri https://shop.example/callback2
                  benji app openid set 300000000001 --logo logo.png --color '#b3470a'
                """.paragraphs)

        @OptionGroup var given: AppOrderOptions
        @Option(
            help: """
                Where an answer may go, compared character by character. May be given several times, and is then the \
                new list.
                """)
        var redirectUri: [String] = []
        @Option(help: "Add this redirect URI.") var addRedirectUri: [String] = []
        @Option(help: "Remove this redirect URI.") var removeRedirectUri: [String] = []
        @Option(help: "The page's description, as benji page new writes it.") var page: String?
        @Option(
            help: ArgumentHelp(OpenIDSetting.color.help.english, valueName: "#rrggbb"))
        var color: String?
        @Option(help: .of(.logo))
        var logo: String?
        @Option(
            help: """
                An image or video of the page, as name=file; PNG, JPEG, GIF, WebP or MP4. Takes the place of one of \
                the same \
                name. May be given several times.
                """)
        var media: [String] = []
        @Option(help: "Remove the image of this name from the page.") var removeMedia: [String] = []
        @Option(
            help:
                """
                File with a JWK set of the app's public keys. A new client's server then signs: private_key_jwt, \
                request objects.
                """
        )
        var jwks: String?
        @Flag(
            inversion: .prefixedNo,
            help:
                "The server authenticates with a secret, also with --jwks; without a secret it signs: private_key_jwt.")
        var secret: Bool?
        @Flag(inversion: .prefixedNo, help: .of(.rs256))
        var rs256: Bool?
        @Flag(inversion: .prefixedNo, help: .of(.digits))
        var digits: Bool?
        @Flag(inversion: .prefixedNo, help: .of(.pushedOnly))
        var pushedOnly: Bool?
        @Option(
            help: ArgumentHelp(
                """
                Let the app call CAMARA's interfaces for this purpose; needs --jwks. May be given several times, and \
                is then \
                the new list.
                """, valueName: "dpv:NAME"))
        var purpose: [String] = []
        @Option(help: ArgumentHelp("Remove this purpose.", valueName: "dpv:NAME"))
        var removePurpose: [String] = []
        @Option(
            help: ArgumentHelp(
                """
                Let pages of this origin show the login page in a frame. May be given several times, and is then the \
                new list.
                """, valueName: "https://shop.example"))
        var frameAncestor: [String] = []
        @Option(
            help: ArgumentHelp(
                "Remove this origin: its pages may not show the login page any more.", valueName: "https://shop.example"
            ))
        var removeFrameAncestor: [String] = []
        @Flag(inversion: .prefixedNo, help: .of(.stableSubject))
        var stableSubWithoutPage: Bool?
        @Option(help: .of(.authentication))
        var authMethod: ClientAuthentication?
        @Flag(inversion: .prefixedNo, help: .of(.pkce))
        var pkce: Bool?
        @Flag(inversion: .prefixedNo, help: .of(.boundTokens))
        var boundTokens: Bool?
        @Option(
            help: """
                PEM file with the certificates of the app's server, for self_signed_tls_client_auth: they become its \
                JWK set, in the \
                place of --jwks.
                """)
        var certificate: String?
        @Option(help: ArgumentHelp(OpenIDSetting.certificateSubject.help.english, valueName: "name"))
        var tlsClientAuthSubjectDn: String?
        @Option(help: ArgumentHelp(OpenIDSetting.certificateDNS.help.english, valueName: "client.example"))
        var tlsClientAuthSanDns: String?
        @Option(help: ArgumentHelp(OpenIDSetting.certificateURI.help.english, valueName: "https://client.example/"))
        var tlsClientAuthSanUri: String?
        @Option(help: ArgumentHelp(OpenIDSetting.certificateIP.help.english, valueName: "address"))
        var tlsClientAuthSanIp: String?
        @Flag(inversion: .prefixedNo, help: .of(.certificateBoundTokens))
        var certificateBoundTokens: Bool?
        @Flag(inversion: .prefixedNo, help: .of(.rememberConsent))
        var rememberConsent: Bool?
        @Option(help: ArgumentHelp(OpenIDSetting.backchannel.help.english, valueName: "poll|ping|none"))
        var backchannel: String?
        @Option(
            help: ArgumentHelp(
                OpenIDSetting.backchannelNotification.help.english, valueName: "https://shop.example/decided"))
        var backchannelNotification: String?
        @Option(help: .of(.profile))
        var profile: ClientProfile?

        func validate() throws {
            guard redirectUri.isEmpty || (addRedirectUri + removeRedirectUri).isEmpty else {
                throw ValidationError(
                    "--redirect-uri is the new list; leave out --add-redirect-uri and --remove-redirect-uri")
            }
            for (name, list, removing) in [
                ("purpose", purpose, removePurpose), ("frame-ancestor", frameAncestor, removeFrameAncestor),
            ] where !list.isEmpty && !removing.isEmpty {
                throw ValidationError("--\(name) is the new list; leave out --remove-\(name)")
            }
            guard jwks == nil || certificate == nil else {
                throw ValidationError("--certificate makes the JWK set; leave out --jwks, or give it x5c")
            }
            guard
                !changes().isEmpty || page != nil || jwks != nil || certificate != nil || !media.isEmpty || logo != nil
            else {
                throw ValidationError(
                    "nothing to change was named; a new client needs --redirect-uri and --page, and benji app openid "
                        + "show "
                        + "says what is registered")
            }
        }

        /// The named changes, except those in files.
        private func changes() -> OpenIDClientChanges {
            var changes = OpenIDClientChanges()
            changes.redirectURIs = ListChange(redirectUri, adding: addRedirectUri, removing: removeRedirectUri)
            changes.color = color
            changes.removedMedia = removeMedia
            changes.usesSecret = secret
            changes.idTokenAlgorithm = rs256.map { $0 ? .rs256 : .es256 }
            changes.asksMiddleDigits = digits
            changes.requiresPushedRequests = pushedOnly
            changes.purposes = ListChange(purpose, removing: removePurpose)
            changes.frameAncestors = ListChange(frameAncestor, removing: removeFrameAncestor)
            changes.stableSubjectWithoutPage = stableSubWithoutPage
            changes.authentication = authMethod
            changes.requiresPKCE = pkce
            changes.bindsAccessTokens = boundTokens
            changes.certificateSubject = tlsClientAuthSubjectDn
            changes.certificateDNS = tlsClientAuthSanDns
            changes.certificateURI = tlsClientAuthSanUri
            changes.certificateIP = tlsClientAuthSanIp
            changes.bindsToCertificate = certificateBoundTokens
            changes.profile = profile
            changes.remembersConsent = rememberConsent
            changes.backchannelDelivery = backchannel
            changes.backchannelNotification = backchannelNotification
            return changes
        }

        func run() async throws {
            var changes = changes()
            changes.page = try page.map(AppOpenIDCommand.page)
            changes.media = try AppOpenIDCommand.media(media).mapValues { Data($0) }
            changes.logo = try logo.map { Data(try AppOpenIDCommand.bytes($0, for: "--logo")) }
            changes.keySet = try jwks.map { try CommandFile.jsonText($0, for: "--jwks") }
            if let certificate { changes.keySet = try AppOpenIDCommand.keySet(ofCertificates: certificate) }
            try await AppOpenIDCommand.show(ChangeOpenIDClient(given.id, changes), given)
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "What is registered for an app, without its secret.")
        @OptionGroup var options: OrderOptions
        @Argument(help: "The app's id.") var id: AppID
        @Flag(help: "Print JSON.") var json = false

        func run() async throws {
            AppOpenIDCommand.show(try await options.order(ShowOpenIDClient(id)), json: json)
        }
    }

    struct RotateSecret: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "rotate-secret", abstract: "Give a client a new secret.",
            discussion: "The secret before stays valid until it is retired.")
        @OptionGroup var given: AppOrderOptions
        @OptionGroup var before: OverlapOptions

        func run() async throws {
            try await AppOpenIDCommand.show(RotateClientSecret(given.id, keeping: before.value), given)
            guard !given.json else { return }
            Terminal().print(
                before.note(
                    "client secret", retire: "benji app openid retire-secret \(given.id)",
                    show: "benji app openid show \(given.id)"))
        }
    }

    struct RetireSecret: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "retire-secret",
            abstract: "End a client secret at once: the one before the newest, or the one named.")
        @OptionGroup var given: AppOrderOptions
        @Option(help: "The version that ends; all but the newest if not given.") var keyVersion: Int?

        func run() async throws {
            try await AppOpenIDCommand.show(RetireClientSecret(given.id, version: keyVersion), given)
        }
    }

    struct RotateKeys: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "rotate-keys", abstract: "Sign ID tokens with new keys from now on.",
            discussion: """
                The old keys stay in the JWK set for an hour, longer than any token that they signed lives. With --now \
                they are removed \
                at once, for keys that were stolen: apps that read the JWK set again refuse what was signed under \
                them, and this \
                service takes none of it as a hint any more. People who are logging in then may have to begin again.
                """.paragraphs)
        @OptionGroup var options: OrderOptions
        @Flag(help: "The old keys were stolen: remove them from the JWK set at once.") var now = false
        @OptionGroup var why: ReasonOptions

        func run() async throws {
            let isStolen = now
            _ = try await options.order(RotateIDTokenKeys(areStolen: isStolen), reason: why.reason)
            Terminal().print("ID tokens are signed with new keys from now on.")
            guard isStolen else { return }
            Terminal().print(
                "The old keys are removed. Tell the apps to read the JWK set again: what they keep of it may still "
                    + "hold them."
            )
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove", abstract: "End an app's being a client, and every code and token that it holds.")
        @OptionGroup var given: AppOrderOptions

        func run() async throws {
            let answer = try await given.give(RemoveOpenIDClient(given.id))
            Terminal().print(given.json ? answer.text : "\(given.id.rawValue) is no OpenID client any more.")
        }
    }

    /// A page's description as it is in the file; the order reads it and holds it against the rules.
    private static func page(_ path: String) throws -> String {
        do { return try PageFile.text(path) } catch {
            throw CommandFailure("--page: \(error)")
        }
    }

    /// Reads `name=file` of each argument. The registration judges the files' contents.
    private static func media(_ arguments: [String]) throws -> [String: [UInt8]] {
        var media: [String: [UInt8]] = [:]
        for argument in arguments {
            let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2 else { throw ValidationError("--media: write name=file, such as logo=logo.png") }
            media[parts[0]] = try bytes(parts[1], for: "--media")
        }
        return media
    }

    private static func keySet(ofCertificates path: String) throws -> String {
        let pem = String(decoding: try bytes(path, for: "--certificate"), as: UTF8.self)
        do { return try ClientKeySet.text(ofCertificates: pem) } catch {
            throw CommandFailure("--certificate: \(path): \(error.problem)")
        }
    }

    private static func bytes(_ path: String, for option: String) throws -> [UInt8] {
        do { return try PageFile.bytes(path, limit: 1 << 20) } catch {
            throw CommandFailure("\(option): \(path): \(error.problem)")
        }
    }

    /// Gives an order whose answer is a client, and shows that.
    private static func show(_ order: some Order, _ given: AppOrderOptions) async throws {
        show(try await given.give(order), json: given.json)
    }

    private static func show(_ client: JSON, json: Bool) {
        let terminal = Terminal()
        if json { return terminal.print(client.text) }
        guard case .object(let members) = client else { return }
        for member in members where !["secrets", "jwks_ignored"].contains(member.name) {
            let text = member.value.stringValue ?? member.value.text
            terminal.print("\(terminal.styled(Terminal.padded(member.name, to: 38), .cyan))\(text)")
        }
        for line in (client["secrets"]?.arrayValue ?? []).map({ KeyLine($0) }) {
            terminal.print("\(terminal.styled(Terminal.padded(line.word, to: 38), .cyan))\(line.text)")
        }
        for ignored in client["jwks_ignored"]?.arrayValue ?? [] {
            Terminal.note("warning: not registered: \(ignored.stringValue ?? "")")
        }
        if client["client_secret"] != nil {
            terminal.print("\nThe secret is shown this once. Keep it where only your server can read it.")
        }
    }
}

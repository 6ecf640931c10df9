import ArgumentParser
import Authority
import BenjiProtocol
import Foundation
import OpenIDProvider
import Store

struct AppCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "app", abstract: "Register apps and manage their keys.",
        discussion: "Works on the data directory itself, whether or not `benji serve` is running.",
        subcommands: [
            Create.self, List.self, Show.self, AppSetCommand.self, AppKeyCommands.RotateKey.self,
            AppKeyCommands.RetireKey.self, AppKeyCommands.SplitKeys.self, AppKeyCommands.RotateSecret.self,
            AppKeyCommands.RetireSecret.self, AppOpenIDCommand.self, AppFaceCommand.self,
        ])

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "create",
            abstract: "Register an app; prints its id and, this once, its app key and server secret.",
            discussion: """
                The app key goes into the phone's package, where anybody can find it. The server secret stays on the app's \
                server and signs what it sends.

                Example:
                  benji app create --name Shop --bundle com.example.shop --server-address 203.0.113.7

                An app that comes from OneLogin, GeYan or SuperID keeps its id, and its phones have no key:
                  benji app create --name Shop --id b41a959b5cac4dd1277183e074630945 --phones-without-key \\
                    --bundle com.example.shop --server-address 203.0.113.7
                """.paragraphs, aliases: ["add"])

        @OptionGroup var options: ConfigurationOptions
        @Option(help: "The app's name, for people.") var name: String
        @Option(help: "An id that the app already has elsewhere: 12 to 64 letters and digits. Drawn if not given.")
        var id: AppID?
        @Option(help: "A bundle id that may log in. May be given several times.") var bundle: [String] = []
        @Option(
            help: "An address or block of the app's server. Nothing is answered to others. May be given several times.")
        var serverAddress: [String] = []
        @Flag(help: "Server addresses wider than /16 (IPv4) or /48 (IPv6) are meant.") var wideAddresses = false
        @Flag(
            help: """
                Its server may call OpenID Connect's and CAMARA's interfaces from any address: there it proves itself by a \
                client secret or a key of its own.
                """)
        var openidFromAnywhere = false
        @Flag(
            help: """
                One key for phones and server, as with other vendors: whoever takes it out of the package then needs only a \
                server address to redeem.
                """)
        var oneKey = false
        @Option(
            help: """
                login, verification, or ticked-page for consents from pages that began with the tick set, as OneLogin's and \
                GeYan's do by default. May be given several times; the first two if not given.
                """)
        var capability: [Capability] = []
        @Option(help: "PEM file with the RSA public key (2048 bits or more) that checks signs and encrypts numbers.")
        var rsaPublicKey: String?
        @Option(help: "How the server signs loginTokenValidate: md5 or rsa.") var sign: SignAlgorithm = .md5
        @Option(help: "Answers a day.") var dailyQuota: Int?
        @Option(help: "Least assurance accepted: net, net+app, net+app+address or sim.") var leastAssurance: Assurance =
            .net
        @Option(help: "File with the JWK of an attester whose word counts. May be given several times.")
        var attester: [String] = []
        @Option(help: "Longest life of a scrip, in seconds.") var scripLifetime: Int64?
        @Option(help: "Longest life of a token, in seconds.") var tokenLifetime: Int64?
        @Option(help: "Seconds that a request's time may be off; any time is accepted if not given.")
        var requestTimeTolerance: Int64?
        @Option(help: "A source id for single sign-on (TYRZLogin). May be given several times.") var sourceID:
            [String] = []
        @Flag(help: "Legacy grant: a token earned without a page releases the number too. Audited at each use.")
        var numberWithoutPage = false
        @Flag(
            help: """
                Its phones have no app key, only the id, as with OneLogin, GeYan and SuperID; they earn the assurance net and \
                nothing more by it.
                """)
        var phonesWithoutKey = false
        @Flag(
            help: """
                Its server may send GeYan's unsigned form. Its address is then all that tells it: /29 or narrower, or /64.
                """)
        var unsignedRequests = false
        @Option(
            help: """
                Content digest of a page that may ask for consent; any page that keeps the rules if not given. A page that is not \
                approved is refused, and its digest is in the login's trace. May be given several times.
                """)
        var approvedContent: [String] = []
        @Flag(help: "Do not put the app on the allow-list yet.") var notAllowed = false
        @Flag(help: "Print JSON.") var json = false

        func validate() throws {
            try AppCommand.refuseIdle(wideAddresses: wideAddresses, serverAddress)
            if let dailyQuota, dailyQuota < 1 {
                throw ValidationError(
                    "--daily-quota: 1 or more; without it there is no limit, and --not-allowed keeps an app out")
            }
            for digest in approvedContent where !Self.isDigest(digest) {
                throw ValidationError(
                    "--approved-content \(digest.prefix(64)): a page's content digest is 43 characters of base64url; a login's "
                        + "trace holds it")
            }
        }

        private static func isDigest(_ text: String) -> Bool { Base64URL.decode(text)?.count == 32 }

        func run() async throws {
            var registration = Apps.Registration(name: name)
            registration.id = id
            registration.capabilities = capability.isEmpty ? Capability.usual : Set(capability)
            registration.bundleIDs = bundle
            registration.serverAddresses = serverAddress
            registration.rsaPublicKey = try rsaPublicKey.map(AppCommand.contents)
            registration.signAlgorithm = sign
            registration.dailyQuota = dailyQuota
            registration.leastAssurance = leastAssurance
            registration.attesters = try attester.map(AppCommand.contents)
            registration.scripLifetime = scripLifetime
            registration.tokenLifetime = tokenLifetime
            registration.requestTimeTolerance = requestTimeTolerance
            registration.sourceIDs = sourceID
            registration.legacyNumberWithoutPage = numberWithoutPage
            registration.phonesWithoutKey = phonesWithoutKey
            registration.unsignedRequests = unsignedRequests
            registration.approvedContent = approvedContent
            registration.allowed = !notAllowed
            registration.acceptsWideAddresses = wideAddresses
            registration.openIDFromAnywhere = openidFromAnywhere
            registration.hasOneKey = oneKey
            let fixed = registration
            let app = try await AppCommand.withApps(options) { apps throws in try await apps.register(fixed) }
            AppCommand.show(app, json: json, new: oneKey ? [.package] : [.package, .server])
            if !json, serverAddress.isEmpty {
                Terminal().print(
                    openidFromAnywhere
                        ? "note: no --server-address was given, so its server can use OpenID Connect and CAMARA only"
                        : "note: no --server-address was given, so no server can redeem this app's tokens yet; see: benji app set"
                )
            }
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "list", abstract: "All apps, one a line.")
        @OptionGroup var options: ConfigurationOptions
        @Flag(help: "Print JSON.") var json = false

        func run() async throws {
            let apps = try await AppCommand.withApps(options) { apps throws in try await apps.all() }
            let terminal = Terminal()
            if json {
                terminal.print(JSON.array(apps.map { $0.json() }).text)
                return
            }
            if apps.isEmpty { terminal.print("no apps yet; register one with: benji app create --name …") }
            for app in apps {
                var states = [app.suspended ? "suspended" : app.allowed ? "allowed" : "not on the allow-list"]
                if app.hasOneKey(at: SystemWallClock().now) { states.append("one key") }
                if !app.wideServerAddresses.isEmpty { states.append("wide addresses") }
                let state = states.joined(separator: ", ")
                terminal.print(
                    "\(terminal.styled(app.id.rawValue, .bold))  \(Terminal.padded(app.name, to: 24))  \(state)")
            }
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "show", abstract: "One app, without its keys.")
        @OptionGroup var options: ConfigurationOptions
        @Argument(help: "12 to 64 letters and digits.") var id: AppID
        @Flag(help: "Print JSON.") var json = false

        func run() async throws {
            let id = id
            let (app, usages) = try await AppCommand.withApps(options) { apps throws in
                (try await apps.find(id), try await apps.usages(of: id))
            }
            AppCommand.show(app, usages, json: json)
        }
    }

    /// Refuses a flag that would change nothing: probably another address was meant.
    static func refuseIdle(wideAddresses: Bool, _ addresses: [String]) throws {
        guard !wideAddresses || addresses.contains(where: AppRecord.isWide) else {
            throw ValidationError(
                "--wide-addresses has nothing to do: no server address here is wider than /16 (IPv4) or /48 (IPv6)")
        }
    }

    static func contents(of path: String) throws -> String {
        String(decoding: try CommandFile.read(path), as: UTF8.self)
    }

    static func withApps<Result>(
        _ options: ConfigurationOptions, _ body: @Sendable (Apps) async throws -> Result
    ) async throws -> Result {
        try await withInstallation(options) { try await body($0.authority.apps) }
    }

    /// Works on the data directory; what the authority refuses is the command's failure.
    static func withInstallation<Result>(
        _ options: ConfigurationOptions, _ body: @Sendable (Installation) async throws -> Result
    ) async throws -> Result {
        do {
            return try await options.withInstallation(body)
        } catch let refusal as Refusal {
            throw CommandFailure(refusal.detail)
        }
    }

    /// - Parameter new: the keys that are shown, this once.
    static func show(_ app: RegisteredApp, _ usages: [AppKeyUsage] = [], json: Bool, new: [AppKeyUse] = []) {
        let terminal = Terminal()
        guard case .object(var members) = app.record.json(usages) else { return }
        var shown: [JSON.Member] = []
        if new.contains(.package) { shown.append(JSON.Member("key", .string(app.key.reveal()))) }
        if new.contains(.server) { shown.append(JSON.Member("serverSecret", .string(app.serverSecret.reveal()))) }
        members.insert(contentsOf: shown, at: 1)
        if json {
            terminal.print(JSON.object(members).text)
            return
        }
        for member in members where member.value != .array([]) && member.name != "keys" {
            let text =
                member.name == "createdAt"
                ? app.record.createdAt.dateText : member.value.stringValue ?? member.value.text
            terminal.print("\(terminal.styled(Terminal.padded(member.name, to: 24), .cyan))\(text)")
        }
        for key in app.record.keys {
            let line = KeySummary(key, use: key.use, usages).text
            terminal.print("\(terminal.styled(Terminal.padded(key.use.word, to: 24), .cyan))\(line)")
        }
        if app.record.hasOneKey(at: SystemWallClock().now) {
            terminal.print(
                "\none key: what is in the phone's package may also sign what the server sends; see: \(app.record.oneKeyRemedy)"
            )
        }
        if !app.record.wideServerAddresses.isEmpty {
            terminal.print("\nwide addresses: so many strangers may be in them that they hardly tell the server")
        }
        if !new.isEmpty { terminal.print("\nShown this once:") }
        if new.contains(.package) {
            let isForBoth = !app.record.keys.contains { $0.use == .server }
            terminal.print("  key           for the phone's package\(isForBoth ? ", and for your server" : "")")
        }
        if new.contains(.server) {
            terminal.print("  serverSecret  for your server alone: it signs what your server sends")
        }
    }
}

extension AppRecord {
    /// What operators may see of an app: everything but its keys.
    func json(_ usages: [AppKeyUsage] = []) -> JSON {
        .object([
            "id": .string(id.rawValue), "name": .string(name),
            "keys": .array(keys.map { KeySummary($0, use: $0.use, usages).json }),
            "oneKey": .bool(hasOneKey(at: SystemWallClock().now)),
            "suspended": .bool(suspended), "allowed": .bool(allowed),
            "capabilities": .array(capabilities.map(\.rawValue).sorted().map { .string($0) }),
            "bundles": .array(bundleIDs.map { .string($0) }),
            "serverAddresses": .array(serverAddresses.map { .string($0) }),
            "openIDFromAnywhere": .bool(openIDFromAnywhere),
            "sign": .string(signAlgorithm.rawValue), "hasRSAKey": .bool(rsaPublicKey != nil),
            "dailyQuota": dailyQuota.map { .integer($0) }, "leastAssurance": .string(leastAssurance.rawValue),
            "attesters": .integer(attesters.count), "scripLifetime": scripLifetime.map { .integer($0) },
            "tokenLifetime": tokenLifetime.map { .integer($0) },
            "requestTimeTolerance": requestTimeTolerance.map { .integer($0) },
            "numberWithoutPage": .bool(legacyNumberWithoutPage), "phonesWithoutKey": .bool(phonesWithoutKey),
            "unsignedRequests": .bool(unsignedRequests),
            "approvedContent": .array(approvedContent.map { .string($0) }),
            "sourceIDs": .array(sourceIDs.map { .string($0) }), "createdAt": .integer(createdAt.milliseconds),
        ])
    }
}

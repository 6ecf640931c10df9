internal import ArgumentParser
internal import Authority
internal import BenjiProtocol
internal import Foundation
internal import Store

struct AppCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "app", abstract: "Register apps and manage their keys.",
        discussion: "Works on the data directory itself, whether or not `benji serve` is running.",
        subcommands: [Create.self, List.self, Show.self, RotateKey.self, AppOpenIDCommand.self, AppFaceCommand.self])

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "create", abstract: "Register an app; prints its id and, this once, its key.",
            discussion: """
                Example:
                  benji app create --name Shop --bundle com.example.shop

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
        @Option(help: "A source id for single sign-on (document 001). May be given several times.") var sourceID:
            [String] = []
        @Flag(help: "Legacy grant: a token earned without a page releases the number too. Audited at each use.")
        var numberWithoutPage = false
        @Flag(
            help: """
                Its phones have no app key, only the id, as with OneLogin, GeYan and SuperID; they earn the assurance net and \
                nothing more by it. Keep the key on the server alone.
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
            let fixed = registration
            let app = try await AppCommand.withApps(options) { apps throws in try await apps.register(fixed) }
            AppCommand.show(app, json: json, withKey: true)
            if !json, serverAddress.isEmpty {
                Terminal().print("note: no --server-address was given, so no server can redeem this app's tokens yet")
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
                terminal.print(JSON.array(apps.map(\.json)).text)
                return
            }
            if apps.isEmpty { terminal.print("no apps yet; register one with: benji app create --name …") }
            for app in apps {
                let state = app.suspended ? "suspended" : app.allowed ? "allowed" : "not on the allow-list"
                terminal.print(
                    "\(terminal.styled(app.id.rawValue, .bold))  \(Terminal.padded(app.name, to: 24))  \(state)")
            }
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "show", abstract: "One app, without its key.")
        @OptionGroup var options: ConfigurationOptions
        @Argument(help: "12 to 64 letters and digits.") var id: AppID
        @Flag(help: "Print JSON.") var json = false

        func run() async throws {
            let id = id
            AppCommand.show(
                try await AppCommand.withApps(options) { apps throws in try await apps.find(id) }, json: json,
                withKey: false)
        }
    }

    struct RotateKey: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "rotate-key", abstract: "Give an app a new key; the old one stops working at once.")
        @OptionGroup var options: ConfigurationOptions
        @Argument(help: "12 to 64 letters and digits.") var id: AppID
        @Flag(help: "Print JSON.") var json = false

        func run() async throws {
            let id = id
            AppCommand.show(
                try await AppCommand.withApps(options) { apps throws in try await apps.rotateKey(of: id) }, json: json,
                withKey: true)
        }
    }

    static func contents(of path: String) throws -> String {
        String(decoding: try CommandFile.read(path), as: UTF8.self)
    }

    private static func withApps<Result>(
        _ options: ConfigurationOptions, _ body: @Sendable (Apps) async throws -> Result
    ) async throws -> Result {
        try await withAuthority(options) { try await body($0.apps) }
    }

    /// Works on the data directory; what the authority refuses is the command's failure.
    static func withAuthority<Result>(
        _ options: ConfigurationOptions, _ body: @Sendable (Authority) async throws -> Result
    ) async throws -> Result {
        do {
            return try await options.withInstallation { try await body($0.authority) }
        } catch let refusal as Refusal {
            throw CommandFailure(refusal.detail)
        }
    }

    private static func show(_ app: RegisteredApp, json: Bool, withKey: Bool) {
        let terminal = Terminal()
        guard case .object(var members) = app.record.json else { return }
        if withKey { members.insert(JSON.Member("key", .string(app.key.reveal())), at: 1) }
        if json {
            terminal.print(JSON.object(members).text)
            return
        }
        for member in members where member.value != .array([]) {
            let text =
                member.name == "createdAt"
                ? app.record.createdAt.dateText : member.value.stringValue ?? member.value.text
            terminal.print("\(terminal.styled(Terminal.padded(member.name, to: 24), .cyan))\(text)")
        }
        if withKey {
            terminal.print("\nThe key is shown this once. Keep it where only your server and your build can read it.")
        }
    }
}

extension AppRecord {
    /// What operators may see of an app: everything but its key.
    var json: JSON {
        .object([
            "id": .string(id.rawValue), "name": .string(name), "keyVersion": .integer(keyVersion),
            "suspended": .bool(suspended), "allowed": .bool(allowed),
            "capabilities": .array(capabilities.map(\.rawValue).sorted().map { .string($0) }),
            "bundles": .array(bundleIDs.map { .string($0) }),
            "serverAddresses": .array(serverAddresses.map { .string($0) }),
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

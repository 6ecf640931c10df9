import Administration
import ArgumentParser
import Authority
import BenjiProtocol
import Foundation
import OpenIDProvider
import Requests
import Store

struct AppCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "app", abstract: "Register apps, change, stop and delete them, and manage their keys.",
        discussion: """
            Works on the data directory itself, whether or not `benji serve` is running; with --server, on a server \
            elsewhere.
            """,
        subcommands: [
            Create.self, List.self, Show.self, AppSetCommand.self, AppStateCommands.Suspend.self,
            AppStateCommands.Resume.self, AppStateCommands.Allow.self, AppStateCommands.Disallow.self,
            AppStateCommands.Delete.self, AppStateCommands.Keep.self, AppKeyCommands.RotateKey.self,
            AppKeyCommands.RetireKey.self, AppKeyCommands.SplitKeys.self, AppKeyCommands.RotateSecret.self,
            AppKeyCommands.RetireSecret.self, AppOpenIDCommand.self, AppFaceCommand.self,
            AppCallbackCommand.self, AppContractCommand.self, AppLoginsCommand.self, AppAttestedKeyCommand.self,
            AppTeamCommand.self,
        ])

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "create",
            abstract: "Register an app; prints its id and, this once, its app key and server secret.",
            discussion: """
                The app key goes into the phone's package, where anybody can find it. The server secret stays on the \
                app's \
                server: it is its password for the server API, and signs its requests to other interfaces.

                Example:
                  benji app create --name Shop --bundle com.example.shop \\
                    --server-address 203.0.113.7

                An app that comes from OneLogin, GeYan or SuperID keeps its id, and its phones have no key:
                  benji app create --name Shop --id b41a959b5cac4dd1277183e074630945 \\
                    --phones-without-key --bundle com.example.shop \\
                    --server-address 203.0.113.7
                """.paragraphs, aliases: ["add"])

        @OptionGroup var options: OrderOptions
        @Option(help: "The app's name, for people.") var name: String
        @Option(help: "An id that the app already has elsewhere: 12 to 64 letters and digits. Drawn if not given.")
        var id: AppID?
        @Option(help: "A bundle id that may log in. May be given several times.") var bundle: [String] = []
        @Option(
            help: "An address or block of the app's server. Nothing is answered to others. May be given several times.")
        var serverAddress: [String] = []
        @Flag(help: "Accept server addresses wider than /16 (IPv4) or /48 (IPv6).") var wideAddresses = false
        @Flag(
            help: """
                Its server may call OpenID Connect's and CAMARA's interfaces from any address: there it proves itself \
                by a \
                client secret or a key of its own.
                """)
        var openidFromAnywhere = false
        @Flag(
            help: """
                One key for phones and server, as with other vendors: whoever takes it out of the package then needs \
                only a \
                server address to redeem.
                """)
        var oneKey = false
        @Option(
            help: """
                login, verification, or ticked-page for consents from pages that began with the tick set, as \
                OneLogin's and \
                GeYan's do by default. May be given several times; the first two if not given.
                """)
        var capability: [Capability] = []
        @Option(help: "PEM file with the RSA public key (2048 bits or more) that checks signs and encrypts numbers.")
        var rsaPublicKey: String?
        @Option(help: "How the server signs loginTokenValidate: md5 or rsa.") var sign: SignAlgorithm = .md5
        @Option(help: "Answers a day.") var dailyQuota: Int?
        @Option(help: "Least assurance accepted: sms-upstream, sms, net, net+app, net+app+address or sim.")
        var leastAssurance: Assurance = .net
        @Option(
            help: """
                How its phones log in: one-tap, or one-tap-then-sms for phones that the network does not know just \
                now. A code by SMS \
                earns the assurance sms: give --least-assurance sms with it.
                """)
        var workflow: Workflow = .oneTap
        @Option(help: "File with the JWK of an attester whose word counts. May be given several times.")
        var attester: [String] = []
        @Option(help: .of(.appleTeam)) var appleTeam: String?
        @Flag(help: .of(.developmentKeys)) var developmentKeys = false
        @Option(help: "Longest life of a scrip, in seconds.") var scripLifetime: Int64?
        @Option(help: "Longest life of a token, in seconds.") var tokenLifetime: Int64?
        @Option(help: "Seconds that a request's time may be off; any time is accepted if not given.")
        var requestTimeTolerance: Int64?
        @Option(help: "Whose service it is. Apps of one owner share logins by single sign-on (TYRZLogin).")
        var owner: String?
        @Option(help: "A source id for single sign-on (TYRZLogin). May be given several times.") var sourceID:
            [String] = []
        @Flag(help: "Legacy grant: a token earned without a page releases the number too. Audited at each use.")
        var numberWithoutPage = false
        @Flag(
            help: """
                Its phones have no app key, only the id, as with OneLogin, GeYan and SuperID; they earn the assurance \
                net and \
                nothing more by it.
                """)
        var phonesWithoutKey = false
        @Flag(
            help: """
                Its server may send GeYan's unsigned form and, while the app has no RSA key, TYRZLogin's. Its address \
                is then all that \
                tells it: /29 or narrower, or /64.
                """)
        var unsignedRequests = false
        @Flag(help: "Consents count only on approved pages (`benji page submit`), also while there is none.")
        var requiresPageReview = false
        @Option(
            help: """
                Page digest of a page that may ask for consent (`benji page digest`), or the content digest of one \
                that the app draws; \
                any page that keeps the rules if not given. A page that is not approved is refused, and its digest is \
                in the \
                login's trace. May be given several times.
                """)
        var approvedContent: [String] = []
        @OptionGroup var why: ReasonOptions
        @Flag(help: "Do not put the app on the allow-list yet.") var notAllowed = false
        @Flag(help: "Print JSON.") var json = false

        func validate() throws {
            try AppCommand.refuseIdle(wideAddresses: wideAddresses, serverAddress)
            if let dailyQuota, dailyQuota < 1 {
                throw ValidationError(
                    "--daily-quota: 1 or more; without it there is no limit, and --not-allowed keeps an app out")
            }
        }

        func run() async throws {
            var registration = Apps.Registration(name: name)
            registration.id = id
            registration.capabilities = capability.isEmpty ? Capability.usual : Set(capability)
            registration.bundleIDs = bundle
            registration.serverAddresses = serverAddress
            registration.rsaPublicKey = try rsaPublicKey.map { try PEMFile.publicKey($0, for: "--rsa-public-key") }
            registration.signAlgorithm = sign
            registration.dailyQuota = dailyQuota
            registration.leastAssurance = leastAssurance
            registration.workflow = workflow
            registration.attesters = try attester.map { try CommandFile.jsonText($0, for: "--attester") }
            registration.appleTeam = appleTeam
            registration.takesDevelopmentKeys = developmentKeys
            registration.scripLifetime = scripLifetime
            registration.tokenLifetime = tokenLifetime
            registration.requestTimeTolerance = requestTimeTolerance
            registration.sourceIDs = sourceID
            registration.owner = owner
            registration.legacyNumberWithoutPage = numberWithoutPage
            registration.phonesWithoutKey = phonesWithoutKey
            registration.unsignedRequests = unsignedRequests
            registration.requiresPageReview = requiresPageReview
            registration.approvedContent = approvedContent
            registration.allowed = !notAllowed
            registration.acceptsWideAddresses = wideAddresses
            registration.openIDFromAnywhere = openidFromAnywhere
            registration.hasOneKey = oneKey
            AppCommand.show(try await options.order(CreateApp(registration), reason: why.reason), json: json)
            if !json, serverAddress.isEmpty {
                Terminal().print(
                    openidFromAnywhere
                        ? "note: no --server-address was given, so its server can use OpenID Connect and CAMARA only"
                        : "note: no --server-address was given, so no server can redeem this app's tokens yet; see: "
                            + "benji app set"
                )
            }
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "list", abstract: "All apps, one a line.")
        @OptionGroup var options: OrderOptions
        @Flag(help: "Print JSON.") var json = false

        func run() async throws {
            let answer = try await options.order(ListApps())
            let terminal = Terminal()
            if json { return terminal.print(answer.text) }
            let apps = answer.arrayValue ?? []
            if apps.isEmpty { terminal.print("no apps yet; register one with: benji app create --name …") }
            for app in apps {
                let (id, name) = (app["id"]?.stringValue ?? "", app["name"]?.stringValue?.printable ?? "")
                let state = AppCommand.states(of: app).joined(separator: ", ")
                terminal.print("\(terminal.styled(id, .bold))  \(Terminal.padded(name, to: 24))  \(state)")
            }
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "show", abstract: "One app, without its keys.")
        @OptionGroup var options: OrderOptions
        @Argument(help: "12 to 64 letters and digits.") var id: AppID
        @Flag(help: "Print JSON.") var json = false

        func run() async throws {
            AppCommand.show(try await options.order(ShowApp(id)), json: json)
        }
    }

    /// Refuses a flag that would change nothing: probably another address was meant.
    static func refuseIdle(wideAddresses: Bool, _ addresses: [String]) throws {
        guard !wideAddresses || addresses.contains(where: AppRecord.isWide) else {
            throw ValidationError(
                "--wide-addresses has nothing to do: no server address here is wider than /16 (IPv4) or /48 (IPv6)")
        }
    }

    /// Works on the data directory; what the authority refuses is the command's failure.
    static func withInstallation<Result>(
        _ options: ConfigurationOptions, _ body: @Sendable (Installation) async throws -> Result
    ) async throws -> Result {
        do {
            return try await options.withInstallation(body)
        } catch let refusal as Refusal {
            throw CommandFailure(refused: refusal.situation, refusal.detail)
        }
    }

    /// The states of an app, for a list.
    fileprivate static func states(of app: JSON) -> [String] {
        var states: [String] = []
        if let end = app["deletedAfter"]?.integerValue {
            states.append("deleted after \(CalendarDay(Timestamp(milliseconds: end)))")
        }
        if app["suspended"]?.boolValue == true { states.append("suspended") }
        if app["allowed"]?.boolValue != true { states.append("not on the allow-list") }
        if states.isEmpty { states.append("allowed") }
        if app["oneKey"]?.boolValue == true { states.append("one key") }
        if app["requiresPageReview"]?.boolValue == true { states.append("reviewed pages") }
        if app["workflow"]?.stringValue == Workflow.oneTapThenSMS.rawValue { states.append("SMS codes") }
        if !wideAddresses(of: app).isEmpty { states.append("wide addresses") }
        return states
    }

    private static func wideAddresses(of app: JSON) -> [String] {
        (app["serverAddresses"]?.arrayValue ?? []).compactMap(\.stringValue).filter(AppRecord.isWide)
    }

    /// Shows what an order answered of an app.
    static func show(_ app: JSON, json: Bool) {
        let terminal = Terminal()
        if json { return terminal.print(app.text) }
        guard case .object(let members) = app else { return }
        for member in members where member.value != .array([]) && member.name != "keys" {
            let value = member.value.shown(as: member.name).printable
            terminal.print("\(terminal.styled(Terminal.padded(member.name, to: 24), .cyan))\(value)")
        }
        let keys = app["keys"]?.arrayValue ?? []
        for key in keys.map({ KeyLine($0) }) {
            terminal.print("\(terminal.styled(Terminal.padded(key.word, to: 24), .cyan))\(key.text)")
        }
        let hasSecret = keys.contains { $0["use"]?.stringValue == AppKeyUse.server.rawValue }
        if app["oneKey"]?.boolValue == true {
            let remedy = "benji app \(hasSecret ? "retire-secret" : "split-keys") \(app["id"]?.stringValue ?? "")"
            terminal.print(
                "\none key: what is in the phone's package may also sign what the server sends; see: \(remedy)")
        }
        if !wideAddresses(of: app).isEmpty {
            terminal.print("\nwide addresses: so many strangers may be in them that they hardly tell the server")
        }
        let (key, secret) = (app["key"] != nil, app["serverSecret"] != nil)
        if key || secret { terminal.print("\nShown this once:") }
        if key { terminal.print("  key           for the phone's package\(hasSecret ? "" : ", and for your server")") }
        if secret {
            terminal.print(
                "  serverSecret  for your server alone: its password for the server API; with other interfaces it "
                    + "signs requests"
            )
        }
    }
}

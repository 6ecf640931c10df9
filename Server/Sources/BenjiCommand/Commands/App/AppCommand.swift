import Administration
import ArgumentParser
import Authority
import BenjiProtocol
import Foundation
import OpenIDProvider
import Requests
import ServerRuntime
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
        @Option(help: "An id that the app already has elsewhere: 12 to 64 letters and digits. Drawn if not given.")
        var id: AppID?
        @Flag(
            help: """
                One key for phones and server, as with other vendors: whoever takes it out of the package then needs \
                only a \
                server address to redeem.
                """)
        var oneKey = false
        @OptionGroup(title: "Settings") var settings: AppOptions<NewAppUse>
        @OptionGroup var why: ReasonOptions
        @Flag(help: "Do not put the app on the allow-list yet.") var notAllowed = false
        @Flag(help: "Print JSON.") var json = false

        func validate() throws {
            guard !settings.texts(.name).isEmpty else { throw ValidationError("--name is missing: the app's name") }
        }

        func run() async throws {
            var registration = try settings.registration()
            registration.id = id
            registration.allowed = !notAllowed
            registration.hasOneKey = oneKey
            AppCommand.show(try await options.order(CreateApp(registration), reason: why.reason), json: json)
            if !json, registration.serverAddresses.isEmpty {
                Terminal().print(
                    registration.openIDFromAnywhere
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

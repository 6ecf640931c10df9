import Administration
import ArgumentParser
import Authority
import BenjiProtocol
import ServerRuntime
import Store

/// Changes the named settings of an app and keeps the rest.
struct AppSetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Change what is named of an app; the rest stays.",
        discussion: """
            An option that may be given several times is the new list; the --add- and --remove- forms change the list \
            that is \
            there.

            Example:
              benji app set 300000000001 --add-server-address 203.0.113.8 --add-capability sim-swap
            """.paragraphs)

    @OptionGroup var options: OrderOptions
    @Argument(help: "12 to 64 letters and digits.") var id: AppID
    @OptionGroup(title: "Settings") var settings: AppOptions<ChangedAppUse>
    @Option(
        help: ArgumentHelp(
            """
            Takes a value away, so that there is none or the policy's holds: \
            \(AppSetting.allValueStrings.joined(separator: ", ")). May be given several times.
            """, valueName: "name"))
    var clear: [AppSetting] = []
    @OptionGroup var why: ReasonOptions
    @Flag(help: "Print JSON.") var json = false

    func validate() throws {
        guard try !settings.changes(readingFiles: false).isEmpty || !clear.isEmpty else {
            throw ValidationError("nothing to change was named")
        }
    }

    func run() async throws {
        var changes = try settings.changes()
        changes.cleared = Set(clear)
        let app = try await options.order(ChangeApp(id, changes), reason: why.reason)
        AppCommand.show(app, json: json)
        guard app["openIDFromAnywhereEnded"] != nil, changes[.openIDFromAnywhere] == nil else { return }
        Terminal.note(
            "OpenID Connect and CAMARA answered this app's server everywhere; since addresses were named they answer "
                + "at those alone. "
                + "To have it as before: benji app set \(id) --openid-from-anywhere")
    }
}

extension AppSetting: ExpressibleByArgument {
    package init?(argument: String) {
        guard let setting = Self.all.first(where: { $0.isClearable && $0.clearName == argument }) else { return nil }
        self = setting
    }

    package static var allValueStrings: [String] { all.filter(\.isClearable).map(\.clearName) }
}

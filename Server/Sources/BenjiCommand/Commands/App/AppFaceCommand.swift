#if Face
import ServerRuntime
import Administration
import ArgumentParser
import BenjiProtocol
import Store

/// Lets apps have face login (docs/superid-dialect.md).
struct AppFaceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "face", abstract: "Let an app log people in by face.",
        discussion: """
            Works on the data directory itself, whether or not `benji serve` is running. The server answers once its
            configuration has face.enabled.
            """.paragraphs, subcommands: [Set.self, Remove.self])

    struct Set: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "set",
            abstract: "Grant face login to an app, or change what is named of it; the rest stays.",
            discussion: """
                The app may then read smile, age and gender of people who have authorised it.

                Example:
                  benji app face set 300000000001 --attributes
                """.paragraphs)

        @OptionGroup var given: AppOrderOptions
        @Flag(inversion: .prefixedNo, help: "It may also read expression, pose, eyes, mouth, five points and box.")
        var attributes: Bool?
        @Flag(inversion: .prefixedNo, help: "Its server may also keep groups of its own people.") var groups: Bool?

        func run() async throws {
            try await AppFaceCommand.show(GrantFaceLogin(given.id, attributes: attributes, groups: groups), given)
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove", abstract: "Take face login away from an app. Authorisations that people gave stay.")

        @OptionGroup var given: AppOrderOptions
        func run() async throws { try await AppFaceCommand.show(WithdrawFaceLogin(given.id), given) }
    }

    /// Gives an order, and says what the app may do afterwards.
    private static func show(_ order: some Order, _ given: AppOrderOptions) async throws {
        let app = try await given.give(order)
        let terminal = Terminal()
        if given.json { return terminal.print(app.text) }
        func list(_ name: String) -> [String] { (app[name]?.arrayValue ?? []).compactMap(\.stringValue) }
        let capabilities = list("capabilities")
        terminal.print("\(given.id) may do: \(capabilities.joined(separator: ", "))")
        // Another machine's settings are not known here.
        guard capabilities.contains(Capability.face.rawValue), try !given.options.isRemote else { return }
        let face = try await given.options.configuration.load().face
        if face == nil { terminal.print("face login is off on this server until face.enabled is set") }
        let problem = AppRecord.faceProblem(
            hasAttester: !list("attesters").isEmpty || app["appleTeam"] != nil,
            leastAssurance: app["leastAssurance"]?.stringValue.flatMap(Assurance.init(rawValue:)) ?? .net,
            floor: face?.leastAssurance)
        if let problem { terminal.print("\(given.id) \(problem)") }
    }
}
#endif

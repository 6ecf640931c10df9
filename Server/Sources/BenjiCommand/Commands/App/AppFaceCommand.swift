internal import ArgumentParser
internal import Authority
internal import BenjiProtocol
internal import Store

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
            abstract: "Grant face login to an app, and what is named besides; nothing else of it stays.",
            discussion: """
                The app may then read smile, age and gender of people who have authorised it.

                Example:
                  benji app face set 300000000001 --attributes
                """.paragraphs)

        @OptionGroup var options: ConfigurationOptions
        @Argument(help: "The app's id.") var id: AppID
        @Flag(help: "It may also read expression, pose, eyes, mouth, five points and box.") var attributes = false
        @Flag(help: "Its server may also keep groups of its own people.") var groups = false

        func run() async throws {
            var granted: Swift.Set<Capability> = [.face]
            if attributes { granted.insert(.faceAttributes) }
            if groups { granted.insert(.faceGroups) }
            try await AppFaceCommand.opt(id, in: granted, options)
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove", abstract: "Take face login away from an app. Authorisations that people gave stay.")

        @OptionGroup var options: ConfigurationOptions
        @Argument(help: "The app's id.") var id: AppID

        func run() async throws { try await AppFaceCommand.opt(id, in: nil, options) }
    }

    private static func opt(
        _ id: AppID, in granted: Swift.Set<Capability>?, _ options: ConfigurationOptions
    ) async throws {
        let record = try await AppCommand.withAuthority(options) { try await $0.faceAccounts.opt(id, in: granted) }
        let capabilities = record.capabilities.map(\.rawValue).sorted().joined(separator: ", ")
        Terminal().print("\(record.id) may do: \(capabilities)")
    }
}

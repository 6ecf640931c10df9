#if Face
import ArgumentParser
import Authority
import BenjiProtocol
import FaceAccounts
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

        @OptionGroup var options: ConfigurationOptions
        @Argument(help: "The app's id.") var id: AppID
        @Flag(inversion: .prefixedNo, help: "It may also read expression, pose, eyes, mouth, five points and box.")
        var attributes: Bool?
        @Flag(inversion: .prefixedNo, help: "Its server may also keep groups of its own people.") var groups: Bool?

        func run() async throws {
            let (id, attributes, groups) = (id, attributes, groups)
            try await AppFaceCommand.change(options) { accounts throws in
                try await accounts.grant(
                    id, attributes: attributes, groups: groups, by: .machineUser("app.face.set"))
            }
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove", abstract: "Take face login away from an app. Authorisations that people gave stay.")

        @OptionGroup var options: ConfigurationOptions
        @Argument(help: "The app's id.") var id: AppID

        func run() async throws {
            let id = id
            try await AppFaceCommand.change(options) { accounts throws in
                try await accounts.opt(id, in: nil, by: .machineUser("app.face.remove"))
            }
        }
    }

    private static func change(
        _ options: ConfigurationOptions, _ change: @Sendable (FaceAccounts) async throws -> AppRecord
    ) async throws {
        let record = try await AppCommand.withInstallation(options) { try await change($0.faceAccounts) }
        let capabilities = record.capabilities.map(\.rawValue).sorted().joined(separator: ", ")
        Terminal().print("\(record.id) may do: \(capabilities)")
        let face = try await options.load().face
        if record.capabilities.contains(.face), face == nil {
            Terminal().print("face login is off on this server until face.enabled is set")
        }
        if let problem = record.faceProblem(floor: face?.leastAssurance) { Terminal().print("\(record.id) \(problem)") }
    }
}
#endif

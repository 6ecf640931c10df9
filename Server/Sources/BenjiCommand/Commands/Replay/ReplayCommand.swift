import ArgumentParser
import Authority
@_spi(Server) import BenjiProtocol
import Foundation
import Requests
import ServerRuntime
import Store

/// Plays a login again that `benji trace export` wrote down.
struct ReplayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay", abstract: "Play a recorded login in a sandbox, with the fault that it met.",
        discussion: """
            The sandbox is a server of its own on free ports of the loopback, with a virtual phone; it is gone \
            afterwards. Ends with \
            status 1 if the login does not end there as it was recorded, or cannot be played.

            Played are logins of SDKs that were redeemed by the server API, loginTokenValidate or tokenValidate. Pages \
            in browsers, face login, the \
            dialects of other vendors, limits of how often, and what only a real network does cannot be played.

            Example:
              benji trace export 6f0e9c2a41d84b7f8f5f0f6d3b1c2a90 > login.json
              benji replay login.json
            """.paragraphs)

    @Argument(help: ArgumentHelp("What benji trace export wrote.", valueName: "file")) var file: String
    @Option(help: "A file with carriers' records, if the carrier is not one of those that come along.") var policy:
        String?
    @Flag(help: "Print JSON.") var json = false

    func run() async throws {
        let recording: LoginRecording
        do { recording = try LoginRecording(try JSON(parsing: try CommandFile.read(file, upTo: 1 << 20))) } catch let
            error as JSONError
        {
            throw CommandFailure("\(file) is no recorded login: \(error.place.printable): \(error.problem.printable)")
        }
        if let obstacle = recording.obstacle { throw CommandFailure("\(file) cannot be played. \(obstacle)") }
        var replay = Replay(recording: recording)
        if let policy { replay.policy = try PolicyFile(policy).policy }
        let played = try await replay.perform()
        let terminal = Terminal()
        let length = max(recording.steps.count, played.count)
        func step(_ steps: [LoginRecording.Step], _ position: Int) -> LoginRecording.Step? {
            position < steps.count ? steps[position] : nil
        }
        func text(_ step: LoginRecording.Step?) -> String {
            step.map { "\($0.party.rawValue) \($0.name): \($0.situation.rawValue)" } ?? "nothing"
        }
        if json {
            terminal.print(
                JSON.object([
                    "same": .bool(played == recording.steps),
                    "steps": .array(
                        (0..<length).map { position in
                            .object([
                                "recorded": .string(text(step(recording.steps, position))),
                                "played": .string(text(step(played, position))),
                            ])
                        }),
                ]).text)
        } else {
            for position in 0..<length {
                let (was, isNow) = (step(recording.steps, position), step(played, position))
                terminal.print(
                    was == isNow
                        ? "same    \(text(was))"
                        : terminal.styled("differs \(text(was)), in the sandbox \(text(isNow))", .red))
            }
        }
        guard played == recording.steps else { throw ExitCode(1) }
        if !json { terminal.print("the sandbox's login ended as the recorded one did") }
    }
}

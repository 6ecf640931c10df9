import Administration
import ArgumentParser
import BenjiPage
import BenjiProtocol
import Foundation
import Logging
import PageDesigner
import ServerRuntime
import ServiceLifecycle
import UnixSignals

struct PageDesignCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "design", abstract: "Design a page in a browser, and save it into a file.",
        discussion: """
            It serves the page designer on this machine only, under an address that holds a random word. The page is \
            laid out, judged and
            exported in the browser by the same engine as `benji page lint`; only saving writes, and only into the \
            file that is named.

            Examples:
              benji page design login.json
              benji page design login.json --port 8096
            """.paragraphs)

    @Argument(help: "The description; it is made when it is saved if it is not there.") var file: String
    @Option(help: "The port; 0 for any that is free.") var port: UInt16 = 0

    func validate() throws {
        guard file != "-" else { throw ValidationError("name a file that can be saved to") }
    }

    func run() async throws {
        guard PageDesigner.hasEngine else {
            throw CommandFailure(
                "this program was built without the page engine for browsers; build it with: make build "
                    + "(scripts/lib/build-wasm.sh makes the engine)"
            )
        }
        let file = file
        if FileManager.default.fileExists(atPath: file) {
            do throws(PageFileFailure) { _ = try PageFile.bytes(file, limit: PageJSON.maximumSize) } catch {
                error.tell()
                throw ExitCode(PageFileFailure.status)
            }
        }
        var logger = Logger(label: "benji")
        logger.logLevel = .warning
        let token = Base64URL.encode(SystemRandomSource().bytes(16))
        let site = DesignerSite(
            token: token, port: port,
            start: {
                guard FileManager.default.fileExists(atPath: file) else { return StartPage.fullScreen.text }
                do throws(PageFileFailure) {
                    return String(decoding: try PageFile.bytes(file, limit: PageJSON.maximumSize), as: UTF8.self)
                } catch { throw PageDesigner.Refusal(.absent, "\(error)") }
            }, file: URL(fileURLWithPath: file).lastPathComponent,
            save: { text in
                do { try Data(text.utf8).write(to: URL(fileURLWithPath: file), options: .atomic) } catch {
                    throw PageDesigner.Refusal(
                        .failed, "\(file) cannot be written: \(CommandFile.writingProblem(file))")
                }
            }, logger: logger,
            onListening: { port in
                Terminal().print("Open http://127.0.0.1:\(port ?? 0)/\(token)/ in a browser. Stop with control C.")
            })
        let group = ServiceGroup(services: [site], gracefulShutdownSignals: [.sigint, .sigterm], logger: logger)
        try await group.run()
    }
}

import ArgumentParser
import BenjiClient
import BenjiProtocol
import BenjiTransportCurl
import Foundation
import ServerRuntime

/// The sandbox's address, and the form of the output.
struct SandboxOptions: ParsableArguments {
    /// Where `benji demo` serves its page unless told otherwise.
    static let usual = "http://127.0.0.1:8090"

    @Option(
        help: "The sandbox's page, as benji demo prints it. Else BENJI_SANDBOX in the environment, else \(usual).")
    var sandbox: String?
    @Flag(help: "Print JSON.") var json = false

    var client: SandboxClient {
        get throws {
            let text = sandbox ?? ProcessInfo.processInfo.environment["BENJI_SANDBOX"] ?? Self.usual
            do { return SandboxClient(server: try ServerURL(text)) } catch {
                throw ValidationError("--sandbox: \(error)")
            }
        }
    }
}

/// Speaks the sandbox's interface for scripts (docs/openapi/sandbox.yaml).
struct SandboxClient: Sendable {
    let server: ServerURL
    private let transport = CurlTransport()

    init(server: ServerURL) { self.server = server }

    /// - Returns: the answer; `null` if it was empty.
    @discardableResult
    func send(
        _ method: String, _ path: String, _ body: JSON? = nil, timeout: Duration = .seconds(100)
    ) async throws -> JSON {
        let response: TransportResponse
        do {
            response = try await transport.send(
                TransportRequest(
                    method: method, url: try ServerURL(server.origin + path),
                    headers: body == nil ? [:] : ["Content-Type": "application/json"], body: body?.serialized ?? []),
                timeout: timeout)
        } catch let error as TransportError {
            throw CommandFailure(
                "\(server.origin): \(error.detail)\nIs `benji demo` running? It prints where its page is; give that "
                    + "with --sandbox."
            )
        }
        let json = response.body.isEmpty ? JSON.null : try JSON(parsing: response.body)
        guard response.status < 300 else {
            throw CommandFailure(
                "\(json["code"]?.stringValue ?? "HTTP \(response.status)"): \(json["detail"]?.stringValue ?? "")")
        }
        return json
    }

    /// A phone's address in the interface, whatever was typed.
    static func path(of phone: String, _ more: String = "") throws -> String {
        // People say 1, the interface says phone-1.
        let id = Int(phone).map { "phone-\($0)" } ?? phone
        guard (1...40).contains(id.utf8.count),
            id.utf8.allSatisfy({ (0x61...0x7a).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2d })
        else { throw ValidationError("a phone is called phone-1, phone-2 …; see: benji phone list") }
        return "/api/phones/\(id)\(more)"
    }
}

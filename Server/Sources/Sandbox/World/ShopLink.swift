import Authority
package import BenjiClient
package import BenjiProtocol
import Requests
import ServerHTTP
import Synchronization

/// The line between an app's server and the authority, on which messages can be late or lost.
///
/// It listens where apps' servers believe the authority to be, and passes on from the app server's own address.
package final class ShopLink: Sendable {
    private let listener: ModemListener

    /// Where apps' servers call.
    package var url: ServerURL { listener.url }

    /// - Parameters:
    ///   - source: the address that the app has registered for its server.
    ///   - authority: where the authority listens for apps' servers.
    package init(
        source: InternetAddress, authority: ServerURL, wiring: SandboxWiring, port: UInt16 = 0
    ) async throws {
        let rules = ModemRules(port: .window(authority), reachable: [])
        listener = try await ModemListener(
            host: "127.0.0.1", port: Int(port),
            ModemListener.Service(
                exchange: { request in
                    let name = request.headers["Host"].flatMap(LoopbackCaller.name(inHost:))
                    guard name == "127.0.0.1" || name == "localhost" else {
                        return .refuse(421, "this server is 127.0.0.1")
                    }
                    switch rules.decide(request) {
                    case .refuse(let status, let text): return .refuse(status, text)
                    case .forward(let url):
                        guard await Self.passes(request, url.path, wiring) else { return .drop }
                        return await PhoneModem.carry(request, to: url, from: source, names: nil)
                    }
                }, tunnel: { _ in .failure(ModemRules.Refusal(status: 405, text: "this is no proxy")) }))
    }

    package func close() async { await listener.close() }

    private static func passes(_ request: ModemRequest, _ path: String, _ wiring: SandboxWiring) async -> Bool {
        guard let step = SandboxStep.of(request.method, path), step.isOfAppServer,
            let phone = credential(in: request, at: step).flatMap({ wiring.memory.phone(ofCredential: $0) })
                .flatMap({ wiring.phone($0) })
        else { return true }
        return await wiring.passes(phone, at: step, from: .sandbox)
    }

    /// The credential in a request of the app's server, by which the phone is known.
    private static func credential(in request: ModemRequest, at step: SandboxStep) -> String? {
        switch step {
        case .code: FormText.pairs(request.body)?.first { $0.name == "code" }?.value
        case .number: request.headers["Authorization"].flatMap { $0.split(separator: " ").last.map(String.init) }
        default:
            (try? JSON(parsing: request.body)).flatMap { json in
                json["token"]?.stringValue ?? json["body"]?["token"]?.stringValue
            }
        }
    }
}

import BenjiProtocol
import Foundation
import HTTPTypes
import Hummingbird
import ServerTestKit
import Synchronization
import Testing

@testable import Link
@testable import ServerHTTP

@Suite("A certificate of the link that is renewed")
struct LinkRenewalTests {
    private final class Seen: Sendable {
        let callers = Mutex<[(port: Int, name: String?)]>([])
    }

    @Test("calls share one connection until the certificate is renewed, and then one with the new certificate")
    func connections() async throws {
        let certificates = try await LinkCertificates()
        defer { certificates.remove() }
        let seen = Seen()
        let route = EndpointRoute(.get, LinkPath.erased.rawValue) { _, context in
            let name = await context.peerCertificate().flatMap(GatewayIdentity.name(in:))
            seen.callers.withLock { $0.append((Int(context.peer?.port ?? 0), name)) }
            return Response(LinkAnswer.answer(ErasedSubscriptions([]).json).json)
        }
        for name in ["gateway-1", "gateway-2"] {
            try await certificates.issue(name, for: name, usage: "clientAuth", names: "DNS:\(name)")
        }
        let name = Mutex("gateway-1")
        let tls = try RenewableTLS("mutual-tls") {
            let file = name.withLock { $0 }
            return try LinkTLS(
                certificatePath: certificates.path("\(file).pem"), keyPath: certificates.path("\(file).key"),
                authorityPath: certificates.path("link-ca.pem")
            ).clientIdentity
        }
        try await withListener([route], tls: try await certificates.authority().server, logger: LogBook().logger) {
            port in
            try await withRemote("https://127.0.0.1:\(port)", tls, logger: LogBook().logger) { remote in
                for _ in 0..<4 { _ = try await remote.erasedSubscriptions() }
                name.withLock { $0 = "gateway-2" }
                _ = tls.renew(at: Timestamp(seconds: Int64(Date().timeIntervalSince1970)))
                for _ in 0..<4 { _ = try await remote.erasedSubscriptions() }
            }
        }
        let callers = seen.callers.withLock { $0 }
        #expect(
            callers.map(\.name) == Array(repeating: "gateway-1", count: 4) + Array(repeating: "gateway-2", count: 4))
        #expect(Set(callers.map(\.port)).count == 2)
    }
}

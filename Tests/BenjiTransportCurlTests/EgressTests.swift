import BenjiClient
import BenjiProtocol
import BenjiTransportCurl
import Testing
import Waiting

@Suite("Leaving by one interface")
struct EgressTests {
    private let ok = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"

    private func send(_ egress: CurlTransport.Egress, _ url: ServerURL) async throws(TransportError)
        -> TransportResponse
    {
        try await CurlTransport(.init(egress: egress)).send(
            TransportRequest(method: "GET", url: url), timeout: Patience.limit)
    }

    @Test("an exchange bound to an interface that the server is on goes through, from that interface's address")
    func boundToInterface() async throws {
        let server = try LoopbackServer(.answer(ok))
        defer { server.stop() }
        let response = try await send(.interface("lo"), try server.url)
        #expect(response.localAddress == InternetAddress("127.0.0.1"))
        let transport = CurlTransport(.init(egress: .interface("lo")))
        #expect(try await transport.localAddress(towards: try server.url) == InternetAddress("127.0.0.1"))
    }

    @Test(
        "an interface that is missing is cellular unavailable, never another way out",
        arguments: [
            "wwan9", "", "a-name-longer-than-15-bytes", "lo\0x",
        ])
    func missingInterface(name: String) async throws {
        let server = try LoopbackServer(.answer(ok))
        defer { server.stop() }
        let unavailable = TransportError(.cellularUnavailable, at: "", "")
        await #expect(throws: unavailable) { try await send(.interface(name), try server.url) }
        await #expect(throws: unavailable) {
            try await CurlTransport(.init(egress: .interface(name))).localAddress(towards: try server.url)
        }
        #expect(server.connections.isEmpty)
    }

    @Test("an interface with no address that leads to the server is cellular unavailable at once, not a time-out")
    func noAddressTowardsServer() async throws {
        // The loopback's own addresses lead nowhere else; the kernel would send from another interface's.
        for text in ["http://192.0.2.1/", "http://[2001:db8::1]/"] {
            await #expect(throws: TransportError(.cellularUnavailable, at: "", "")) {
                try await CurlTransport(.init(egress: .interface("lo"))).localAddress(towards: try ServerURL(text))
            }
        }
    }

    @Test("an address that this machine does not have is cellular unavailable")
    func foreignAddress() async throws {
        let server = try LoopbackServer(.answer(ok))
        defer { server.stop() }
        // Documentation addresses (RFC 5737, RFC 3849): no machine has them.
        for text in ["192.0.2.1", "2001:db8::1"] {
            let egress = CurlTransport.Egress.sourceAddress(try #require(InternetAddress(text)))
            let unavailable = TransportError(.cellularUnavailable, at: "", "")
            await #expect(throws: unavailable) { try await send(egress, try server.url) }
            await #expect(throws: unavailable) {
                try await CurlTransport(.init(egress: egress)).localAddress(towards: try server.url)
            }
        }
        #expect(server.connections.isEmpty)
    }

    @Test("without a chosen way out, the address is the one that the kernel would use")
    func anyEgress() async throws {
        let transport = CurlTransport()
        #expect(
            try await transport.localAddress(towards: try ServerURL("http://127.0.0.1:9/"))
                == InternetAddress("127.0.0.1"))
        #expect(try await transport.localAddress(towards: try ServerURL("https://localhost/"))?.isLoopback == true)
    }

    @Test("a name without an address is not resolved")
    func unknownName() async throws {
        // RFC 6761: `.invalid` never has an address.
        let url = try ServerURL("http://gateway.invalid/")
        await #expect(throws: TransportError(.nameNotResolved, at: "", "")) { try await send(.any, url) }
        await #expect(throws: TransportError(.nameNotResolved, at: "", "")) {
            try await CurlTransport().localAddress(towards: url)
        }
    }
}

extension InternetAddress {
    fileprivate var isLoopback: Bool { self == InternetAddress("127.0.0.1") || self == InternetAddress("::1") }
}

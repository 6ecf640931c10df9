@_spi(Server) import BenjiProtocol
import Logging
import NIOConcurrencyHelpers
import NIOCore
import RADIUS
import ServerTestKit
import ServiceLifecycle
import Sightings
import Testing

@testable import Gateway

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A gateway behind its socket on loopback, as a service runs it.
struct GatewayRunTests {
    /// A NAS's UDP socket. The gateway answers it if its address is in `nas.*.sources`.
    private final class Line: Sendable {
        private let descriptor: Int32

        init(from address: String, to port: UInt16) throws {
            #if os(Linux)
            descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
            #else
            descriptor = socket(AF_INET, SOCK_DGRAM, 0)
            #endif
            let own = try SocketAddress(ipAddress: address, port: 0)
            let gateway = try SocketAddress(ipAddress: "127.0.0.1", port: Int(port))
            for (place, call) in [(own, bind), (gateway, connect)] {
                let result = place.withSockAddr { call(descriptor, $0, socklen_t($1)) }
                try #require(result == 0)
            }
        }

        deinit { _ = close(descriptor) }

        func say(_ bytes: [UInt8]) { _ = send(descriptor, bytes, bytes.count, 0) }

        /// Answers that have come.
        func received() -> Int {
            var buffer = [UInt8](repeating: 0, count: 4096)
            var count = 0
            while recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT)) > 0 { count += 1 }
            return count
        }
    }

    private static func configuration() -> GatewayConfiguration {
        var server = Network.server
        server.sources = [IPPrefix("127.0.0.1")!]
        var configuration = Network.configuration([server])
        configuration.listeners = [.init(address: InternetAddress("127.0.0.1")!, port: 0)]
        return configuration
    }

    /// Runs the gateway while `body` does.
    private func running(
        _ network: Network, _ body: (UInt16) async throws -> Void
    ) async throws {
        let gateway = network.gateway
        let ports = try await gateway.bind()
        #expect(ports.count == 1)
        #expect(try await gateway.bind() == ports, "it is bound already")
        let group = ServiceGroup(
            services: [gateway], logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let service = Task { try await group.run() }
        let result: Result<Void, any Error>
        do { result = .success(try await body(try #require(ports.first))) } catch { result = .failure(error) }
        await group.triggerGracefulShutdown()
        try await service.value
        try result.get()
    }

    @Test(
        "packets are answered through their socket, after the register was asked, and a heartbeat ends the journal"
    )
    func answers() async throws {
        let disk = MemoryDisk()
        var configuration = Self.configuration()
        configuration.journalPath = "journal"
        let book = LogBook()
        let network = try Network(configuration, disk: disk, logger: book.logger)
        try await running(network) { port in
            #expect(book.text.contains("listening for accounting") && !book.text.contains("torn"))
            let line = try Line(from: "127.0.0.1", to: port)
            line.say(
                try network.request(.start, "a", address: "10.0.0.1", number: "8613800000001").packet(
                    identifier: 1, secret: Network.secret))
            var answers = 0
            try await until {
                answers += line.received()
                return answers == 1
            }
            #expect(network.holder() == .success(1))
            network.clock.advance(by: 1)
            line.say(
                try network.request(.interimUpdate, "a", address: "10.0.0.1", number: "8613800000001").packet(
                    identifier: 2, secret: Network.secret))
            try await until {
                answers += line.received()
                return answers == 2
            }
            #expect(network.gateway.warnings.isEmpty && network.gateway.problem == nil)
            network.clock.advance(by: 2)
        }
        var heard: [Timestamp] = []
        var reader = JournalReader()
        reader.read(try #require(disk.contents("journal"))) { if case .heartbeat(let at) = $0 { heard.append(at) } }
        #expect(heard.last == network.clock.now)
    }

    @Test(
        "a gateway that runs counts each feed's sessions, sweeps, and forgets whom it is told to, though nobody sends")
    func upkeep() async throws {
        let network = try Network(Self.configuration())
        try await network.send(
            network.request(.start, "a", address: "10.0.0.1", number: "8613800000001"),
            from: InternetAddress("127.0.0.1")!)
        #expect(network.gateway.feeds[0].confirmation.sessions == 0)
        try await running(network) { _ in
            try await until { network.gateway.feeds[0].confirmation.sessions == 1 }
            network.gateway.forget([1])
            try await until { network.holder() == .failure(.unconfirmedAddress) }
        }
    }

    @Test("packets of strangers are counted and not answered, and put nobody in doubt")
    func strangers() async throws {
        let network = try Network(Self.configuration())
        try await network.send(
            network.request(.start, "known", address: "10.0.0.9", number: "8613800000009"),
            from: InternetAddress("127.0.0.1")!)
        try await running(network) { port in
            let line = try Line(from: "127.0.0.2", to: port)
            line.say(
                try network.request(.start, "a", address: "10.0.0.1", number: "8613800000001").packet(
                    identifier: 1, secret: Network.secret))
            try await until { network.gateway.counts.packets["unknown_nas"] == 1 }
            #expect(line.received() == 0 && network.gateway.counts.sessions == 1)
            #expect(network.holder("10.0.0.9") == .success(1))
        }
    }

    @Test("a gateway that does not own its pair answers nothing, counts it, and follows until it does")
    func pair() async throws {
        let pair = MemoryPair()
        pair.setFailing(true)
        var configuration = Self.configuration()
        configuration.isPaired = true
        let membership = PairMembership(service: pair.service(of: "gateway-1"), random: SeededRandom(seed: 11)) {
            pair.uptime.withLockedValue { $0 }
        }
        let network = try Network(configuration, pair: membership)
        try await running(network) { port in
            let line = try Line(from: "127.0.0.1", to: port)
            let packet = try network.request(.start, "a", address: "10.0.0.1", number: "8613800000001").packet(
                identifier: 1, secret: Network.secret)
            line.say(packet)
            try await until { network.gateway.counts.packets["unavailable"] == 1 }
            #expect(line.received() == 0 && network.gateway.counts.sessions == 0)
            #expect(network.gateway.problem != nil)
            pair.setFailing(false)
            pair.uptime.withLockedValue { $0 += .seconds(60) }
            try await until {
                pair.uptime.withLockedValue { $0 += .milliseconds(1) }
                return network.gateway.problem == nil
            }
            line.say(packet)
            try await until { line.received() == 1 }
            #expect(network.gateway.counts.sessions == 1)
        }
        #expect(pair.standing.owner == nil, "it was given back at the end")
    }

    @Test("a kernel that gives a smaller buffer than was asked for is named, and one that gives as much is not")
    func buffer() async throws {
        for (bytes, isNamed) in [(4096, false), (1 << 30, true)] {
            let book = LogBook(from: .warning)
            var configuration = Self.configuration()
            configuration.receiveBuffer = bytes
            let network = try Network(configuration, logger: book.logger)
            try await running(network) { _ in
                #expect(book.text.contains("raise net.core.rmem_max") == isNamed, "\(bytes)")
            }
        }
    }
}

@_spi(Server) import BenjiProtocol
import Crypto
import Foundation
import Logging
import NIOConcurrencyHelpers
import NIOCore
import NIOEmbedded
import NIOSSL
import NIOTLS
import RADIUS
import ServerTestKit
import Testing

@testable import Gateway

/// The clients that may open a connection. Both ends of TLS are in memory.
///
/// Attacks that the gateway itself stops succeed against ``NaiveGateway``. Attacks that TLS stops before any of our
/// code runs are shown to be attacks by a listener with a weaker setup.
struct RadSecTrustTests {
    /// Asks a certificate for nothing but a name: not who signed it, not when it counts, and not whether it is another
    /// NAS's too.
    fileprivate struct NaiveGateway {
        let servers: [NetworkAccessServer]

        /// The NAS that it takes the client for.
        func server(of client: CertificateMaker.Issued) -> Int? {
            guard let names = ClientCertificate(client.certificate)?.names else { return nil }
            return servers.firstIndex { $0.certificates.contains(where: names.contains) }
        }
    }

    /// A gateway's listener, without its socket.
    final class House {
        let authority: CertificateMaker
        let servers: [NetworkAccessServer]
        let listener: RadSecListener
        let queue: DatagramQueue
        let book = LogBook()
        let clock = TestClock(seconds: Int64(Date().timeIntervalSince1970))
        private let lost = NIOLockedValueBox<[Int]>([])
        private let faults = NIOLockedValueBox<[String]>([])
        private let refused = NIOLockedValueBox<[String]>([])
        /// The NAS and the count of packets for which the queue had no room.
        var shed: [String] { refused.withLockedValue { $0 } }
        /// The NAS and the reason of each connection that made no phone known.
        var noted: [String] { faults.withLockedValue { $0 } }
        /// NASes of connections that were ended with something unread.
        var brokenOff: [Int] { lost.withLockedValue { $0 } }

        init(
            _ names: [[ClientName]] = [[.host("pgw-1.core.example")]], limits: RadSecLimits = RadSecLimits(),
            oldestTLS: TLSVersion = .tlsv12, queueLimit: Int = 1000
        ) throws {
            queue = DatagramQueue(limit: queueLimit)
            authority = try CertificateMaker()
            let own = try authority.issue(hosts: ["gateway.example"])
            var configuration = TLSConfiguration.makeServerConfigurationWithMTLS(
                certificateChain: [.certificate(own.certificate)], privateKey: .privateKey(own.key),
                trustRoots: .certificates([authority.certificate]))
            configuration.minimumTLSVersion = oldestTLS
            let context = try NIOSSLContext(configuration: configuration)
            var settings = RadSecSettings(address: .init(address: InternetAddress("127.0.0.1")!)) { context }
            settings.limits = limits
            servers = names.enumerated().map { index, names in
                NetworkAccessServer(
                    name: "nas-\(index)", sources: [], certificates: names, secret: .radSec, domain: "cmnet",
                    pools: [IPPrefix("10.0.0.0/8")!], carrier: .mobile)
            }
            let (lost, faults, refused) = (lost, faults, refused)
            listener = RadSecListener(
                settings, servers: servers, queue: queue,
                observer: .init(
                    shed: { nas, count in refused.withLockedValue { $0.append("\(nas) \(count)") } },
                    brokenOff: { nas in lost.withLockedValue { $0.append(nas) } },
                    fault: { fault, nas in faults.withLockedValue { $0.append("\(nas) \(fault.reason)") } }),
                clock: clock, logger: book.logger)
        }

        /// A client that has said all it says by itself.
        func connect(
            _ client: CertificateMaker.Issued?, versions: ClosedRange<Int> = 2...3,
            sending bytes: [UInt8] = RadSecTrustTests.packet
        ) throws -> Call {
            let call = Call(loop)
            try listener.begin(call.server)
            call.server.connect(to: try SocketAddress(ipAddress: "192.0.2.1", port: 40_000), promise: nil)
            var configuration = TLSConfiguration.makeClientConfiguration()
            configuration.trustRoots = .certificates([authority.certificate])
            configuration.minimumTLSVersion = Self.versions[versions.lowerBound]
            configuration.maximumTLSVersion = Self.versions[versions.upperBound]
            if let client {
                configuration.certificateChain = [.certificate(client.certificate)]
                configuration.privateKey = .privateKey(client.key)
            }
            try call.client.pipeline.syncOperations.addHandler(
                NIOSSLClientHandler(
                    context: NIOSSLContext(configuration: configuration), serverHostname: "gateway.example"))
            call.client.connect(to: try SocketAddress(ipAddress: "192.0.2.2", port: 2083), promise: nil)
            call.client.writeAndFlush(ByteBuffer(bytes: bytes), promise: nil)
            call.settle()
            return call
        }

        private let loop = EmbeddedEventLoop()
        private static let versions: [TLSVersion] = [.tlsv1, .tlsv11, .tlsv12, .tlsv13]

        fileprivate var naive: NaiveGateway { NaiveGateway(servers: servers) }

        /// The NASes whose packets have come.
        func taken() async -> [Int] {
            queue.wake()
            return await queue.next()?.envelopes.compactMap(\.connection?.nas) ?? []
        }
    }

    final class Call {
        let client: EmbeddedChannel
        let server: EmbeddedChannel

        init(_ loop: EmbeddedEventLoop) {
            client = EmbeddedChannel(loop: loop)
            server = EmbeddedChannel(loop: loop)
        }

        /// Carries bytes between the ends until there are none.
        func settle() {
            for _ in 0..<20 {
                var isQuiet = true
                while let bytes = try? client.readOutbound(as: ByteBuffer.self) {
                    isQuiet = false
                    _ = try? server.writeInbound(bytes)
                }
                while let bytes = try? server.readOutbound(as: ByteBuffer.self) {
                    isQuiet = false
                    _ = try? client.writeInbound(bytes)
                }
                server.embeddedEventLoop.run()
                if isQuiet { return }
            }
        }
    }

    static let packet = [4, 1, 0, 20] + [UInt8](repeating: 0, count: 16)

    /// Whether packets of a client with this certificate are taken.
    private func isTaken(_ house: House, _ client: CertificateMaker.Issued?) async throws -> Bool {
        _ = try house.connect(client)
        return await house.taken() == [0]
    }

    @Test("a certificate of the authority with the NAS's name opens a connection", arguments: [2...2, 3...3])
    func named(versions: ClosedRange<Int>) async throws {
        let house = try House()
        let call = try house.connect(
            try house.authority.issue(hosts: ["PGW-1.core.example"]), versions: versions)
        #expect(await house.taken() == [0])
        // And answers come back on it.
        var answers = AnswerBatch()
        answers.bytes = [5, 1, 0, 20]
        answers.end(
            from: 0,
            to: .init(range: 0..<20, source: Network.source, port: 1, socket: -1, connection: .init(number: 1, nas: 0)))
        house.listener.send(answers)
        call.settle()
        #expect(try call.client.readInbound(as: ByteBuffer.self) == ByteBuffer(bytes: [5, 1, 0, 20]))
    }

    @Test("a URI, a fingerprint, or the common name where there is nothing better, names a NAS as well")
    func otherNames() async throws {
        let maker = try CertificateMaker()
        let pinned = try maker.issue()
        let fingerprint = ClientName.fingerprint(Array(SHA256.hash(data: try pinned.certificate.toDERBytes())))
        #expect(ClientName(fingerprint.description) == fingerprint)
        let house = try House([[.uri("urn:example:pgw-1"), .host("pgw-2.example")]])
        #expect(try await isTaken(house, try house.authority.issue(uris: ["urn:example:pgw-1"])))
        #expect(try await isTaken(house, try house.authority.issue(common: "pgw-2.example")))
        #expect(try await !isTaken(house, try house.authority.issue(uris: ["urn:example:PGW-1"])))
        let certificate = try #require(ClientCertificate(pinned.certificate))
        #expect(certificate.names.contains(fingerprint))
        #expect(certificate.server(of: [server([fingerprint])]) == 0)
        let another = try #require(ClientCertificate(try maker.issue().certificate))
        #expect(another.server(of: [server([fingerprint])]) == nil)
    }

    private func server(_ names: [ClientName]) -> NetworkAccessServer {
        NetworkAccessServer(
            name: "pgw", sources: [], certificates: names, secret: .radSec, domain: "cmnet",
            pools: [IPPrefix("10.0.0.0/8")!], carrier: .mobile)
    }

    @Test("no certificate, or one of another authority, is refused in the handshake, whatever it says")
    func strangers() async throws {
        let house = try House()
        let other = try CertificateMaker()
        // Without a certificate there is no name either, so that a double would have nothing to take it by.
        #expect(try await !isTaken(house, nil))
        let client = try other.issue(hosts: ["pgw-1.core.example"])
        #expect(try await !isTaken(house, client))
        #expect(house.naive.server(of: client) == 0)
    }

    @Test(
        "a certificate that has expired, or does not count yet, opens nothing",
        arguments: [-7200.0 ... -3600.0, 3600...7200])
    func dates(valid: ClosedRange<TimeInterval>) async throws {
        let house = try House()
        let client = try house.authority.issue(hosts: ["pgw-1.core.example"], valid: valid)
        #expect(try await !isTaken(house, client))
        #expect(house.naive.server(of: client) == 0)
    }

    @Test("a certificate that the handshake has found good counts no longer than it says by the gateway's clock")
    func clock() async throws {
        let house = try House()
        let client = try house.authority.issue(hosts: ["pgw-1.core.example"])
        house.clock.advance(by: 7200)
        #expect(try await !isTaken(house, client))
        #expect(house.noted == ["0 certificate_expired"], "the operator learns which NAS it is")
        // A gateway that leaves dates to the handshake accepts it: the handshake used the machine's clock.
        #expect(house.naive.server(of: client) == 0)
    }

    @Test("a certificate that expires while its connection is open ends it, and the operator learns which NAS it is")
    func expiresWhileOpen() async throws {
        let house = try House()
        let call = try house.connect(try house.authority.issue(hosts: ["pgw-1.core.example"]))
        #expect(await house.taken() == [0])
        #expect(house.noted.isEmpty && call.server.isActive)
        house.clock.advance(by: 7200)
        call.client.writeAndFlush(ByteBuffer(bytes: Self.packet), promise: nil)
        call.settle()
        #expect(house.noted == ["0 certificate_expired"] && !call.server.isActive)
        #expect(await house.taken().isEmpty)
    }

    /// Names that are not pgw-1.core.example, each with a gateway that would take it for that.
    private static let similar: [(host: String, common: String, naive: @Sendable (Set<ClientName>) -> Bool)] = [
        ("evil-pgw-1.core.example", "x", { $0.contains { "\($0)".hasSuffix("pgw-1.core.example") } }),
        ("x.pgw-1.core.example", "x", { $0.contains { "\($0)".hasSuffix(".core.example") } }),
        ("pgw-1.core.example.evil.example", "x", { $0.contains { "\($0)".hasPrefix("pgw-1.core.example") } }),
        ("*.core.example", "x", { $0.contains { "\($0)" == "*.core.example" || "\($0)" == "pgw-1.core.example" } }),
        (
            "pgw-1.core.example\0.evil.example", "x",
            { $0.contains { "\($0)".prefix { $0 != "\0" } == "pgw-1.core.example" } }
        ),
        ("pgw-2.core.example", "pgw-1.core.example", { !$0.isEmpty }),
    ]

    @Test(
        "a name that is only like the NAS's opens nothing, though a careless comparison would take it", arguments: 0..<6
    )
    func similarNames(index: Int) async throws {
        let house = try House()
        let (host, common, naive) = Self.similar[index]
        let client = try house.authority.issue(common: common, hosts: [host])
        #expect(try await !isTaken(house, client))
        let names = try #require(ClientCertificate(client.certificate)).names
        #expect(naive(names))
    }

    @Test("signs that Unicode takes for ASCII's are other bytes, and open nothing")
    func unicode() async throws {
        let kelvin = "\u{212a}.core.example"
        let house = try House([[.host("k.core.example")]])
        #expect(try await !isTaken(house, try house.authority.issue(common: kelvin)))
        #expect(try await isTaken(house, try house.authority.issue(common: "K.core.example")))
        #expect(ClientName(certificateHost: Array(kelvin.utf8)) == nil)
        let uri = "urn:example:pgw\u{37e}1"
        #expect(ClientName(certificateURI: Array(uri.utf8)) == nil)
        #expect(ClientName(certificateURI: Array("urn:example:pgw;1".utf8)) == .uri("urn:example:pgw;1"))
        // A comparison of texts accepts both.
        #expect(kelvin.lowercased() == "k.core.example" && uri == "urn:example:pgw;1")
    }

    @Test("a certificate with the names of two NASes is neither's")
    func two() async throws {
        let house = try House([[.host("a.example")], [.host("b.example")]])
        let both = try house.authority.issue(hosts: ["a.example", "b.example"])
        _ = try house.connect(both)
        #expect(await house.taken().isEmpty)
        #expect(house.naive.server(of: both) == 0, "as the first that it finds")
        _ = try house.connect(try house.authority.issue(hosts: ["b.example"]))
        #expect(await house.taken() == [1])
    }

    @Test("TLS older than 1.2 opens nothing")
    func oldVersions() async throws {
        for (oldest, taken) in [(TLSVersion.tlsv12, []), (.tlsv1, [0])] {
            // The second is the double: a listener that is set up to take what the TLS library can still speak.
            let house = try House(oldestTLS: oldest)
            _ = try house.connect(try house.authority.issue(hosts: ["pgw-1.core.example"]), versions: 0...1)
            #expect(await house.taken() == taken)
        }
    }

    @Test("bytes that are no TLS end a connection")
    func plain() async throws {
        let house = try House()
        let channel = EmbeddedChannel()
        try house.listener.begin(channel)
        channel.connect(to: try SocketAddress(ipAddress: "192.0.2.1", port: 40_000), promise: nil)
        _ = try? channel.writeInbound(ByteBuffer(bytes: Self.packet))
        channel.embeddedEventLoop.run()
        #expect(!channel.isActive)
        #expect(await house.taken().isEmpty)
        // A listener without TLS (RFC 6613) takes the same bytes for a packet.
        var stream = PacketStream()
        stream.append(Self.packet)
        #expect(try stream.next() != nil)
    }

    @Test("a NAS has as many connections as the limit says: a further one ends its oldest, and no other NAS's")
    func limit() async throws {
        var limits = RadSecLimits()
        limits.connectionsPerServer = 2
        let house = try House([[.host("a.example")], [.host("b.example")]], limits: limits)
        let (a, b) = (try house.authority.issue(hosts: ["a.example"]), try house.authority.issue(hosts: ["b.example"]))
        let calls = try [a, b, a, a].map { try house.connect($0) }
        for call in calls { call.settle() }
        #expect(calls.map(\.server.isActive) == [false, true, true, true])
        #expect(await house.taken() == [0, 1, 0, 0])
        #expect(house.brokenOff.isEmpty)
    }

    @Test("strangers who say nothing make room for those that come after, and take none from NASes")
    func strangersMakeRoom() async throws {
        var limits = RadSecLimits()
        limits.strangers = 2
        let house = try House(limits: limits)
        let call = try house.connect(try house.authority.issue(hosts: ["pgw-1.core.example"]))
        let silent = (0..<3).map { _ in EmbeddedChannel() }
        for channel in silent {
            try house.listener.begin(channel)
            channel.connect(to: try SocketAddress(ipAddress: "192.0.2.9", port: 40_000), promise: nil)
        }
        silent[0].embeddedEventLoop.advanceTime(by: .seconds(6))
        #expect(silent.map(\.isActive) == [false, true, true])
        #expect(call.server.isActive)
    }

    @Test("what is no name, URI or fingerprint is no setting")
    func settings() {
        for text in [
            "", "*.core.example", "a b", "sha256:12", "sha256:" + String(repeating: "g", count: 64), "本机.example",
        ] {
            #expect(ClientName(text) == nil, "\(text)")
        }
        let colons = "SHA256:" + (0..<32).map { _ in "aB" }.joined(separator: ":")
        #expect(ClientName(colons) == .fingerprint([UInt8](repeating: 0xab, count: 32)))
        #expect(ClientName("PGW-1.Core.Example") == .host("pgw-1.core.example"))
        #expect(ClientName("urn:example:PGW") == .uri("urn:example:PGW"))
    }
}

@_spi(Server) import BenjiProtocol
import Dispatch
import Glibc
import NIOConcurrencyHelpers
import NIOCore
import Testing

@testable import Gateway

/// Real sockets on the loopback.
struct AccountingListenerTests {
    private static let v4 = InternetAddress("127.0.0.1")!

    /// A NAS's socket.
    private final class Sender {
        let descriptor: Int32
        let address: InternetAddress
        let port: UInt16

        init(_ address: InternetAddress = v4) throws {
            let own = try AccountingSocket.open(address, port: 0, filter: nil, receiveBuffer: 100_000)
            (descriptor, self.address, port) = (own.descriptor, address, try own.port)
        }

        deinit { close(descriptor) }

        func send(_ bytes: [UInt8], to port: UInt16) throws {
            let peer = try SocketAddress(
                packedIPAddress: ByteBuffer(bytes: address.bytes.dropLast() + [1]), port: Int(port))
            let sent = bytes.withUnsafeBytes { bytes in
                peer.withSockAddr { sendto(descriptor, bytes.baseAddress, bytes.count, 0, $0, socklen_t($1)) }
            }
            #expect(sent == bytes.count)
        }

        /// The received datagrams. On the loopback they are there as soon as they were sent.
        var received: [[UInt8]] {
            var all: [[UInt8]] = []
            var piece = [UInt8](repeating: 0, count: 5000)
            while true {
                let count = recv(descriptor, &piece, piece.count, 0)
                guard count >= 0 else { return all }
                all.append(Array(piece[..<count]))
            }
        }
    }

    /// A listener, and the events that it reports.
    private final class World: Sendable {
        let queue: DatagramQueue
        let listener: AccountingListener
        private let asked = NIOLockedValueBox<[InternetAddress]>([])
        private let refused = NIOLockedValueBox<[InternetAddress]>([])
        private let looks: AsyncStream<DropWatch.Look>
        /// Blocks the thread that reads at the first packet of the source that is asked about.
        let gate: DispatchSemaphore?

        init(
            _ listeners: [InternetAddress] = [v4], sources: [IPPrefix] = [IPPrefix("127.0.0.1")!],
            known: [IPPrefix]? = nil, queueLimit: Int = 1000, receiveBuffer: Int = 100_000, blocks: Bool = false
        ) throws {
            queue = DatagramQueue(limit: queueLimit)
            let (looks, said) = AsyncStream.makeStream(of: DropWatch.Look.self)
            self.looks = looks
            let gate = blocks ? DispatchSemaphore(value: 0) : nil
            self.gate = gate
            let (asked, refused) = (asked, refused)
            let known = known ?? sources
            listener = try AccountingListener.bind(
                listeners.map { .init(address: $0, port: 0) }, sources: sources, receiveBuffer: receiveBuffer,
                queue: queue,
                observer: .init(
                    isKnown: { source in
                        let isFirst = asked.withLockedValue { asked in
                            asked.append(source)
                            return asked.count == 1
                        }
                        if isFirst { gate?.wait() }
                        return known.contains { $0.contains(source) }
                    },
                    shed: { sources in refused.withLockedValue { $0 += sources } },
                    dropped: { said.yield($0) }))
        }

        /// The sources that were asked about.
        var questions: [InternetAddress] { asked.withLockedValue { $0 } }
        /// The sources of packets for which the queue had no room.
        var shed: [InternetAddress] { refused.withLockedValue { $0 } }

        /// The next report of packets that the kernel dropped.
        func look() async -> DropWatch.Look? {
            listener.look()
            for await look in looks { return look }
            return nil
        }

        /// So many packets, in the order in which they came.
        func packets(_ count: Int) async -> [(envelope: DatagramBatch.Envelope, bytes: [UInt8])] {
            var all: [(DatagramBatch.Envelope, [UInt8])] = []
            while all.count < count, let batch = await queue.next() { all += zip(batch.envelopes, batch.all) }
            return all
        }
    }

    @Test("more packets than one call reads, and than a socket's turn has, all come in their order")
    func many() async throws {
        let world = try World([Self.v4, Self.v4], queueLimit: 10_000, receiveBuffer: 8 << 20, blocks: true)
        let sender = try Sender()
        for number in 0..<150 {
            try sender.send([UInt8(number), UInt8(number % 2)], to: world.listener.ports[0])
        }
        world.gate?.signal()
        let packets = await world.packets(150)
        #expect(packets.map(\.bytes) == (0..<150).map { [UInt8($0), UInt8($0 % 2)] })
        #expect(world.questions == [Self.v4], "a source that is known is asked about once")
        try sender.send([1], to: world.listener.ports[1])
        #expect(await world.packets(1).map(\.envelope.socket) == [1])
        await world.listener.close()
    }

    @Test("who is not listed is kept out by the kernel, or else by us, packet by packet")
    func strangers() async throws {
        let world = try World(receiveBuffer: 8 << 20)
        let (stranger, known) = (try Sender(InternetAddress("127.0.0.2")!), try Sender())
        for _ in 0..<3 { try stranger.send([9], to: world.listener.ports[0]) }
        #expect(await world.look() == DropWatch.Look(lost: 0, keptOut: 3))
        try known.send([1], to: world.listener.ports[0])
        #expect(await world.packets(1).map(\.bytes) == [[1]] && world.questions == [Self.v4])
        await world.listener.close()

        // More sources than a filter can hold.
        let sources = (0..<2000).map { IPPrefix(address: InternetAddress(v4Value: UInt32($0) << 8), length: 24)! }
        let open = try World(sources: sources, known: [IPPrefix("127.0.0.1")!])
        #expect(open.listener.filterProblem == "more sources than a filter of the kernel can hold")
        for (sender, byte) in [(0, 9), (0, 9), (1, 1), (1, 2), (0, 9), (1, 3)] as [(Int, UInt8)] {
            if sender == 0 {
                try stranger.send([byte], to: open.listener.ports[0])
            } else {
                try known.send([byte], to: open.listener.ports[0])
            }
        }
        #expect(await open.packets(3).map(\.bytes) == [[1], [2], [3]])
        #expect(open.questions.map(\.bytes[3]) == [2, 2, 1, 2, 1])
        await open.listener.close()
    }

    @Test("packets for which the queue has no room are told by their sources")
    func shed() async throws {
        let world = try World(queueLimit: 2, blocks: true)
        let sender = try Sender()
        for number in 0..<5 { try sender.send([UInt8(number)], to: world.listener.ports[0]) }
        world.gate?.signal()
        var bytes = await world.packets(2).map(\.bytes)
        // The first one may have come alone.
        while bytes.count + world.shed.count < 5 {
            world.queue.wake()
            bytes += await world.queue.next()?.all ?? []
        }
        #expect(bytes.count >= 2 && world.shed.allSatisfy { $0 == Self.v4 } && !world.shed.isEmpty)
        await world.listener.close()
    }

    @Test("a port that is taken, or an address that is not ours, is the system's error")
    func refused() throws {
        let first = try AccountingSocket.open(Self.v4, port: 0, filter: nil, receiveBuffer: 100_000)
        defer { first.close() }
        #expect(first.receiveBuffer == 100_000)
        #expect(first.filterProblem == "more sources than a filter of the kernel can hold")
        let state = try #require(first.state)
        #expect(state == DropWatch.Socket(drops: 0, taken: 0, room: 200_000))
        #expect(AccountingSocket.systemErrors() != nil)
        let port = try first.port
        for (address, code) in [(Self.v4, EADDRINUSE), (InternetAddress("192.0.2.1")!, EADDRNOTAVAIL)] {
            let error = #expect(throws: IOError.self) {
                try AccountingSocket.open(address, port: port, filter: nil, receiveBuffer: 100_000)
            }
            #expect(error?.errnoCode == code)
            // None is bound if one cannot be.
            #expect(throws: IOError.self) {
                try AccountingListener.bind(
                    [.init(address: Self.v4, port: 0), .init(address: address, port: port)], sources: [],
                    receiveBuffer: 1, queue: DatagramQueue(limit: 1),
                    observer: .init(isKnown: { _ in true }, shed: { _ in }, dropped: { _ in }))
            }
        }
    }

    @Test("before it runs, a gateway learns which buffer the system gives and that strangers are kept out")
    func examination() throws {
        var configuration = Network.configuration()
        configuration.receiveBuffer = 100_000
        let system = try AccountingSystem.examine(configuration)
        #expect(system == AccountingSystem(receiveBuffer: 100_000, filterProblem: nil))
    }
}

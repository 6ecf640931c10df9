import BenjiProtocol
import NIOCore
import NIOPosix

/// The UDP sockets that accounting is heard on. They carry bytes to a queue and answers back, and decide nothing.
struct AccountingListener: Sendable {
    private let channels: [any Channel]
    /// The ports that were bound, in the order of the configuration.
    let ports: [UInt16]

    /// Binds all sockets, or none.
    /// - Parameters:
    ///   - isKnown: whether packets from an address are to be heard at all.
    ///   - shed: is told of packets for which the queue had no room.
    static func bind(
        _ listeners: [GatewayConfiguration.Listener], group: any EventLoopGroup, queue: DatagramQueue,
        isKnown: @escaping @Sendable (InternetAddress) -> Bool, shed: @escaping @Sendable ([Datagram]) -> Void
    ) async throws -> AccountingListener {
        var channels: [any Channel] = []
        var ports: [UInt16] = []
        do {
            for (index, listener) in listeners.enumerated() {
                let channel = try await DatagramBootstrap(group: group)
                    .channelOption(.socketOption(.so_rcvbuf), value: 8 << 20)
                    .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 4096 * 32))
                    .channelOption(.datagramVectorReadMessageCount, value: 32)
                    .channelInitializer { channel in
                        channel.eventLoop.makeCompletedFuture {
                            try channel.pipeline.syncOperations.addHandler(
                                BurstHandler(socket: index, queue: queue, isKnown: isKnown, shed: shed))
                        }
                    }
                    .bind(host: listener.address.description, port: Int(listener.port)).get()
                channels.append(channel)
                ports.append(UInt16(clamping: channel.localAddress?.port ?? 0))
            }
        } catch {
            for channel in channels { try? await channel.close() }
            throw error
        }
        return AccountingListener(channels: channels, ports: ports)
    }

    /// Sends answers back through the sockets that their requests came through. An answer that cannot be sent is asked
    /// for again.
    func send(_ answers: [(datagram: Datagram, bytes: [UInt8])]) {
        for (socket, own) in Dictionary(grouping: answers, by: \.datagram.socket) {
            guard channels.indices.contains(socket) else { continue }
            let channel = channels[socket]
            // One turn of the event loop for all of them.
            channel.eventLoop.execute {
                var destinations: [Destination: SocketAddress] = [:]
                for (datagram, bytes) in own {
                    let destination = Destination(address: datagram.source, port: datagram.port)
                    if destinations[destination] == nil { destinations[destination] = destination.socketAddress }
                    guard let address = destinations[destination] else { continue }
                    let data = channel.allocator.buffer(bytes: bytes)
                    channel.write(AddressedEnvelope(remoteAddress: address, data: data), promise: nil)
                }
                channel.flush()
            }
        }
    }

    private struct Destination: Hashable {
        let address: InternetAddress
        let port: UInt16

        var socketAddress: SocketAddress? {
            try? SocketAddress(packedIPAddress: ByteBuffer(bytes: address.bytes), port: Int(port))
        }
    }

    func close() async {
        for channel in channels { try? await channel.close() }
    }
}

/// Gathers what one read of a socket brings and hands it over at once.
private final class BurstHandler: ChannelInboundHandler {
    typealias InboundIn = AddressedEnvelope<ByteBuffer>

    private let socket: Int
    private let queue: DatagramQueue
    private let isKnown: @Sendable (InternetAddress) -> Bool
    private let shed: @Sendable ([Datagram]) -> Void
    private var burst: [Datagram] = []

    init(
        socket: Int, queue: DatagramQueue, isKnown: @escaping @Sendable (InternetAddress) -> Bool,
        shed: @escaping @Sendable ([Datagram]) -> Void
    ) {
        self.socket = socket
        self.queue = queue
        self.isKnown = isKnown
        self.shed = shed
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let envelope = unwrapInboundIn(data)
        guard let source = InternetAddress(envelope.remoteAddress), let port = envelope.remoteAddress.port else {
            return
        }
        // A stranger's flood must not fill the queue.
        guard isKnown(source) else { return }
        burst.append(
            Datagram(
                bytes: Array(envelope.data.readableBytesView), source: source, port: UInt16(clamping: port),
                socket: socket))
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        guard !burst.isEmpty else { return }
        let lost = queue.offer(burst)
        burst.removeAll(keepingCapacity: true)
        if !lost.isEmpty { shed(lost) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // A datagram socket reports earlier answers that could not be delivered (ICMP). It stays open.
    }
}

extension InternetAddress {
    /// The address of a socket address, without its zone.
    init?(_ address: SocketAddress) {
        // Where sockaddr_in and sockaddr_in6 have it, on Linux as on Darwin.
        let place: Range<Int>
        switch address {
        case .v4: place = 4..<8
        case .v6: place = 8..<24
        case .unixDomainSocket: return nil
        }
        self.init(bytes: address.withSockAddr { Array(UnsafeRawBufferPointer(start: $0, count: $1)[place]) })
    }
}

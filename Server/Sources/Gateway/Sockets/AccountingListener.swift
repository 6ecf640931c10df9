import BenjiProtocol
import NIOCore
import NIOPosix

/// The UDP sockets that accounting is heard on. They carry bytes to a queue and answers back, and decide nothing.
struct AccountingListener: Sendable {
    /// What is told of packets on their way to the queue.
    struct Observer: Sendable {
        /// Whether packets from an address are to be heard at all. The kernel has asked already if it took the filter.
        var isKnown: @Sendable (InternetAddress) -> Bool
        /// Packets for which the queue had no room.
        var shed: @Sendable ([Datagram]) -> Void
        /// What the kernel dropped, before the packets that came after it are in the queue.
        var dropped: @Sendable (DropWatch.Look) -> Void
    }

    private let channels: [any Channel]
    /// The ports that were bound, in the order of the configuration.
    let ports: [UInt16]
    /// The smallest buffer that the kernel gave, in bytes.
    let receiveBuffer: Int
    /// Why the kernel does not keep strangers out; `nil` if it does.
    let filterProblem: String?

    /// Binds all sockets, or none.
    static func bind(
        _ listeners: [GatewayConfiguration.Listener], sources: [IPPrefix], receiveBuffer: Int,
        group: any EventLoopGroup, queue: DatagramQueue, observer: Observer
    ) async throws -> AccountingListener {
        var channels: [any Channel] = []
        var ports: [UInt16] = []
        var opened: [AccountingSocket] = []
        let filter = SourceFilter(sources)
        do {
            for (index, listener) in listeners.enumerated() {
                let own = try AccountingSocket.open(
                    listener.address, port: listener.port, filter: filter, receiveBuffer: receiveBuffer)
                opened.append(own)
                let channel = try await DatagramBootstrap(group: group)
                    .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 4096 * 32))
                    .channelOption(.datagramVectorReadMessageCount, value: 32)
                    .channelInitializer { channel in
                        channel.eventLoop.makeCompletedFuture {
                            try channel.pipeline.syncOperations.addHandler(
                                BurstHandler(socket: own, number: index, queue: queue, observer: observer))
                        }
                    }
                    .withBoundSocket(own.descriptor).get()
                channels.append(channel)
                ports.append(UInt16(clamping: channel.localAddress?.port ?? 0))
            }
        } catch {
            for channel in channels { try? await channel.close() }
            throw error
        }
        return AccountingListener(
            channels: channels, ports: ports, receiveBuffer: opened.map(\.receiveBuffer).min() ?? 0,
            filterProblem: opened.compactMap(\.filterProblem).first)
    }

    /// Asks the kernel what it dropped, also when nothing comes through.
    func look() {
        for channel in channels {
            channel.eventLoop.execute { channel.pipeline.fireUserInboundEventTriggered(BurstHandler.Look()) }
        }
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

    /// Time to ask the kernel what it dropped.
    struct Look: Sendable {}

    private let socket: AccountingSocket
    private let number: Int
    private let queue: DatagramQueue
    private let observer: AccountingListener.Observer
    private var watch: DropWatch
    private var burst: [Datagram] = []
    /// The memory that packets took in the socket's buffer which were read since the kernel was last asked: more than any
    /// network driver takes for a packet.
    private var read = 0
    private static let maximumOverhead = 8192

    init(socket: AccountingSocket, number: Int, queue: DatagramQueue, observer: AccountingListener.Observer) {
        self.socket = socket
        self.number = number
        self.queue = queue
        self.observer = observer
        // Read first, so that nothing which is dropped meanwhile is missed.
        let errors = AccountingSocket.systemErrors()
        watch = DropWatch(hasFilter: socket.filterProblem == nil, drops: 0, errors: errors)
    }

    private func look() {
        guard let state = socket.state else { return }
        let seen = watch.look(state, read: read, readErrors: AccountingSocket.systemErrors)
        read = 0
        if seen != DropWatch.Look() { observer.dropped(seen) }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard event is Look else { return context.fireUserInboundEventTriggered(event) }
        if context.channel.isActive { look() }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let envelope = unwrapInboundIn(data)
        read += Self.maximumOverhead + 2 * envelope.data.readableBytes
        guard let source = InternetAddress(envelope.remoteAddress), let port = envelope.remoteAddress.port else {
            return
        }
        // A stranger's flood must not fill the queue.
        guard observer.isKnown(source) else { return }
        burst.append(
            Datagram(
                bytes: Array(envelope.data.readableBytesView), source: source, port: UInt16(clamping: port),
                socket: number))
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        // Before the queue has the packets: none that came after a loss may count as heard before it.
        look()
        guard !burst.isEmpty else { return }
        let lost = queue.offer(burst)
        burst.removeAll(keepingCapacity: true)
        if !lost.isEmpty { observer.shed(lost) }
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

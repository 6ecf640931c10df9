import BenjiProtocol
import CDatagrams
import NIOPosix

/// The UDP sockets that accounting is heard on. They carry bytes to a queue and answers back, and decide nothing.
struct AccountingListener: Sendable {
    /// Receives notice of packets on their way to the queue.
    struct Observer: Sendable {
        /// Whether packets from an address are to be heard at all. The kernel has asked already if it took the filter.
        var isKnown: @Sendable (InternetAddress) -> Bool
        /// Sources of packets for which the queue had no room.
        var shed: @Sendable ([InternetAddress]) -> Void
        /// Reports the kernel's drops, before the packets that came after them are in the queue.
        var dropped: @Sendable (DropWatch.Look) -> Void
    }

    private let sockets: [AccountingSocket]
    private let reader: AccountingReader
    private let thread: NIOThreadPool
    /// The ports that were bound, in the order of the configuration.
    let ports: [UInt16]

    /// How long answers wait for room in a socket's buffer, in milliseconds, before the NAS must ask for them again.
    private static let patience: Int32 = 100

    /// The smallest buffer that the kernel gave, in bytes.
    var receiveBuffer: Int { sockets.map(\.receiveBuffer).min() ?? 0 }
    /// Why the kernel does not filter unknown senders; `nil` if it does.
    var filterProblem: String? { sockets.compactMap(\.filterProblem).first }

    /// Binds all sockets, or none.
    static func bind(
        _ listeners: [GatewayConfiguration.AccountingAddress], sources: [IPPrefix], receiveBuffer: Int,
        queue: DatagramQueue, observer: Observer
    ) throws -> AccountingListener {
        var sockets: [AccountingSocket] = []
        let filter = SourceFilter(sources)
        do {
            for listener in listeners {
                sockets.append(
                    try AccountingSocket.open(
                        listener.address, port: listener.port, filter: filter, receiveBuffer: receiveBuffer))
            }
            let ports = try sockets.map { try $0.port }
            let reader = try AccountingReader(sockets, queue: queue, observer: observer)
            let thread = NIOThreadPool(numberOfThreads: 1)
            thread.start()
            thread.submit { _ in reader.run() }
            return AccountingListener(sockets: sockets, reader: reader, thread: thread, ports: ports)
        } catch {
            for socket in sockets { socket.close() }
            throw error
        }
    }

    private init(sockets: [AccountingSocket], reader: AccountingReader, thread: NIOThreadPool, ports: [UInt16]) {
        (self.sockets, self.reader, self.thread, self.ports) = (sockets, reader, thread, ports)
    }

    /// Asks the kernel what it dropped, also when nothing comes through.
    func look() { reader.look() }

    /// Sends answers back through the sockets that their requests came through. An answer that cannot be sent is asked
    /// for again.
    func send(_ answers: AnswerBatch) {
        guard answers.hasDatagrams else { return }
        let (bytes, bursts) = answers.ordered(limit: Int(DATAGRAMS_MOST_SEGMENTS))
        bytes.withUnsafeBufferPointer { bytes in
            guard let start = bytes.baseAddress else { return }
            for (index, socket) in sockets.enumerated() {
                let own = bursts.filter { $0.destination.socket == index }.map { burst in
                    datagrams_burst(
                        peer: datagrams_peer(burst.destination), bytes: start + burst.range.lowerBound,
                        length: UInt32(burst.range.count), segment: UInt16(clamping: burst.segment))
                }
                datagrams_send(socket.descriptor, own, own.count, Self.patience)
            }
        }
    }

    func close() async {
        reader.stop()
        try? await thread.shutdownGracefully()
        for socket in sockets { socket.close() }
        reader.close()
    }
}

extension datagrams_peer {
    fileprivate init(_ destination: AnswerBatch.Destination) {
        self.init()
        port = destination.port
        is_v6 = destination.address.family == .v6 ? 1 : 0
        withUnsafeMutableBytes(of: &address) { $0.copyBytes(from: destination.address.bytes) }
    }
}

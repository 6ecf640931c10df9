@_spi(Server) import BenjiProtocol
import Logging
import Metrics
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import NIOSSL

/// Takes connections of NASes over TLS (RFC 6614) beside the sockets of datagrams. It carries packets to the same queue
/// and answers back, and decides only who has opened a connection.
final class RadSecListener: Sendable {
    /// Receives notice of packets on their way to the queue.
    struct Observer: Sendable {
        /// A NAS's packets for which the queue had no room.
        var shed: @Sendable (_ nas: Int, _ count: Int) -> Void
        /// A connection of a NAS was ended with unread packets in it.
        var brokenOff: @Sendable (_ nas: Int) -> Void
        /// Why a connection of a NAS makes no phone known.
        var fault: @Sendable (_ fault: FeedFault, _ nas: Int) -> Void
    }

    private struct State {
        var listening: (any Channel)?
        var next = 0
        /// Those that have shown a certificate, by their numbers, and in the order in which they came.
        var clients: [(connection: DatagramBatch.Connection, channel: any Channel)] = []
        var strangers: [any Channel] = []
        /// When a reason was last told.
        var told: [String: Timestamp] = [:]
    }

    private let state = NIOLockedValueBox(State())
    private let settings: RadSecSettings
    private let servers: [NetworkAccessServer]
    private let queue: DatagramQueue
    private let observer: Observer
    private let clock: any WallClock
    private let logger: Logger

    init(
        _ settings: RadSecSettings, servers: [NetworkAccessServer], queue: DatagramQueue, observer: Observer,
        clock: any WallClock, logger: Logger
    ) {
        self.settings = settings
        self.servers = servers
        self.queue = queue
        self.observer = observer
        self.clock = clock
        self.logger = logger
    }

    /// Listens. Returns the port.
    func bind() async throws -> UInt16 {
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.backlog, value: 256)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            // A client that is gone without a word holds its place no longer than the system asks after it.
            .childChannelOption(.socketOption(.so_keepalive), value: 1)
            .childChannelInitializer { [self] channel in
                channel.eventLoop.makeCompletedFuture { try begin(channel) }
            }
            .bind(host: settings.address.address.description, port: Int(settings.address.port)).get()
        state.withLockedValue { $0.listening = channel }
        return UInt16(channel.localAddress?.port ?? 0)
    }

    /// Puts TLS and the packets behind it on a connection that has come.
    func begin(_ channel: any Channel) throws {
        // The oldest connection without a certificate makes room. It may never show one.
        let oldest = state.withLockedValue { state -> (any Channel)? in
            state.strangers.append(channel)
            return state.strangers.count > settings.limits.strangers ? state.strangers.removeFirst() : nil
        }
        oldest?.close(promise: nil)
        let peer = channel.remoteAddress
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandler(NIOSSLServerHandler(context: settings.context()))
        try pipeline.addHandler(
            connection(
                on: channel, from: peer?.ipAddress.flatMap { InternetAddress($0) } ?? InternetAddress(v4Value: 0),
                port: UInt16(clamping: peer?.port ?? 0)))
    }

    /// The handler of one connection, behind that of TLS.
    func connection(on channel: any Channel, from source: InternetAddress, port: UInt16) -> RadSecConnection {
        let identity = ObjectIdentifier(channel)
        return RadSecConnection(
            handlers: .init(
                certificate: { pipeline in
                    (try? pipeline.nioSSL_peerCertificate()).flatMap { $0 }.flatMap { ClientCertificate($0) }
                },
                admit: { [self] in admit($0, $1) },
                offer: { [queue, observer] batch in
                    let lost = queue.offer(batch).count
                    if lost > 0, let nas = batch.envelopes.first?.connection?.nas { observer.shed(nas, lost) }
                    return lost
                },
                ended: { [self] in ended($0, $1, hasRest: $2, identity, source) },
                now: { [clock] in clock.now }),
            limits: settings.limits,
            silence: { [servers] in .milliseconds(servers[$0].silence.wholeMilliseconds) }, source: source, port: port)
    }

    /// Identifies a connection's client: the NAS that its certificate names, and nothing else.
    func admit(
        _ certificate: ClientCertificate?, _ channel: any Channel
    ) -> Result<DatagramBatch.Connection, RadSecEnd> {
        guard let certificate else { return .failure(.noCertificate) }
        let server = certificate.server(of: servers)
        guard certificate.life.contains(clock.now.seconds) else {
            if let server { observer.fault(.certificateExpired, server) }
            return .failure(.expired)
        }
        guard let nas = server else { return .failure(.unknownClient) }
        let (connection, oldest) = state.withLockedValue { state in
            state.strangers.removeAll { $0 === channel }
            state.next += 1
            let connection = DatagramBatch.Connection(number: state.next, nas: nas)
            state.clients.append((connection, channel))
            let own = state.clients.filter { $0.connection.nas == nas }
            return (connection, own.count > settings.limits.connectionsPerServer ? own.first : nil)
        }
        if let oldest {
            // Its packets that wait are still processed.
            ended(.tooMany, oldest.connection, hasRest: false, nil, nil)
            oldest.channel.close(promise: nil)
        }
        logger.info("a NAS has connected over TLS", metadata: ["nas": "\(servers[nas].name)"])
        measure(nas)
        return .success(connection)
    }

    private func ended(
        _ reason: RadSecEnd, _ connection: DatagramBatch.Connection?, hasRest: Bool, _ identity: ObjectIdentifier?,
        _ source: InternetAddress?
    ) {
        if let connection, hasRest { observer.brokenOff(connection.nas) }
        if let connection, reason == .malformed { observer.fault(.dropped(.malformed), connection.nas) }
        if let connection, reason == .expired { observer.fault(.certificateExpired, connection.nas) }
        let wasKnown = state.withLockedValue { state in
            if let identity { state.strangers.removeAll { ObjectIdentifier($0) == identity } }
            guard let connection else { return true }
            let count = state.clients.count
            state.clients.removeAll { $0.connection == connection }
            return state.clients.count < count
        }
        // One that was ended for another's sake has been counted.
        guard wasKnown else { return }
        Counter(label: "benji_gateway_connections_ended_total", dimensions: [("reason", reason.label)]).increment()
        if let connection { measure(connection.nas) }
        tell(reason, connection, source)
    }

    private func measure(_ nas: Int) {
        let count = state.withLockedValue { state in state.clients.count { $0.connection.nas == nas } }
        Gauge(label: "benji_gateway_connections", dimensions: [("nas", servers[nas].name)]).record(count)
    }

    /// Says once a minute why connections end.
    private func tell(_ reason: RadSecEnd, _ connection: DatagramBatch.Connection?, _ source: InternetAddress?) {
        guard reason != .byClient else { return }
        let now = clock.now
        let name = connection.map { servers[$0.nas].name }
        let isDue = state.withLockedValue { state in
            let key = reason.label + (name ?? "")
            if let last = state.told[key], now >= last, now - last < AccountingProcessor.reportInterval { return false }
            state.told[key] = now
            return true
        }
        guard isDue else { return }
        var metadata: Logger.Metadata = ["reason": "\(reason.label)"]
        if let name { metadata["nas"] = "\(name)" }
        if name == nil, let source { metadata["from"] = "\(source)" }
        if case .handshake(let why) = reason { metadata["tls"] = "\(why)" }
        logger.notice("a connection for accounting has ended", metadata: metadata)
    }

    /// Sends answers through the connections that their requests came through. Those of a connection that has ended go
    /// nowhere: the NAS asks again.
    func send(_ answers: AnswerBatch) {
        guard !answers.replies.isEmpty else { return }
        var byConnection: [Int: RadSecAnswers] = [:]
        for reply in answers.replies {
            // Grouped by connection: an answer written after a refusal would meet a connection that has ended.
            byConnection[reply.connection, default: RadSecAnswers()].take(reply, of: answers.bytes)
        }
        let channels = state.withLockedValue { state in
            state.clients.compactMap { client in
                byConnection[client.connection.number].map { (client.channel, $0) }
            }
        }
        for (channel, answers) in channels { channel.writeAndFlush(answers, promise: nil) }
    }

    /// Takes no more connections, and ends those that there are when their answers have left.
    func close() async {
        let (listening, channels) = state.withLockedValue { state in
            (state.listening.take(), state.clients.map(\.channel) + state.strangers)
        }
        try? await listening?.close().get()
        for channel in channels { channel.close(promise: nil) }
        for channel in channels { try? await channel.closeFuture.get() }
    }
}

extension RadSecAnswers {
    mutating func take(_ reply: AnswerBatch.Reply, of bytes: [UInt8]) {
        packets += 1
        self.bytes.writeBytes(bytes[reply.range])
        closes = closes || reply.closes
    }
}

@_spi(Server) import BenjiProtocol
import NIOCore
import NIOTLS
import RADIUS

/// One connection of a NAS over TLS: takes packets out of the stream, and reads no more than can be answered.
///
/// The certificate alone identifies the NAS. Packets are decided on where those of datagrams are.
final class RadSecConnection: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = RadSecAnswers
    typealias OutboundOut = ByteBuffer

    /// The functions of ``RadSecListener`` that a connection uses.
    struct Handlers: Sendable {
        /// The certificate that the client has shown.
        var certificate: @Sendable (ChannelPipeline.SynchronousOperations) -> ClientCertificate?
        /// Takes the connection in as one of the NAS that the certificate is of, or says why not.
        var admit: @Sendable (ClientCertificate?, any Channel) -> Result<DatagramBatch.Connection, RadSecEnd>
        /// Hands packets over; those for which there is no room are lost. Answers how many are.
        var offer: @Sendable (DatagramBatch) -> Int
        /// Reports that the connection ends or has ended, and whether received bytes will stay unread.
        var ended: @Sendable (RadSecEnd, DatagramBatch.Connection?, _ hasRest: Bool) -> Void
        var now: @Sendable () -> Timestamp
    }

    private let handlers: Handlers
    private let limits: RadSecLimits
    /// How long a NAS may be silent, by its index.
    private let silence: @Sendable (Int) -> TimeAmount
    private let source: InternetAddress
    private let port: UInt16
    private var client: (connection: DatagramBatch.Connection, certificate: ClientCertificate)?
    private var stream = PacketStream()
    /// Packets that were handed over and have not been answered or refused.
    private var waiting = 0
    private var isEnding = false
    private var wantsToRead = false
    /// When it began, a whole packet came last, more of a part came last, and since when answers wait.
    private var heardAt = NIODeadline.uptimeNanoseconds(0)
    private var progressedAt = NIODeadline.uptimeNanoseconds(0)
    private var stalledAt: NIODeadline?
    private var look: RepeatedTask?

    static let lookInterval: TimeAmount = .seconds(1)

    init(
        handlers: Handlers, limits: RadSecLimits, silence: @escaping @Sendable (Int) -> TimeAmount,
        source: InternetAddress,
        port: UInt16
    ) {
        (self.handlers, self.limits, self.silence, self.source, self.port) = (handlers, limits, silence, source, port)
    }

    // MARK: Coming in

    func handlerAdded(context: ChannelHandlerContext) {
        heardAt = context.eventLoop.now
        progressedAt = heardAt
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        look = context.eventLoop.scheduleRepeatedTask(initialDelay: Self.lookInterval, delay: Self.lookInterval) { _ in
            let (connection, context) = bound.value
            connection.lookAtClock(context)
        }
    }

    func handlerRemoved(context: ChannelHandlerContext) { look?.cancel() }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case TLSUserEvent.handshakeCompleted = event, client == nil, !isEnding {
            let certificate = handlers.certificate(context.pipeline.syncOperations)
            switch handlers.admit(certificate, context.channel) {
            case .success(let connection):
                // No client is admitted without a certificate.
                guard let certificate else { return end(.noCertificate, context) }
                client = (connection, certificate)
                heardAt = context.eventLoop.now
            case .failure(let reason): end(reason, context)
            }
        }
        context.fireUserInboundEventTriggered(event)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard client != nil, !isEnding else { return }
        stream.append(unwrapInboundIn(data).readableBytesView)
        progressedAt = context.eventLoop.now
        take(context)
    }

    /// Hands over whole packets, as many as may wait.
    private func take(_ context: ChannelHandlerContext) {
        guard let client, !isEnding else { return }
        guard client.certificate.life.contains(handlers.now().seconds) else { return end(.expired, context) }
        var batch = DatagramBatch()
        var fault = false
        while waiting + batch.count < limits.window, context.channel.isWritable {
            do throws(PacketError) {
                guard let packet = try stream.next() else { break }
                packet.withUnsafeBytes {
                    batch.append($0, from: source, port: port, socket: -1, connection: client.connection)
                }
            } catch {
                fault = true
                break
            }
        }
        if !batch.isEmpty {
            heardAt = context.eventLoop.now
            waiting += batch.count
            if handlers.offer(batch) > 0 { return end(.noRoom, context) }
        }
        if fault { end(.malformed, context) }
    }

    func read(context: ChannelHandlerContext) {
        if isFull(context) { wantsToRead = true } else { context.read() }
    }

    /// Whether nothing more is read until an answer has left.
    private func isFull(_ context: ChannelHandlerContext) -> Bool {
        client != nil && (waiting >= limits.window || !context.channel.isWritable)
    }

    private func goOn(_ context: ChannelHandlerContext) {
        take(context)
        guard wantsToRead, !isEnding, !isFull(context) else { return }
        wantsToRead = false
        // The rest of a packet could not come while nothing was read.
        progressedAt = context.eventLoop.now
        context.read()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        stalledAt = context.channel.isWritable ? nil : context.eventLoop.now
        goOn(context)
        context.fireChannelWritabilityChanged()
    }

    // MARK: Going out

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let answers = unwrapOutboundIn(data)
        waiting -= answers.packets
        guard !isEnding else {
            promise?.fail(ChannelError.ioOnClosedChannel)
            return
        }
        context.write(wrapOutboundOut(answers.bytes), promise: promise)
        if answers.closes {
            context.flush()
            end(.refused, context)
        } else {
            goOn(context)
        }
    }

    // MARK: The end

    private func lookAtClock(_ context: ChannelHandlerContext) {
        guard !isEnding else { return }
        let now = context.eventLoop.now
        guard let client else {
            if now - heardAt >= limits.handshake { end(.slowHandshake, context) }
            return
        }
        if !client.certificate.life.contains(handlers.now().seconds) {
            end(.expired, context)
        } else if let stalledAt, now - stalledAt >= limits.stall {
            end(.stalled, context)
        } else if stream.count > 0, !isFull(context), now - progressedAt >= limits.rest {
            end(.halfPacket, context)
        } else if waiting == 0, now - heardAt >= silence(client.connection.nas) {
            end(.idle, context)
        }
    }

    private func end(_ reason: RadSecEnd, _ context: ChannelHandlerContext) {
        guard !isEnding else { return }
        isEnding = true
        handlers.ended(reason, client?.connection, stream.count > 0)
        context.close(promise: nil)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        end(client == nil ? .handshake("\(error)") : .broken, context)
    }

    func channelInactive(context: ChannelHandlerContext) {
        if !isEnding {
            isEnding = true
            handlers.ended(
                client == nil ? .handshake("the client hung up") : .byClient, client?.connection, stream.count > 0)
        }
        look?.cancel()
        context.fireChannelInactive()
    }
}

/// Answers for one connection.
struct RadSecAnswers: Sendable {
    var bytes = ByteBuffer()
    /// Packets that they are the end of, answered or not.
    var packets = 0
    var closes = false
}

/// Why a connection ended.
enum RadSecEnd: Error, Hashable, Sendable {
    /// The error of TLS; no client was recognised.
    case handshake(String)
    case slowHandshake, noCertificate
    /// A certificate of our authority that is no NAS's, or several ones'.
    case unknownClient
    /// The certificate does not count any more, or not yet.
    case expired
    /// Another connection of the same NAS took its place.
    case tooMany
    case malformed
    /// A packet was not answered that must come through another connection.
    case refused
    case noRoom
    case halfPacket, stalled, idle
    case broken, byClient

    /// The metric's word.
    var label: String {
        switch self {
        case .handshake: "handshake"
        case .slowHandshake: "slow_handshake"
        case .noCertificate: "no_certificate"
        case .unknownClient: "unknown_client"
        case .expired: "expired"
        case .tooMany: "too_many"
        case .malformed: "malformed"
        case .refused: "refused"
        case .noRoom: "no_room"
        case .halfPacket: "half_packet"
        case .stalled: "stalled"
        case .idle: "idle"
        case .broken: "broken"
        case .byClient: "by_client"
        }
    }
}

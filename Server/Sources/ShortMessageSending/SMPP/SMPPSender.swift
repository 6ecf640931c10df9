@_spi(Server) package import BenjiProtocol
package import Logging
import NIOCore
import NIOPosix
package import NIOSSL
import SMPP
import ServiceLifecycle
package import ShortMessages

/// One SMSC, over one session that is kept up while ``run()`` runs.
///
/// `SMPPSession` decides; this performs. The actor runs on the connection's event loop, so that a PDU is decided before
/// anything else happens. So nothing is written to a connection that is known to be gone.
package actor SMPPSender: ShortMessageSender {
    package struct Configuration: Sendable {
        package var name: String
        package var host: String
        package var port: Int
        package var session: SMPPSession.Settings
        /// `nil` for a plain connection.
        package var tls: NIOSSLContext?
        /// Where messages come from that do not say; the SMSC's choice if empty.
        package var source: String
        /// service_type of submit_sm.
        package var serviceType: String

        package init(
            name: String, host: String, port: Int, session: SMPPSession.Settings, tls: NIOSSLContext? = nil,
            source: String = "", serviceType: String = ""
        ) {
            self.name = name
            self.host = host
            self.port = port
            self.session = session
            self.tls = tls
            self.source = source
            self.serviceType = serviceType
        }
    }

    private enum Job: Sendable {
        case connect
        case hear(SMPPSession.InboundEvent, SMPPSession.Ticket)
    }

    package nonisolated let name: String
    private nonisolated let configuration: Configuration
    private nonisolated let loop: any EventLoop
    private let listener: any ShortMessageListener
    private let clock: any WallClock
    private let random: any RandomSource
    private let logger: Logger
    private let jobs: AsyncStream<Job>
    private let jobsIn: AsyncStream<Job>.Continuation
    private var session: SMPPSession
    private var channel: (any Channel)?
    private var callers: [UInt64: CheckedContinuation<SubmissionOutcome, Never>] = [:]
    private var lastID: UInt64 = 0
    private var alarm: (at: ContinuousClock.Instant, task: Scheduled<Void>)?
    private var reported: String?

    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.executor.asUnownedSerialExecutor() }

    package init(
        _ configuration: Configuration, listener: any ShortMessageListener, clock: any WallClock,
        random: any RandomSource, logger: Logger
    ) {
        self.configuration = configuration
        self.listener = listener
        self.clock = clock
        self.random = random
        self.logger = logger
        name = configuration.name
        loop = MultiThreadedEventLoopGroup.singleton.any()
        session = SMPPSession(configuration.session, random: random)
        (jobs, jobsIn) = AsyncStream.makeStream()
    }

    /// Keeps the session up until it is cancelled or shut down gracefully; then it waits for answers and says goodbye.
    package func run() async {
        await withTaskCancellationOrGracefulShutdownHandler {
            take(.start)
            await withDiscardingTaskGroup { tasks in
                for await job in jobs { tasks.addTask { await self.perform(job) } }
            }
        } onCancelOrGracefulShutdown: {
            self.loop.execute { self.assumeIsolated { $0.take(.shutDown) } }
        }
        // Cancelled: what has not ended by itself ends here.
        alarm?.task.cancel()
        take(.disconnected("this process is being stopped"))
        channel?.close(promise: nil)
    }

    package func trouble() async -> String? { session.trouble.map { "\(name): \($0)" } }

    /// The last fault, if any: none while the first attempt is under way.
    package func fault() -> String? { session.lastFault }

    package func send(_ message: ShortMessage, before deadline: ContinuousClock.Instant) async -> SubmissionOutcome {
        guard let parts = parts(of: message) else { return .notTaken(reason: .refused) }
        lastID += 1
        let id = lastID
        return await withCheckedContinuation { caller in
            callers[id] = caller
            take(.submit(.init(id: id, parts: parts, deadline: deadline)))
        }
    }

    /// `nil` if it has expired, or needs more parts than there may be. A receipt is asked for with the last part: it
    /// comes when the phone has that one.
    private func parts(of message: ShortMessage) -> [Message]? {
        let left = message.expiresAt - clock.now
        guard left > .zero, let text = MessageText(message.text, reference: random.bytes(1)[0]) else { return nil }
        return text.parts.enumerated().map { index, octets in
            Message(
                serviceType: configuration.serviceType, source: Address(source: message.from ?? configuration.source),
                destination: .international(message.to.e164), messageClass: text.hasHeaders ? Message.hasHeader : 0,
                validity: Message.validity(for: left),
                receipts: index == text.parts.count - 1 ? Message.wantsReceipt : 0, coding: text.coding, octets: octets)
        }
    }

    // MARK: Performing

    fileprivate func take(_ event: SMPPSession.Event) {
        for action in session.take(event, at: .now) { perform(action) }
        // After all actions: performing one may have led to further events.
        setAlarm()
    }

    private func perform(_ action: SMPPSession.Action) {
        switch action {
        case .connect: jobsIn.yield(.connect)
        case .write(let bytes): channel?.writeAndFlush(ByteBuffer(bytes: bytes), promise: nil)
        case .close: channel?.close(promise: nil)
        case .settle(let id, let outcome): callers.removeValue(forKey: id)?.resume(returning: self.outcome(outcome))
        case .hear(let heard, let ticket): jobsIn.yield(.hear(heard, ticket))
        case .report(let report): log(report)
        case .finished: jobsIn.finish()
        }
    }

    private func outcome(_ outcome: SMPPSession.Outcome) -> SubmissionOutcome {
        switch outcome {
        case .accepted(let id?): .accepted(by: name, reference: id)
        // No receipt will name it, but references are unique.
        case .accepted(nil): .accepted(by: name, reference: "unnamed-" + Hexadecimal.encode(random.bytes(12)))
        case .notTaken(let reason): .notTaken(reason: reason)
        case .unknown: .unknown(by: name)
        }
    }

    private func setAlarm() {
        let wake = session.wake
        guard wake != alarm?.at else { return }
        alarm?.task.cancel()
        alarm = wake.map { wake in
            let wait = max(.zero, wake - .now)
            let nanoseconds = wait.components.seconds * 1_000_000_000 + wait.components.attoseconds / 1_000_000_000
            // A millisecond late rather than early.
            let task = loop.scheduleTask(in: .nanoseconds(nanoseconds + 1_000_000)) {
                self.assumeIsolated { $0.alarmRang() }
            }
            return (wake, task)
        }
    }

    private func alarmRang() {
        alarm = nil
        take(.timer)
    }

    private func perform(_ job: Job) async {
        switch job {
        case .connect: await connect()
        case .hear(.receipt(let receipt, let state, let phone), let ticket):
            let outcome = await listener.hear(
                DeliveryReceipt(
                    sender: name, reference: receipt.messageID, state: state, error: receipt.error, phone: phone,
                    isFromSender: receipt.isMarked, at: clock.now))
            take(.heard(ticket, kept: outcome != .notKept))
        case .hear(.message(let from, let to, let text), let ticket):
            let kept = await listener.hear(ReceivedShortMessage(sender: name, from: from, to: to, text: text))
            take(.heard(ticket, kept: kept))
        }
    }

    private func connect() async {
        let configuration = configuration
        let wait = configuration.session.responseTime.components.seconds
        do {
            _ = try await ClientBootstrap(group: loop)
                .connectTimeout(.seconds(max(1, wait)))
                .channelOption(.tcpOption(.tcp_nodelay), value: 1)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        if let tls = configuration.tls {
                            let isAddress = InternetAddress(configuration.host) != nil
                            try channel.pipeline.syncOperations.addHandler(
                                NIOSSLClientHandler(
                                    context: tls, serverHostname: isAddress ? nil : configuration.host))
                        }
                        try channel.pipeline.syncOperations.addHandler(SMPPHandler(self))
                    }
                }
                .connect(host: configuration.host, port: configuration.port).get()
        } catch { take(.connectionFailed(ConnectionFault.words(error))) }
    }

    fileprivate func opened(_ channel: any Channel) {
        self.channel = channel
        take(.connected)
    }

    fileprivate func closed(_ reason: String?) {
        channel = nil
        take(.disconnected(reason))
    }

    private func log(_ report: SMPPSession.Report) {
        switch report {
        case .bound(let systemID):
            reported = nil
            logger.notice("connected to an SMSC", metadata: ["sender": "\(name)", "smsc": "\(systemID)"])
        case .lost(let reason):
            // Each attempt fails for the same reason; once is enough.
            guard reason != reported else { return }
            reported = reason
            logger.warning("no session with an SMSC", metadata: ["sender": "\(name)", "reason": "\(reason)"])
        case .refused(let status):
            logger.info("an SMSC took no message", metadata: ["sender": "\(name)", "status": "\(status)"])
        case .unanswered:
            logger.warning("an SMSC did not answer a message in time", metadata: ["sender": "\(name)"])
        case .unreadable:
            logger.warning("a receipt or message of an SMSC cannot be read", metadata: ["sender": "\(name)"])
        }
    }
}

/// Hands what happens on a connection to its sender, on the event loop that both run on.
private final class SMPPHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let sender: SMPPSender
    private var stream = PDUStream()
    private var isBroken = false
    private var fault: String?

    init(_ sender: SMPPSender) { self.sender = sender }

    func channelActive(context: ChannelHandlerContext) {
        let channel = context.channel
        sender.assumeIsolated { $0.opened(channel) }
    }

    func channelInactive(context: ChannelHandlerContext) {
        let fault = fault
        sender.assumeIsolated { $0.closed(fault) }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isBroken else { return }
        stream.append(Self.unwrapInboundIn(data).readableBytesView)
        do {
            while let bytes = try stream.next() { sender.assumeIsolated { $0.take(.received(bytes)) } }
        } catch {
            isBroken = true
            sender.assumeIsolated { $0.take(.streamBroken(error)) }
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        fault = fault ?? ConnectionFault.words(error)
        context.close(promise: nil)
    }
}

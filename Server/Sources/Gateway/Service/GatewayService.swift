@_spi(Server) package import BenjiProtocol
package import Logging
import NIOConcurrencyHelpers
import NIOPosix
import RADIUS
import ServiceLifecycle
package import Sightings

/// A carrier's gateway: receives accounting, and identifies the sender behind an address.
///
/// Run it in a `ServiceGroup`. Call ``sighting(from:port:domain:claimedLocalAddress:)`` at any time. Before the first
/// packets it returns refusals.
package final class GatewayService: Service {
    let configuration: GatewayConfiguration
    let clock: any WallClock
    let directory: SharedDirectory
    let processor: AccountingProcessor
    let metrics = GatewayMetrics()
    private let queue: DatagramQueue
    private let listener = NIOLockedValueBox<AccountingListener?>(nil)
    private let radSec = NIOLockedValueBox<(listener: RadSecListener, port: UInt16)?>(nil)
    private let logger: Logger
    /// When this process began, or the service in it.
    private let began: Timestamp

    /// How often upkeep is done when no packets come.
    private static let upkeepInterval: Duration = .seconds(1)

    /// Opens the journal and takes back what it holds.
    /// - Parameter pair: where a gateway of a pair records what the other one has to know.
    /// - Throws: ``GatewayConfigurationError``, or ``JournalError`` if the journal cannot be opened. A gateway that
    ///   cannot keep its journal does not start.
    package convenience init(
        configuration: GatewayConfiguration, register: any RegisterService, clock: any WallClock,
        random: any RandomSource, logger: Logger, pair: (any PairService)? = nil
    ) throws {
        try self.init(
            configuration: configuration, register: register, clock: clock, random: random, logger: logger,
            disk: SystemDisk(), pair: pair.map { PairMembership(service: $0, random: random) })
    }

    init(
        configuration: GatewayConfiguration, register: any RegisterService, clock: any WallClock,
        random: any RandomSource, logger: Logger, disk: any JournalDisk, minimumJournalSize: Int = 64 << 20,
        pair: PairMembership? = nil
    ) throws {
        assert(configuration.isPaired == (pair != nil), "a gateway of a pair has somewhere to record")
        let problems = configuration.problems
        guard problems.isEmpty else { throw GatewayConfigurationError(problems: problems) }
        for nas in configuration.networkAccessServers
        where nas.secret.isShort && nas.certificates.isEmpty {
            logger.warning("the shared secret of a NAS is shorter than 16 bytes", metadata: ["nas": "\(nas.name)"])
        }
        let now = clock.now
        var directory = Directory(configuration: configuration, random: random, now: now)
        var journal: Journal?
        var listened: Timestamp?
        if let path = configuration.journalPath {
            let opened = try Journal.open(
                path, disk: disk, minimumSize: minimumJournalSize,
                afterLoss: {
                    // A lost record may have been answered. Then no NAS repeats it, whatever it promises.
                    directory.begin(lastHeartbeat: nil, at: now, clockTolerance: configuration.clockTolerance)
                    return directory.misses
                },
                { directory.restore($0, now: now.wholeSeconds) })
            journal = opened.journal
            if opened.recovery.records > 0, opened.recovery.lostBytes == 0 {
                listened = opened.recovery.lastHeartbeat
                directory.begin(lastHeartbeat: listened, at: now, clockTolerance: configuration.clockTolerance)
            }
            Self.report(opened.recovery, directory, logger)
        }
        self.configuration = configuration
        self.clock = clock
        self.logger = logger
        began = now
        queue = DatagramQueue(limit: configuration.queueLimit)
        let box = SharedDirectory(directory)
        self.directory = box
        processor = AccountingProcessor(
            configuration: configuration, directory: box, journal: journal, pair: pair, register: register,
            clock: clock,
            metrics: metrics, logger: logger, changes: directory.misses, listened: listened)
    }

    private static func report(_ recovery: Journal.Recovery, _ directory: Directory, _ logger: Logger) {
        logger.info(
            "journal read",
            metadata: ["records": "\(recovery.records)", "sessions": "\(directory.sessions.count)"])
        if recovery.lostBytes > 0 {
            logger.warning(
                "the journal's end was torn and has been cut off; its sessions wait until they are heard of again",
                metadata: ["bytes": "\(recovery.lostBytes)"])
        }
    }

    /// Binds the listeners and returns their ports, in the order of the configuration. ``run()`` does so if necessary.
    @discardableResult
    package func bind() async throws -> [UInt16] {
        if let bound = listener.withLockedValue({ $0 }) { return bound.ports }
        CallingNumber.prepare()
        let bound = try AccountingListener.bind(
            configuration.listeners, sources: configuration.networkAccessServers.flatMap(\.sources),
            receiveBuffer: configuration.receiveBuffer, queue: queue,
            observer: .init(
                isKnown: { [configuration, metrics] source in
                    let isKnown = configuration.networkAccessServers.contains { $0.maySend(from: source) }
                    if !isKnown { metrics.dropped(.unknownNAS) }
                    return isKnown
                },
                shed: { [processor, metrics] lost in
                    metrics.dropped(.shed, count: lost.count)
                    if processor.isListening { processor.didShed(lost) }
                },
                dropped: { [processor, metrics] seen in
                    if seen.lost > 0, processor.isListening { processor.didLose() }
                    metrics.dropped(.unheard, count: seen.lost)
                    metrics.dropped(.unknownNAS, count: seen.keptOut)
                }))
        listener.withLockedValue { $0 = bound }
        report(bound)
        try await bindRadSec()
        return bound.ports
    }

    /// The port that connections over TLS are taken on; `nil` if none are.
    package var radSecPort: UInt16? { radSec.withLockedValue { $0?.port } }

    private func bindRadSec() async throws {
        guard let settings = configuration.radSec else { return }
        let listener = RadSecListener(
            settings, servers: configuration.networkAccessServers, queue: queue,
            observer: .init(
                shed: { [processor, metrics] nas, count in
                    metrics.dropped(.shed, count: count)
                    if processor.isListening { processor.didShed(count, of: nas) }
                },
                brokenOff: { [processor] nas in if processor.isListening { processor.didBreakOff(nas) } },
                fault: { [processor] fault, nas in processor.noteFaults([(fault, nas)]) }),
            clock: clock, logger: logger)
        let port = try await listener.bind()
        radSec.withLockedValue { $0 = (listener, port) }
        logger.info("taking connections over TLS for accounting", metadata: ["port": "\(port)"])
    }

    private func send(_ answers: AnswerBatch) {
        listener.withLockedValue { $0 }?.send(answers)
        if !answers.replies.isEmpty { radSec.withLockedValue { $0?.listener }?.send(answers) }
    }

    private func report(_ bound: AccountingListener) {
        logger.info(
            "listening for accounting",
            metadata: ["ports": "\(bound.ports)", "receive_buffer": "\(bound.receiveBuffer)"])
        if let problem = bound.filterProblem {
            logger.error(
                """
                the kernel does not keep strangers' packets out of the accounting socket; a flood of them puts every \
                phone in doubt
                """,
                metadata: ["error": "\(problem)"])
        }
        if !configuration.listeners.isEmpty, bound.receiveBuffer < configuration.receiveBuffer {
            logger.warning(
                "the kernel gave the accounting socket a smaller buffer than was asked for; raise net.core.rmem_max",
                metadata: ["asked": "\(configuration.receiveBuffer)", "given": "\(bound.receiveBuffer)"])
        }
    }

    /// Receives accounting until the group shuts down. Then it takes no more packets, but still answers those that
    /// wait.
    package func run() async throws {
        try await bind()
        await withGracefulShutdownHandler {
            await withTaskGroup(of: Void.self) { group in
                group.addTask { [queue, listener, processor, began] in
                    var measuredAt: ContinuousClock.Instant?
                    while !Task.isCancelled {
                        if measuredAt.map({ .now - $0 >= AccountingProcessor.measuringInterval }) ?? true {
                            measuredAt = .now
                            processor.measureFeeds(since: began)
                        }
                        do { try await Task.sleep(for: Self.upkeepInterval) } catch { return }
                        listener.withLockedValue { $0 }?.look()
                        queue.wake()
                    }
                }
                await answer()
                group.cancelAll()
            }
        } onGracefulShutdown: { [queue] in
            queue.finish()
        }
        await processor.finish()
        await radSec.withLockedValue { $0.take() }?.listener.close()
        await listener.withLockedValue { $0.take() }?.close()
    }

    /// Processes and answers packets until the queue ends, and asks the register concurrently.
    private func answer() async {
        let (questions, asker) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [queue, processor] in
                for await _ in questions {
                    await processor.askRegister()
                    queue.wake()
                }
            }
            while let batch = await queue.next() {
                if let pair = processor.pair, pair.owned == nil {
                    // A NAS repeats packets to a gateway that does not answer until the pair's owner has them.
                    metrics.dropped(.unavailable, count: batch.count)
                    var refusals = AnswerBatch()
                    for envelope in batch.envelopes { refusals.refuse(envelope, closes: true) }
                    send(refusals)
                    await processor.follow(pair)
                    if pair.owned != nil { queue.wake() }
                    continue
                }
                let answers = await processor.process(batch)
                send(answers)
                if processor.hasQuestions { asker.yield() }
                if processor.hasMoreToRevoke { queue.wake() }
            }
            asker.finish()
        }
        // Those that waited for the register at the end.
        await processor.settleAll { answers in send(answers) }
    }

    /// Removes the subscriber from the sessions of these erased rows of the register. The next packet of a session
    /// names its subscriber again.
    package func forget(_ subscriptions: [Int64]) {
        processor.forget(subscriptions)
        queue.wake()
    }

    /// The reason why accounting cannot be answered now, in words for the operator; `nil` when all is well. For a
    /// readiness check.
    package var problem: String? {
        if let pair = processor.pair, pair.owned == nil { return processor.standing(pair) }
        return processor.problem
    }

    /// Since when this gateway owns its pair, by the present wall clock; `nil` if it owns none. Proofs from before that
    /// may have been shown to the other gateway.
    package var ownedSince: Timestamp? {
        guard let pair = processor.pair, let owned = pair.owned else { return nil }
        return clock.now - (pair.uptime() - owned.since)
    }

    /// Weaknesses of a gateway that still answers, in words for the operator. For a readiness check, which passes.
    package var warnings: [String] {
        var warnings: [String] = []
        if listener.withLockedValue({ $0?.filterProblem }) != nil {
            warnings.append("the kernel does not keep strangers out of the accounting socket")
        }
        // It doubts everything when it takes over.
        guard processor.isListening else { return warnings }
        let now = clock.now
        return warnings + directory.withLockedValue { $0.warnings(at: now) } + processor.feedWarnings(since: began)
    }

    /// The feed of each NAS since the start, in the order of the configuration.
    package var feeds: [GatewayFeed] { processor.feeds(since: began) }

    /// The counts since the start.
    package var counts: GatewayCounts {
        metrics.counts(sessions: directory.withLockedValue { $0.sessions.count })
    }
}

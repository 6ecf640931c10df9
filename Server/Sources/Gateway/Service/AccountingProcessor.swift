@_spi(Server) import BenjiProtocol
import Logging
import NIOConcurrencyHelpers
import Sightings

/// Takes batches of packets through exchange, register, directory and journal, and gives the answers.
///
/// One batch at a time; ``GatewayService/run()`` is the only caller. Nothing is answered before it is applied, its
/// revocations are done and its changes are durable. What fails is not answered, and the NAS repeats it.
///
/// Packets for which the register must be asked wait beside the batches: the others are answered meanwhile, and those
/// with a later batch. The order of events is their own time, so it does not matter which are applied first.
final class AccountingProcessor: Sendable {
    typealias Transaction = AccountingExchange.Transaction

    enum Failure: String {
        case observing = "the register cannot be asked"
        case revoking = "the register cannot revoke"
        case journalling = "the journal cannot be written"
        case recording = "what accounting says cannot be recorded for the other gateway of the pair"
        case following = "the pair's record cannot be read"
        case unreadable = "the pair's record was written by a newer version; this gateway cannot take over"
        case full = "there are as many sessions as the gateway may hold (gateway.sessions); new ones are not taken"
    }

    /// The state that only the processing of batches touches, except for the questions.
    struct Work {
        var exchange: AccountingExchange
        /// Applied and not yet durable.
        var changes: [DirectoryChange] = []
        var revocations: [BindingID] = []
        var lateResets = LateResets()
        var lastHeartbeat = Timestamp(milliseconds: .min)
        var compactionPosition = 0
        /// Questions that have not been asked, and those that the register is being asked.
        var waiting: [Question] = []
        var asking: [Question] = []
        var told: [RegisterAnswer] = []
        /// Packets of all of them.
        var unsettled = 0
        /// Rows of the register that were erased, and are not forgotten here yet.
        var erased: Set<Int64> = []
        /// Those that were forgotten while the register was being asked, whose answer may name them.
        var erasedMeanwhile: Set<Int64> = []
        /// With why, where somebody has said it.
        var failing: [Failure: String] = [:]
        /// The last counts of each NAS's sessions; empty before the first time.
        var confirmations: [FeedConfirmation] = []
        /// By NAS, the counts that the metrics contain.
        var measured: [Int: [Int]] = [:]
        var measuredFaults: [Int: [FeedFault: FeedFaultCount]] = [:]
        /// By NAS, the faults that the operator has to know.
        var faults: [Int: FeedFaultWindow] = [:]

        /// Puts a question with those that wait; `false` if too much waits.
        mutating func take(_ question: Question) -> Bool {
            guard unsettled < AccountingProcessor.unsettledLimit else { return false }
            unsettled += question.asked.count
            waiting.append(question)
            return true
        }
    }

    let configuration: GatewayConfiguration
    let directory: SharedDirectory
    let journal: Journal?
    /// This gateway's part in its pair; `nil` if it is of none.
    let pair: PairMembership?
    let register: any RegisterService
    let clock: any WallClock
    let metrics: GatewayMetrics
    let logger: Logger
    let work: NIOLockedValueBox<Work>
    /// Until when packets from before this run may still be repeated, and the heartbeat that is written until then. The
    /// next run counts its absence from that heartbeat.
    let settling: (until: UInt32, heartbeat: Timestamp?)?

    /// Events that are applied together.
    static let slice = 64
    static let heartbeatInterval: Duration = .seconds(5)
    static let reportInterval: Duration = .seconds(60)
    static let compactionSlice = 20_000
    /// Entries of the directory that are swept after each batch, and how many of them before a look-up may come in
    /// between.
    static let sweepSlice = 2048
    static let sweepSteps = 64
    /// Sessions that are looked at under one hold of the directory's lock for those of somebody erased.
    static let forgettingSlice = 20_000
    /// Packets that wait for the register at most. A NAS repeats further ones.
    static let unsettledLimit = 16_384
    /// Revocations that one transaction carries at most.
    static let revocationSlice = 1000

    /// Whether packets are processed here: not by the gateway of a pair that does not own it, which doubts everything
    /// when it takes over.
    var isListening: Bool { pair.map { $0.owned != nil } ?? true }

    /// The reason why packets cannot be answered now, in words for the operator, or `nil`.
    var problem: String? {
        work.withLockedValue { $0.failing.min { $0.key.rawValue < $1.key.rawValue } }
            .map { $0.value.isEmpty ? $0.key.rawValue : "\($0.key.rawValue): \($0.value)" }
    }

    init(
        configuration: GatewayConfiguration, directory: SharedDirectory, journal: Journal?, pair: PairMembership? = nil,
        register: any RegisterService, clock: any WallClock, metrics: GatewayMetrics, logger: Logger,
        changes: [DirectoryChange], listened: Timestamp?
    ) {
        self.configuration = configuration
        self.directory = directory
        self.journal = journal
        self.pair = pair
        self.register = register
        self.clock = clock
        self.metrics = metrics
        self.logger = logger
        work = NIOLockedValueBox(
            Work(exchange: AccountingExchange(configuration: configuration), changes: changes))
        settling = directory.withLockedValue { $0.settlesLast }.map { ($0, listened) }
    }

    /// The exchange's results for a batch.
    struct Received {
        /// Packets that were believed, and their positions in the batch.
        var transactions: [Transaction] = []
        var positions: [Int] = []
        var repeated: [(position: Int, nas: Int)] = []
        var dropped: [(position: Int, reason: DropReason)] = []
        var suspects: [AccountingEvent] = []
    }

    private func receive(_ batch: DatagramBatch, at now: Timestamp) -> Received {
        var received = Received()
        received.transactions.reserveCapacity(batch.count)
        received.positions.reserveCapacity(batch.count)
        work.withLockedValue { work in
            let bytes = batch.bytes.span
            for (position, envelope) in batch.envelopes.enumerated() {
                let datagram = bytes.extracting(envelope.range)
                let decision =
                    if let connection = envelope.connection {
                        work.exchange.receive(datagram, through: connection, from: envelope.source, at: now)
                    } else {
                        work.exchange.receive(datagram, from: envelope.source, at: now)
                    }
                switch decision {
                case .drop(let reason, let suspect):
                    received.dropped.append((position, reason))
                    if let suspect { received.suspects.append(suspect) }
                case .repeatAnswer(let nas): received.repeated.append((position, nas))
                case .process(let transaction, let suspect):
                    if let suspect { received.suspects.append(suspect) }
                    received.transactions.append(transaction)
                    received.positions.append(position)
                }
            }
        }
        return received
    }

    /// Processes a batch and does upkeep. Returns the answers to packets that need not wait for the register, and to
    /// those that it has answered by now.
    func process(_ batch: DatagramBatch) async -> AnswerBatch {
        let now = clock.now
        let received = receive(batch, at: now)
        for (_, reason) in received.dropped { metrics.dropped(reason) }
        for suspect in received.suspects { doubt(because: suspect, at: now) }
        // Earlier packets are settled first.
        let told = work.withLockedValue { work in
            defer { work.told = [] }
            return work.told
        }
        let settled = told.flatMap { settle($0, at: now) } + [apply(received, of: batch, at: now)]
        forgetErased()
        let isDurable = await flush(at: now)
        var answers = answer(settled, received.repeated, of: batch, isDurable: isDurable)
        for (position, reason) in received.dropped {
            answers.refuse(batch.envelopes[position], closes: reason.endsConnection)
        }
        await revokeLate()
        await keepUp(at: now)
        reportFaults(at: now)
        return answers
    }

    /// Packets of one batch that need not wait any longer.
    struct CompletedPackets {
        let batch: DatagramBatch
        /// The packets, each with its position in the batch, and why it is not answered; `nil` if it took effect.
        var packets: [(transaction: Transaction, position: Int, refusal: DropReason?)] = []
    }

    private func answer(
        _ settled: [CompletedPackets], _ repeated: [(position: Int, nas: Int)], of batch: DatagramBatch, isDurable: Bool
    )
        -> AnswerBatch
    {
        var answers = AnswerBatch()
        var refused: [DropReason: Int] = [:]
        work.withLockedValue { work in
            func answer(_ batch: DatagramBatch, _ position: Int, nas: Int) {
                let envelope = batch.envelopes[position]
                let start = answers.bytes.count
                work.exchange.answer(batch.bytes.span.extracting(envelope.range), nas: nas, onto: &answers.bytes)
                answers.end(from: start, to: envelope)
            }
            for (position, nas) in repeated { answer(batch, position, nas: nas) }
            for settled in settled {
                for (transaction, position, refusal) in settled.packets {
                    if let reason = refusal ?? (isDurable ? nil : DropReason.unavailable) {
                        work.exchange.didFail(transaction)
                        work.exchange.note(.dropped(reason), of: transaction.nas)
                        answers.refuse(settled.batch.envelopes[position], closes: reason.endsConnection)
                        refused[reason, default: 0] += 1
                        continue
                    }
                    work.exchange.didAnswer(transaction)
                    answer(settled.batch, position, nas: transaction.nas)
                }
            }
        }
        metrics.repeated(repeated.count)
        metrics.answered(answers.count - repeated.count)
        for (reason, count) in refused { metrics.dropped(reason, count: count) }
        return answers
    }

    func recover(_ failures: Set<Failure>) {
        let ended = work.withLockedValue { work in
            work.failing.isEmpty ? [] : failures.filter { work.failing.removeValue(forKey: $0) != nil }
        }
        for failure in ended { logger.notice("works again", metadata: ["after": "\(failure.rawValue)"]) }
    }

    func fail(_ failure: Failure, _ error: (any Error)? = nil) {
        let why = error.map { "\($0)" } ?? ""
        guard work.withLockedValue({ $0.failing.updateValue(why, forKey: failure) }) == nil else { return }
        logger.error(
            failure == .full ? "\(failure.rawValue)" : "\(failure.rawValue); accounting is not answered",
            metadata: why.isEmpty ? [:] : ["error": "\(why)"])
    }
}

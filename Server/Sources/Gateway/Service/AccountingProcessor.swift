@_spi(Server) import BenjiProtocol
import Logging
import NIOConcurrencyHelpers
import NIOPosix
import Sightings

/// Takes batches of packets through exchange, register, directory and journal, and gives the answers.
///
/// One batch at a time; ``GatewayService/run()`` is the only caller. Nothing is answered before it is applied, its
/// revocations are done and its changes are durable. What fails is not answered, and the NAS repeats it.
///
/// Packets for which the register must be asked wait beside the batches: the others are answered meanwhile, and those with a
/// later batch. The order of events is their own time, so it does not matter which are applied first.
final class AccountingProcessor: Sendable {
    private typealias Transaction = AccountingExchange.Transaction

    private enum Failure: String {
        case observing = "the register cannot be asked"
        case revoking = "the register cannot revoke"
        case journalling = "the journal cannot be written"
        case full = "there are as many sessions as the gateway may hold (gateway.sessions); new ones are not taken"
    }

    /// Revocations that have to be made before an Accounting-Off or -On is answered which we hear of late: those of a whole
    /// NAS, a slice at a time, so that other accounting does not wait for them.
    private struct LateResets {
        var scopes: Set<String> = []
        var bindings: [BindingID] = []
        /// For the journal, when the revocations are done.
        var changes: [DirectoryChange] = []
    }

    /// Packets that wait for what the register says of them.
    private struct Question: Sendable {
        let batch: DatagramBatch
        /// The packets, where each stands in the batch, and whose number each names.
        var asked: [(transaction: Transaction, event: AccountingEvent, place: Int, number: PhoneNumber)] = []
        /// Sessions that answer nothing until this is settled.
        var suspended: [SessionKey] = []

        mutating func suspendHolders(_ directory: inout Directory) {
            for asked in asked { suspended += directory.suspendHolders(before: asked.event) }
        }
    }

    /// A question and what the register said; `nil` if it could not be asked.
    private struct Told: Sendable {
        let questions: [Question]
        let references: [SubscriptionReference?]?
    }

    /// What only the processing of batches touches, but for the questions.
    private struct Work {
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
        var told: [Told] = []
        /// Packets of all of them.
        var unsettled = 0
        /// Rows of the register that were erased, and are not forgotten here yet.
        var erased: Set<Int64> = []
        /// Those that were forgotten while the register was being asked, whose answer may name them.
        var erasedMeanwhile: Set<Int64> = []
        var failing: Set<Failure> = []
        /// NASes that were reported for leaving the time out.
        var untimed: Set<Int> = []
        /// When NASes were last reported for announcing addresses outside their pools.
        var outside: [Int: Timestamp] = [:]

        /// Puts a question with those that wait; `false` if too much waits.
        mutating func take(_ question: Question) -> Bool {
            guard unsettled < AccountingProcessor.unsettledLimit else { return false }
            unsettled += question.asked.count
            waiting.append(question)
            return true
        }
    }

    private let configuration: GatewayConfiguration
    private let directory: NIOLockedValueBox<Directory>
    private let journal: Journal?
    private let register: any RegisterDesk
    private let clock: any WallClock
    private let metrics: GatewayMetrics
    private let logger: Logger
    private let work: NIOLockedValueBox<Work>
    /// Until when what was sent before this run began may still be repeated, and the heartbeat that holds until then: the next
    /// run was away since that one.
    private let settling: (until: UInt32, heartbeat: Timestamp?)?

    /// Events applied under one hold of the directory's lock, so that look-ups wait for microseconds.
    static let slice = 64
    private static let heartbeatInterval: Duration = .seconds(5)
    private static let reportInterval: Duration = .seconds(60)
    private static let compactionSlice = 20_000
    /// Sessions that are looked at under one hold of the directory's lock for those of somebody erased.
    private static let forgettingSlice = 20_000
    /// Packets that wait for the register at most. A NAS repeats further ones.
    static let unsettledLimit = 16_384
    /// Revocations that one transaction carries at most.
    static let revocationSlice = 1000

    /// What keeps packets from being answered now, in words for the operator, or `nil`.
    var problem: String? { work.withLockedValue { $0.failing.map(\.rawValue).min() } }

    init(
        configuration: GatewayConfiguration, directory: NIOLockedValueBox<Directory>, journal: Journal?,
        register: any RegisterDesk, clock: any WallClock, metrics: GatewayMetrics, logger: Logger,
        changes: [DirectoryChange], listened: Timestamp?
    ) {
        self.configuration = configuration
        self.directory = directory
        self.journal = journal
        self.register = register
        self.clock = clock
        self.metrics = metrics
        self.logger = logger
        work = NIOLockedValueBox(
            Work(exchange: AccountingExchange(configuration: configuration), changes: changes))
        settling = directory.withLockedValue { $0.settlesLast }.map { ($0, listened) }
    }

    /// What the exchange said of a batch.
    private struct Received {
        /// Packets that were believed, and where each stands in the batch.
        var transactions: [Transaction] = []
        var places: [Int] = []
        var repeated: [(place: Int, nas: Int)] = []
        var dropped: [(place: Int, reason: DropReason)] = []
        var suspects: [AccountingEvent] = []
    }

    private func receive(_ batch: DatagramBatch, at now: Timestamp) -> Received {
        var received = Received()
        received.transactions.reserveCapacity(batch.count)
        received.places.reserveCapacity(batch.count)
        work.withLockedValue { work in
            let bytes = batch.bytes.span
            for (place, envelope) in batch.envelopes.enumerated() {
                let datagram = bytes.extracting(envelope.range)
                switch work.exchange.receive(datagram, from: envelope.source, at: now) {
                case .drop(let reason, let suspect):
                    received.dropped.append((place, reason))
                    if let suspect { received.suspects.append(suspect) }
                case .repeatAnswer(let nas): received.repeated.append((place, nas))
                case .process(let transaction, let suspect):
                    if let suspect { received.suspects.append(suspect) }
                    received.transactions.append(transaction)
                    received.places.append(place)
                }
            }
        }
        return received
    }

    /// Processes a batch and does upkeep. Returns the answers to those of its packets that need not wait for the register, and to
    /// those for which it has been asked by now.
    func process(_ batch: DatagramBatch) async -> AnswerBatch {
        let now = clock.now
        let received = receive(batch, at: now)
        for (place, reason) in received.dropped {
            metrics.dropped(reason)
            if reason == .untimed { warnOfUntimed(batch.envelopes[place].source) }
            if reason == .outsidePools { tellOfOutsidePools(batch.envelopes[place].source, at: now) }
        }
        for suspect in received.suspects { doubt(because: suspect, at: now) }
        // Before what came later.
        let told = work.withLockedValue { work in
            defer { work.told = [] }
            return work.told
        }
        let settled = told.flatMap { settle($0, at: now) } + [apply(received, of: batch, at: now)]
        forgetErased()
        let isDurable = await flush(at: now)
        let answers = answer(settled, received.repeated, of: batch, isDurable: isDurable)
        await revokeLate()
        await keepUp(at: now)
        return answers
    }

    /// Packets of one batch that need not wait any longer.
    private struct Settled {
        let batch: DatagramBatch
        /// The packets, where each stands in the batch, and whether it took effect.
        var packets: [(transaction: Transaction, place: Int, isApplied: Bool)] = []
    }

    private func answer(
        _ settled: [Settled], _ repeated: [(place: Int, nas: Int)], of batch: DatagramBatch, isDurable: Bool
    )
        -> AnswerBatch
    {
        var answers = AnswerBatch()
        var failed = 0
        work.withLockedValue { work in
            func answer(_ batch: DatagramBatch, _ place: Int, nas: Int) {
                let envelope = batch.envelopes[place]
                let start = answers.bytes.count
                work.exchange.answer(batch.bytes.span.extracting(envelope.range), nas: nas, onto: &answers.bytes)
                answers.end(from: start, to: envelope)
            }
            for (place, nas) in repeated { answer(batch, place, nas: nas) }
            for settled in settled {
                for (transaction, place, isApplied) in settled.packets {
                    guard isApplied, isDurable else {
                        work.exchange.didFail(transaction)
                        failed += 1
                        continue
                    }
                    work.exchange.didAnswer(transaction)
                    answer(settled.batch, place, nas: transaction.nas)
                }
            }
        }
        metrics.repeated(repeated.count)
        metrics.answered(answers.count - repeated.count)
        metrics.dropped(.unavailable, count: failed)
        return answers
    }

    /// Applies what needs nothing from the register, and puts the rest with what the register is to be asked.
    private func apply(_ received: Received, of batch: DatagramBatch, at now: Timestamp) -> Settled {
        let transactions = received.transactions
        var applied = [Bool](repeating: true, count: transactions.count)
        var waiting: [Int] = []
        var question = Question(batch: batch)
        apply(transactions.indices.lazy.filter { transactions[$0].event != nil }, transactions, at: now, &applied) {
            directory, index, event in
            guard directory.needsRegister(event) else { return Self.identified(withoutRegister: event) }
            question.suspended += directory.suspendHolders(before: event)
            waiting.append(index)
            return nil
        }
        var isAsked = [Bool](repeating: false, count: transactions.count)
        var unusable: [Int] = []
        for index in waiting {
            guard let event = transactions[index].event, let text = event.calling else { continue }
            if let number = configuration.networkAccessServers[event.nas].number(text) {
                question.asked.append((transactions[index], event, received.places[index], number))
                isAsked[index] = true
            } else {
                unusable.append(index)
            }
        }
        apply(unusable, transactions, at: now, &applied) { directory, _, event in
            .unusable(identity: directory.identity(of: event))
        }
        var settled = Settled(batch: batch)
        for index in transactions.indices where !isAsked[index] {
            settled.packets.append((transactions[index], received.places[index], applied[index]))
        }
        if !question.asked.isEmpty, work.withLockedValue({ [question] in $0.take(question) }) { return settled }
        // Nothing to ask, or too much waits already: then the NAS says it again, and until then it is a doubt.
        directory.withLockedValue { [question] in $0.resume(question.suspended) }
        for asked in question.asked {
            settled.packets.append((asked.transaction, asked.place, false))
            doubt(because: asked.event, at: now)
        }
        return settled
    }

    /// Whether there are packets about which the register has not been asked.
    var hasQuestions: Bool { work.withLockedValue { !$0.waiting.isEmpty } }

    /// Whether packets wait for the register, or for ``process(_:)`` after it was asked.
    var hasUnsettled: Bool { work.withLockedValue { $0.unsettled > 0 } }

    /// Asks the register about all packets that wait for it. Runs beside ``process(_:)``, which answers them when it is called
    /// the next time; not beside itself.
    func askRegister() async {
        let questions = work.withLockedValue { work in
            work.asking = work.waiting
            work.waiting = []
            return work.asking
        }
        guard !questions.isEmpty else { return }
        let references = await observe(questions.flatMap(\.asked).map { ($0.event, $0.number) })
        work.withLockedValue { work in
            work.told.append(Told(questions: work.asking, references: references))
            work.asking = []
        }
    }

    /// Asks the register until no packet waits for it, and hands over the answers. Not beside ``process(_:)``.
    func settleAll(_ take: (AnswerBatch) async -> Void) async {
        while hasUnsettled {
            await askRegister()
            await take(await process(DatagramBatch()))
        }
    }

    /// Applies the packets about which the register has been asked.
    private func settle(_ told: Told, at now: Timestamp) -> [Settled] {
        var rest = told.references.map { $0[...] }
        let settled = told.questions.map { question in
            var settled = Settled(batch: question.batch)
            let transactions = question.asked.map(\.transaction)
            var applied = [Bool](repeating: told.references != nil, count: transactions.count)
            if let references = rest?.prefix(transactions.count) {
                rest?.removeFirst(transactions.count)
                apply(transactions.indices, transactions, at: now, &applied) { directory, index, event in
                    let identity = directory.identity(of: event)
                    let reference = references[references.startIndex + index]
                    return directory.meaning(
                        of: reference.map { .subscriber($0, identity: identity) } ?? .nobody, for: event)
                }
            }
            settled.packets = zip(question.asked, applied).map { ($0.transaction, $0.place, $1) }
            return settled
        }
        work.withLockedValue { work in
            work.unsettled -= told.questions.reduce(0) { $0 + $1.asked.count }
            work.erased.formUnion(work.erasedMeanwhile)
            work.erasedMeanwhile = []
            directory.withLockedValue { directory in
                for question in told.questions { directory.resume(question.suspended) }
                // Those that still wait may speak against the same sessions, or against new ones.
                for index in work.asking.indices { work.asking[index].suspendHolders(&directory) }
                for index in work.waiting.indices { work.waiting[index].suspendHolders(&directory) }
            }
        }
        if told.references == nil {
            // The NAS says it again. Until then what it said is a doubt.
            for asked in told.questions.flatMap(\.asked) { doubt(because: asked.event, at: now) }
        }
        return settled
    }

    /// Applies the events at `indices`, a slice under each hold of the directory's lock.
    ///
    /// - Parameter identify: what is known of an event's subscriber, asked under the lock right before the event is applied;
    ///   `nil` if it is not to be applied now.
    private func apply(
        _ indices: some Sequence<Int>, _ transactions: [Transaction], at now: Timestamp, _ applied: inout [Bool],
        identify: (inout Directory, Int, AccountingEvent) -> Directory.Identified?
    ) {
        var iterator = indices.makeIterator()
        var isFull = false
        while true {
            var done: [Int] = []
            var full: Set<Int> = []
            var outcome = Directory.Outcome()
            var late = LateResets()
            let isLast = directory.withLockedValue { directory in
                for _ in 0..<Self.slice {
                    guard let index = iterator.next() else { return true }
                    guard let event = transactions[index].event,
                        let identified = identify(&directory, index, event)
                    else { continue }
                    let before = (outcome.changes.count, outcome.revoked.count)
                    outcome.isFull = false
                    directory.apply(event, identified: identified, at: now, &outcome)
                    if outcome.isFull { full.insert(index) }
                    if outcome.revoked.count - before.1 > Self.revocationSlice {
                        late.scopes.insert(event.scope)
                        late.changes += outcome.changes[before.0...]
                        late.bindings += outcome.revoked[before.1...]
                        outcome.changes.removeLast(outcome.changes.count - before.0)
                        outcome.revoked.removeLast(outcome.revoked.count - before.1)
                    }
                    done.append(index)
                }
                return false
            }
            work.withLockedValue { work in
                work.changes += outcome.changes
                work.revocations += outcome.revoked
                work.lateResets.scopes.formUnion(late.scopes)
                work.lateResets.bindings += late.bindings
                work.lateResets.changes += late.changes
                for index in done {
                    if let event = transactions[index].event, event.kind == .reset,
                        work.lateResets.scopes.contains(event.scope)
                    {
                        applied[index] = false
                    } else if full.contains(index) {
                        applied[index] = false
                        isFull = true
                        metrics.dropped(.full)
                    } else {
                        work.exchange.didApply(transactions[index])
                    }
                }
            }
            if isLast { break }
        }
        if isFull { fail(.full) }
    }

    private static func identified(withoutRegister event: AccountingEvent) -> Directory.Identified {
        event.calling == nil && event.kind == .start ? .nobody : .unchanged
    }

    private func observe(_ events: [(AccountingEvent, PhoneNumber)]) async -> [SubscriptionReference?]? {
        let servers = configuration.networkAccessServers
        let observations = directory.withLockedValue { directory in
            events.map { event, number in
                SubscriberObservation(
                    number: number, imsi: event.imsi, carrier: servers[event.nas].carrier, eventTime: event.timestamp,
                    startsSession: directory.startsSession(event))
            }
        }
        do {
            let references = try await register.observe(observations)
            guard references.count == events.count else {
                fail(.observing)
                return nil
            }
            recover([.observing])
            return references
        } catch {
            fail(.observing)
            return nil
        }
    }

    /// Carries out revocations, then makes changes durable, in that order: after a crash in between the NAS repeats its
    /// packet and both happen again. Answers whether nothing is left to do.
    private func flush(at now: Timestamp) async -> Bool {
        let (changes, revocations, isDue) = work.withLockedValue { work in
            (
                work.changes, work.revocations,
                now - work.lastHeartbeat >= Self.heartbeatInterval || now < work.lastHeartbeat
            )
        }
        if !revocations.isEmpty {
            do {
                try await register.revoke(revocations)
                work.withLockedValue { $0.revocations.removeFirst(revocations.count) }
            } catch {
                fail(.revoking)
                directory.withLockedValue { $0.mark(changes, unsaved: true) }
                return false
            }
        }
        guard let journal else {
            work.withLockedValue { $0.changes.removeAll() }
            didFlush(changes)
            return true
        }
        guard !changes.isEmpty || isDue || journal.isBroken else { return true }
        do {
            try await NIOThreadPool.singleton.runIfActive { [self] in
                if journal.isBroken {
                    try rewrite(journal, at: now)
                } else {
                    try journal.commit(changes, at: heartbeat(at: now))
                }
            }
        } catch {
            metrics.journalFailed()
            fail(.journalling, error as? JournalError)
            directory.withLockedValue { $0.mark(changes, unsaved: true) }
            return false
        }
        work.withLockedValue {
            $0.changes.removeAll(keepingCapacity: true)
            $0.lastHeartbeat = now
        }
        didFlush(changes)
        return true
    }

    private func recover(_ failures: Set<Failure>) {
        let ended = work.withLockedValue { work in
            defer { work.failing.subtract(failures) }
            return work.failing.intersection(failures)
        }
        for failure in ended { logger.notice("works again", metadata: ["after": "\(failure.rawValue)"]) }
    }

    private func didFlush(_ changes: [DirectoryChange]) {
        if work.withLockedValue({ !$0.failing.isDisjoint(with: [.revoking, .journalling]) }) {
            directory.withLockedValue { $0.mark(changes, unsaved: false) }
        }
        recover([.revoking, .journalling])
    }

    private func fail(_ failure: Failure, _ error: JournalError? = nil) {
        guard work.withLockedValue({ $0.failing.insert(failure).inserted }) else { return }
        logger.error(
            failure == .full ? "\(failure.rawValue)" : "\(failure.rawValue); accounting is not answered",
            metadata: error.map { ["error": "\($0)"] } ?? [:])
    }
}

extension AccountingProcessor {
    /// The queue had no room for packets.
    ///
    /// - Parameter sources: where they came from.
    func didShed(_ sources: [InternetAddress]) {
        for nas in Set(work.withLockedValue { work in sources.compactMap { work.exchange.server(for: $0) } }) {
            miss(from: nas)
        }
    }

    /// The kernel had no room for packets: they may have been any NAS's.
    func didLose() { miss(from: nil) }

    private func miss(from nas: Int?) {
        let now = clock.now
        note(directory.withLockedValue { $0.miss(from: nas, at: now) })
    }

    private func doubt(because event: AccountingEvent, at now: Timestamp) {
        note(directory.withLockedValue { $0.doubt(because: event, at: now) })
    }

    private func note(_ changes: [DirectoryChange]) {
        guard !changes.isEmpty else { return }
        work.withLockedValue { $0.changes += changes }
    }

    /// Makes the sessions of erased rows nobody's, with the next batch. The journal is then written anew without them.
    func forget(_ subscriptions: [Int64]) { work.withLockedValue { $0.erased.formUnion(subscriptions) } }

    private func forgetErased() {
        let erased = work.withLockedValue { work in
            defer { work.erased = [] }
            if work.unsettled > 0 { work.erasedMeanwhile.formUnion(work.erased) }
            return work.erased
        }
        guard !erased.isEmpty else { return }
        var outcome = Directory.Outcome()
        var start = 0
        var end = 0
        repeat {
            directory.withLockedValue { directory in
                end = directory.sessions.end
                directory.forget(erased, in: start..<min(start + Self.forgettingSlice, end), &outcome)
            }
            start += Self.forgettingSlice
        } while start < end
        work.withLockedValue { work in
            work.changes += outcome.changes
            work.revocations += outcome.revoked
        }
        if !outcome.changes.isEmpty { journal?.askForCompaction() }
    }

    private func warnOfUntimed(_ source: InternetAddress) {
        let nas = work.withLockedValue { work -> Int? in
            guard let nas = work.exchange.server(for: source), work.untimed.insert(nas).inserted else {
                return nil
            }
            return nas
        }
        guard let nas else { return }
        logger.warning(
            "a NAS sends accounting without Event-Timestamp, which is not answered; let it send attribute 55",
            metadata: ["nas": "\(configuration.networkAccessServers[nas].name)"])
    }

    /// Says so once a minute for each NAS: a pool that was forgotten looks like a network without phones.
    private func tellOfOutsidePools(_ source: InternetAddress, at now: Timestamp) {
        let nas = work.withLockedValue { work -> Int? in
            guard let nas = work.exchange.server(for: source) else { return nil }
            if let last = work.outside[nas], now >= last, now - last < Self.reportInterval { return nil }
            work.outside[nas] = now
            return nas
        }
        guard let nas else { return }
        let name = configuration.networkAccessServers[nas].name
        logger.notice(
            "a NAS announces addresses that are not its own, which is not answered; name them in nas.\(name).pools if they are",
            metadata: ["nas": "\(name)", "reason": "\(DropReason.outsidePools.rawValue)"])
    }

    /// Whether a late Accounting-Off waits for its next slice of revocations. Not while the register cannot revoke: upkeep
    /// tries again.
    var hasMoreToRevoke: Bool {
        work.withLockedValue { !$0.lateResets.scopes.isEmpty && !$0.failing.contains(.revoking) }
    }

    private func revokeLate() async {
        let slice = work.withLockedValue { Array($0.lateResets.bindings.suffix(Self.revocationSlice)) }
        if !slice.isEmpty {
            do { try await register.revoke(slice) } catch { return fail(.revoking) }
        }
        work.withLockedValue { work in
            work.lateResets.bindings.removeLast(slice.count)
            guard work.lateResets.bindings.isEmpty else { return }
            // Now it may be kept, and the NAS's repetition be answered.
            work.changes += work.lateResets.changes
            work.lateResets = LateResets()
        }
    }

    /// Sweeps and compacts, a little at a time.
    private func keepUp(at now: Timestamp) async {
        let count = directory.withLockedValue { directory in
            directory.sweep(2048, at: now)
            return directory.sessions.count
        }
        metrics.sessions(count)
        if count < configuration.sessionLimit { recover([.full]) }
        guard let journal, !journal.isBroken, journal.isCompacting || journal.wantsCompaction else { return }
        do {
            try await NIOThreadPool.singleton.runIfActive { [self] in
                if !journal.isCompacting { try begin(journal) }
                if try addSlice(journal) { try journal.finishCompaction(general(), at: heartbeat(at: now)) }
            }
        } catch {
            metrics.journalFailed()
            logger.warning(
                "the journal cannot be compacted", metadata: ["error": "\((error as? JournalError)?.description ?? "")"]
            )
        }
    }

    private func begin(_ journal: Journal) throws {
        try journal.beginCompaction()
        work.withLockedValue { $0.compactionPosition = 0 }
    }

    /// `true` when all sessions are in the new file.
    private func addSlice(_ journal: Journal) throws -> Bool {
        let start = work.withLockedValue { $0.compactionPosition }
        let (states, end, total) = directory.withLockedValue { directory in
            let end = min(start + Self.compactionSlice, directory.sessions.end)
            let places = (start..<max(start, end)).filter { !directory.sessions.isFree($0) }
            return (places.map { DirectoryChange.put(directory.state(of: $0)) }, end, directory.sessions.end)
        }
        try journal.addToCompaction(states)
        work.withLockedValue { $0.compactionPosition = end }
        return end >= total
    }

    private func general() -> [DirectoryChange] { directory.withLockedValue { $0.generalChanges } }

    /// Writes the journal anew from the directory, whatever the disk holds.
    private func rewrite(_ journal: Journal, at now: Timestamp) throws {
        try begin(journal)
        while try !addSlice(journal) {}
        try journal.finishCompaction(general(), at: heartbeat(at: now))
    }

    private func heartbeat(at now: Timestamp) -> Timestamp? {
        guard let settling, now.wholeSeconds < settling.until else { return now }
        return settling.heartbeat
    }

    /// The last heartbeat before the end.
    func finish() async {
        work.withLockedValue { $0.lastHeartbeat = Timestamp(milliseconds: .min) }
        _ = await flush(at: clock.now)
        journal?.close()
    }
}

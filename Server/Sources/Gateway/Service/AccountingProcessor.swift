@_spi(Server) import BenjiProtocol
import Logging
import NIOConcurrencyHelpers
import NIOPosix
import Sightings

/// Takes batches of packets through exchange, register, directory and journal, and gives the answers.
///
/// One batch at a time; ``GatewayService/run()`` is the only caller. Nothing is answered before it is applied, its
/// revocations are done and its changes are durable. What fails is not answered, and the NAS repeats it.
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

    /// What only the processing of batches touches.
    private struct Work {
        var exchange: AccountingExchange
        /// Applied and not yet durable.
        var changes: [DirectoryChange] = []
        var revocations: [BindingID] = []
        var lateResets = LateResets()
        var lastHeartbeat = Timestamp(milliseconds: .min)
        var compactionPosition = 0
        var failing: Set<Failure> = []
        /// NASes that were reported for leaving the time out.
        var untimed: Set<Int> = []
        /// When NASes were last reported for announcing addresses outside their pools.
        var outside: [Int: Timestamp] = [:]
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

    /// Processes a batch and does upkeep. Returns the answers.
    func process(_ batch: [Datagram]) async -> [(datagram: Datagram, bytes: [UInt8])] {
        let now = clock.now
        var answers: [(datagram: Datagram, bytes: [UInt8])] = []
        var believed: [(datagram: Datagram, transaction: Transaction)] = []
        for datagram in batch {
            let decision = work.withLockedValue {
                $0.exchange.receive(datagram.bytes, from: datagram.source, at: now)
            }
            switch decision {
            case .drop(let reason, let suspect):
                metrics.packet(reason.rawValue)
                if reason == .untimed { warnOfUntimed(datagram) }
                if reason == .outsidePools { tellOfOutsidePools(datagram, at: now) }
                if let suspect { doubt(because: suspect, at: now) }
            case .repeatAnswer(let bytes): answers.append((datagram, bytes))
            case .process(let transaction):
                if let suspect = transaction.suspect { doubt(because: suspect, at: now) }
                believed.append((datagram, transaction))
            }
        }
        let repeated = answers.count
        metrics.packet("repeated", count: repeated)
        let applied = await apply(believed.map(\.transaction), at: now)
        let isDurable = await flush(at: now)
        for (index, (datagram, transaction)) in believed.enumerated() {
            guard applied[index], isDurable else {
                work.withLockedValue { $0.exchange.didFail(transaction) }
                metrics.packet(DropReason.unavailable.rawValue)
                continue
            }
            work.withLockedValue { $0.exchange.didAnswer(transaction) }
            answers.append((datagram, transaction.response))
        }
        metrics.packet("answered", count: answers.count - repeated)
        await revokeLate()
        await keepUp(at: now)
        return answers
    }

    /// Applies events to the directory, after asking the register where it must be asked. Answers which took effect.
    private func apply(_ transactions: [Transaction], at now: Timestamp) async -> [Bool] {
        var applied = [Bool](repeating: true, count: transactions.count)
        var waiting: [Int] = []
        var suspended: [SessionKey] = []
        var direct: [(Int, AccountingEvent, Directory.Identified)] = []
        for start in stride(from: 0, to: transactions.count, by: Self.slice) {
            directory.withLockedValue { directory in
                for index in start..<min(start + Self.slice, transactions.count) {
                    guard let event = transactions[index].event else { continue }
                    if directory.needsRegister(event) {
                        suspended += directory.suspendHolders(before: event)
                        waiting.append(index)
                    } else {
                        direct.append((index, event, Self.identified(withoutRegister: event)))
                    }
                }
            }
        }
        var named: [(index: Int, event: AccountingEvent, number: PhoneNumber)] = []
        for index in waiting {
            guard let event = transactions[index].event, let text = event.calling else { continue }
            if let number = configuration.networkAccessServers[event.nas].number(text) {
                named.append((index, event, number))
            } else {
                let identity = directory.withLockedValue { $0.identity(of: event) }
                direct.append((index, event, .unusable(identity: identity)))
            }
        }
        apply(direct, at: now, &applied)
        guard !named.isEmpty else {
            directory.withLockedValue { $0.resume(suspended) }
            return applied
        }
        let events = named.map(\.event)
        guard let references = await observe(named.map { ($0.event, $0.number) }) else {
            for (index, _, _) in named { applied[index] = false }
            // The NAS says it again. Until then what it said is a doubt.
            directory.withLockedValue { $0.resume(suspended) }
            for event in events { doubt(because: event, at: now) }
            return applied
        }
        var identified: [(Int, AccountingEvent, Directory.Identified)] = []
        for (offset, event) in events.enumerated() {
            let answer = directory.withLockedValue { directory in
                let identity = directory.identity(of: event)
                return directory.meaning(
                    of: references[offset].map { .subscriber($0, identity: identity) } ?? .nobody, for: event)
            }
            identified.append((named[offset].index, event, answer))
        }
        apply(identified, at: now, &applied)
        directory.withLockedValue { $0.resume(suspended) }
        return applied
    }

    private func apply(
        _ events: [(Int, AccountingEvent, Directory.Identified)], at now: Timestamp, _ applied: inout [Bool]
    ) {
        for start in stride(from: 0, to: events.count, by: Self.slice) {
            let slice = events[start..<min(start + Self.slice, events.count)]
            var isFull = false
            let outcomes = directory.withLockedValue { directory in
                slice.map { directory.apply($0.1, identified: $0.2, at: now) }
            }
            work.withLockedValue { work in
                for ((index, event, _), outcome) in zip(slice, outcomes) {
                    if outcome.revoked.count > Self.revocationSlice {
                        work.lateResets.scopes.insert(event.scope)
                        work.lateResets.bindings += outcome.revoked
                        work.lateResets.changes += outcome.changes
                    } else {
                        work.changes += outcome.changes
                        work.revocations += outcome.revoked
                    }
                    if event.kind == .reset, work.lateResets.scopes.contains(event.scope) {
                        applied[index] = false
                    } else if outcome.isFull {
                        applied[index] = false
                        isFull = true
                        metrics.packet(DropReason.full.rawValue)
                    } else {
                        work.exchange.didApply(event)
                    }
                }
            }
            if isFull { fail(.full) }
        }
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
    func didShed(_ lost: [Datagram]) {
        for nas in Set(work.withLockedValue { work in lost.compactMap { work.exchange.server(for: $0.source) } }) {
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

    private func warnOfUntimed(_ datagram: Datagram) {
        let nas = work.withLockedValue { work -> Int? in
            guard let nas = work.exchange.server(for: datagram.source), work.untimed.insert(nas).inserted else {
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
    private func tellOfOutsidePools(_ datagram: Datagram, at now: Timestamp) {
        let nas = work.withLockedValue { work -> Int? in
            guard let nas = work.exchange.server(for: datagram.source) else { return nil }
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
            let places = (start..<max(start, end)).filter { !directory.sessions[$0].isFree }
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

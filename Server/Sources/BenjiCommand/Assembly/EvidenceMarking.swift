import Authority
import BenjiProtocol
import Logging
import Requests
import ServiceLifecycle
import Store
import Synchronization

/// Counts new rows of the ledger and of the consents in their marks every five seconds (decision 65). Every node of an
/// authority runs one, and no row is counted twice. If rows wait for ten minutes and none is counted, the log and the
/// warnings of `/health/ready` report it. Rows that are taken out meanwhile are not noticed.
final class EvidenceMarking: Service {
    static let patience: Duration = .seconds(600)

    private let counting: @Sendable () async throws(StoreError) -> EvidenceProgress
    private let rowCodes: RowCodes
    private let logger: Logger
    private let state = Mutex(State())

    private struct State {
        /// The moment since which rows wait and none is counted.
        var waiting: [LogKind: ContinuousClock.Instant] = [:]
        var isTroubled = false
        var isStanding = false
    }

    convenience init(store: any Store, expiryClock: ExpiryClock, clockWatch: ClockWatch?, logger: Logger) {
        self.init(store.rowCodes, logger: logger) { () async throws(StoreError) in
            try await store.markEvidence(at: expiryClock.moment(trusting: clockWatch))
        }
    }

    /// - Parameter counting: ``RowCodeStore/markEvidence(at:)``.
    init(
        _ rowCodes: RowCodes, logger: Logger,
        counting: @escaping @Sendable () async throws(StoreError) -> EvidenceProgress
    ) {
        self.rowCodes = rowCodes
        self.logger = logger
        self.counting = counting
    }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                await self.mark()
                do { try await Task.sleep(for: .seconds(5)) } catch { return }
            }
        }
    }

    /// Counts the new rows.
    ///
    /// - Parameter now: for tests.
    func mark(at now: ContinuousClock.Instant = .now) async {
        var waiting = Set(LogKind.allCases)
        var failure: StoreError?
        do throws(StoreError) {
            while !Task.isCancelled {
                let progress = try await counting()
                waiting.formIntersection(progress.waiting)
                if !progress.hasMore { break }
            }
        } catch { failure = error }
        // The next start counts the rows that this stop left.
        if Task.isCancelled { return }
        let (former, since) = state.withLock { [waiting] state -> (State, ContinuousClock.Instant?) in
            let former = state
            state.waiting = Dictionary(uniqueKeysWithValues: waiting.map { ($0, former.waiting[$0] ?? now) })
            let since = state.waiting.values.min()
            state.isTroubled = failure != nil
            state.isStanding = since.map { $0.duration(to: now) >= Self.patience } ?? false
            return (former, since)
        }
        if let failure, !former.isTroubled {
            logger.warning(
                "rows of the ledger and of the consents are not counted until this is repaired",
                metadata: ["reason": "\(failure)"])
        } else if failure == nil, former.isTroubled {
            logger.notice("rows of the ledger and of the consents are counted again")
        }
        report(since, at: now, wasStanding: former.isStanding)
    }

    private func report(_ since: ContinuousClock.Instant?, at now: ContinuousClock.Instant, wasStanding: Bool) {
        guard let since, since.duration(to: now) >= Self.patience else {
            rowCodes.note(markingProblem: nil)
            if wasStanding { logger.notice("rows of the ledger and of the consents do not wait any more") }
            return
        }
        let minutes = since.duration(to: now).components.seconds / 60
        let problem =
            "rows of the ledger or of the consents wait to be counted for \(minutes) minutes, and none is counted. "
            + "Rows that "
            + "are taken out meanwhile are not noticed. Find what is in the way (docs/operations/rows.md, Rows that "
            + "are not "
            + "counted)"
        rowCodes.note(markingProblem: problem)
        if !wasStanding { logger.error("\(problem)") }
    }
}

extension ExpiryClock {
    /// The moment by which the age of consents is judged; `nil` while this machine's clock is known to be wrong.
    func moment(trusting watch: ClockWatch?) -> Timestamp? { watch?.problem == nil ? now : nil }
}

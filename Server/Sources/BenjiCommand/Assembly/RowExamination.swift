import Authority
import Logging
import Requests
import ServiceLifecycle
import Store

/// Reads all rows that give rights, at the start and once an hour (decisions 63 and 65). Also compares the audit log,
/// the ledger and the consents with their marks. The start compares all rows of ledger and consents. Each later hour
/// compares the newest rows and one in 24 of the others, or all rows while a fault is known. The findings are in the
/// log and among the warnings of `/health/ready`. So is a failure to examine. Every node of an authority runs one.
struct RowExamination: Service {
    private let settle: @Sendable (_ hour: Int?) async throws(StoreError) -> Void
    private let compare: @Sendable (_ hour: Int?) async throws(StoreError) -> Void
    private let rowCodes: RowCodes
    private let logger: Logger

    init(store: any Store, expiryClock: ExpiryClock, clockWatch: ClockWatch?, logger: Logger) {
        self.init(
            store.rowCodes, logger: logger,
            settle: { (hour: Int?) async throws(StoreError) in
                try await store.settleEvidence(inHour: hour, at: expiryClock.moment(trusting: clockWatch))
            },
            compare: { (hour: Int?) async throws(StoreError) in _ = try await store.examineRows(inHour: hour) })
    }

    /// - Parameters:
    ///   - settle: ``RowCodeStore/settleEvidence(inHour:at:)``.
    ///   - compare: ``Store/Store/examineRows(inHour:)``.
    init(
        _ rowCodes: RowCodes, logger: Logger,
        settle: @escaping @Sendable (_ hour: Int?) async throws(StoreError) -> Void,
        compare: @escaping @Sendable (_ hour: Int?) async throws(StoreError) -> Void
    ) {
        self.settle = settle
        self.compare = compare
        self.rowCodes = rowCodes
        self.logger = logger
    }

    /// The hours that were completed.
    struct Hours {
        var settled = 0
        var compared = 0
    }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            var hours = Hours()
            while !Task.isCancelled {
                hours = await self.examine(hours)
                do { try await Task.sleep(for: .seconds(3600)) } catch { return }
            }
        }
    }

    /// Does the examination of one hour.
    ///
    /// - Parameter hours: the hours that were completed before.
    /// - Returns: the hours that are completed now. A step that failed is repeated in an hour.
    func examine(_ hours: Hours) async -> Hours {
        var hours = hours
        let isSound = rowCodes.evidenceProblems?.isEmpty == true
        // It writes, and so may fail where rows can be compared.
        do throws(StoreError) {
            try await settle(isSound ? hours.settled : nil)
            hours.settled += 1
        } catch {
            if Task.isCancelled { return hours }
            logger.warning(
                "consents that could still be deleted were not looked at again; it is tried again in an hour",
                metadata: ["reason": "\(error)"])
        }
        do throws(StoreError) {
            try await compare(isSound ? hours.compared : nil)
            if Task.isCancelled { return hours }
            hours.compared += 1
            rowCodes.note(examinationProblem: nil)
            if let problem = rowCodes.auditProblem { logger.error("\(problem)") }
            for problem in rowCodes.evidenceProblems ?? [] { logger.error("\(problem)") }
        } catch {
            if Task.isCancelled { return hours }
            let problem = "not all rows with codes and marks were examined; it is tried again in an hour"
            rowCodes.note(examinationProblem: "\(problem): \(error.detail)")
            logger.warning("\(problem)", metadata: ["reason": "\(error)"])
        }
        return hours
    }
}

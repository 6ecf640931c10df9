package import BenjiProtocol
import Synchronization

/// Message authentication codes of rows: of those that give rights, and of the end of the audit log (decision 63).
///
/// A party that can write to the database, but does not have the data secrets, cannot make such a row. The store
/// computes and compares codes; the key stays with the caller of ``use(_:)``. Until that call rows are written without
/// codes and read without a check.
package final class RowCodes: Sendable {
    /// A row whose code is missing or wrong. It counts as absent.
    package struct Refused: Hashable, Sendable {
        package var table: String
        /// The row's key, where that is no credential; otherwise the admin or app that it belongs to.
        package var id: String
    }

    private struct State {
        var code: (@Sendable ([UInt8]) -> [UInt8])?
        var refusing: @Sendable (Refused) -> Void = { _ in }
        var counting: @Sendable (_ table: String, _ count: Int) -> Void = { _, _ in }
        var refused: Set<Refused> = []
        /// The rows that each examination under way has refused so far.
        var examinations: [Int: Set<Refused>] = [:]
        var lastExamination = 0
        var auditProblem: String?
        /// `nil` until ledger and consents were compared.
        var evidenceProblems: [String]?
        var secretsProblem: String?
        var markingProblem: String?
        var examinationProblem: String?
    }

    /// The tables whose rows have codes.
    package static let tables = [
        "admin", "app", "console_account", "console_pending", "console_session", "openid_client",
    ]

    /// At most so many refused rows are named.
    private static let maximumNames = 64

    private let state = Mutex(State())

    package init() {}

    /// Gives every row a code from now on, and refuses rows without one.
    /// - Parameter code: a keyed hash of the bytes.
    package func use(_ code: @escaping @Sendable ([UInt8]) -> [UInt8]) { state.withLock { $0.code = code } }

    /// Reports the rows that are refused from now on. Neither function may wait.
    ///
    /// - Parameters:
    ///   - refusing: called for each row that is refused for the first time.
    ///   - counting: called with how many rows of a table are refused now, when that may have changed.
    package func observe(
        _ refusing: @escaping @Sendable (Refused) -> Void,
        counting: @escaping @Sendable (_ table: String, _ count: Int) -> Void
    ) {
        state.withLock { state in
            state.refusing = refusing
            state.counting = counting
        }
    }

    package var isInUse: Bool { state.withLock { $0.code != nil } }

    /// The code of a row; `nil` before ``use(_:)``.
    ///
    /// The covered values of an existing row never change. Otherwise an update would make every row of an installation
    /// refused. Append a later column after all other values, with its name before it, and leave it out while it has
    /// its default. Then existing rows keep their codes.
    ///
    /// - Parameter values: the row's, in an order that never changes. `nil` is NULL.
    package func code(of table: String, _ values: [[UInt8]?]) -> [UInt8]? {
        guard let code = state.withLock({ $0.code }) else { return nil }
        var bytes = LengthPrefixed(domain: "benji-row-v1")
        bytes.append(table)
        for value in values {
            bytes.append([value == nil ? 0 : 1] as [UInt8])
            if let value { bytes.append(value) }
        }
        return code(bytes.bytes)
    }

    /// Whether a row has the code that its values must have. One that does not is noted.
    package func accepts(_ code: [UInt8]?, of table: String, id: String, _ values: [[UInt8]?]) -> Bool {
        if matches(code, of: table, values) { return true }
        refuse(table, id: id)
        return false
    }

    /// The same without a note. Without ``use(_:)`` every code is right.
    package func matches(_ code: [UInt8]?, of table: String, _ values: [[UInt8]?]) -> Bool {
        guard let wanted = self.code(of: table, values) else { return true }
        return code.map { ConstantTime.areEqual($0, wanted) } ?? false
    }

    /// Notes a row as refused.
    package func refuse(_ table: String, id: String) {
        let row = Refused(table: table, id: id)
        let (observers, isNew, count) = state.withLock { state in
            let isNew = Self.insert(row, into: &state.refused)
            for number in state.examinations.keys { Self.insert(row, into: &state.examinations[number, default: []]) }
            return (state, isNew, state.refused.count(where: { $0.table == table }))
        }
        guard isNew else { return }
        observers.refusing(row)
        observers.counting(table, count)
    }

    @discardableResult
    private static func insert(_ row: Refused, into rows: inout Set<Refused>) -> Bool {
        rows.count < maximumNames && rows.insert(row).inserted
    }

    /// Reads all rows, and forgets those that were refused before and are valid now. If the reading fails, the known
    /// refusals stay.
    package func examine(_ reading: () async throws(StoreError) -> Void) async throws(StoreError) {
        let number = state.withLock { state in
            state.lastExamination += 1
            state.examinations[state.lastExamination] = []
            return state.lastExamination
        }
        do throws(StoreError) { try await reading() } catch {
            state.withLock { _ = $0.examinations.removeValue(forKey: number) }
            throw error
        }
        let observers = state.withLock { state in
            state.refused = state.examinations.removeValue(forKey: number) ?? []
            return state
        }
        for table in Self.tables {
            observers.counting(table, observers.refused.count(where: { $0.table == table }))
        }
    }

    /// All known faults, as messages for an operator. They are the rows that were refused since the last
    /// ``examine(_:)``, and faults of the audit log, the ledger, the consents and the data secrets. Failures of the
    /// examinations in the background are faults, too.
    package var problems: [String] {
        let known = state.withLock { $0 }
        let rows = known.refused.sorted { ($0.table, $0.id) < ($1.table, $1.id) }.map(\.problem)
        return rows + [known.auditProblem].compactMap { $0 } + (known.evidenceProblems ?? [])
            + [known.secretsProblem, known.markingProblem, known.examinationProblem].compactMap { $0 }
    }

    package var auditProblem: String? { state.withLock { $0.auditProblem } }

    /// Keeps what ``RowCodeStore/auditLogProblem()`` found.
    package func note(auditProblem: String?) { state.withLock { $0.auditProblem = auditProblem } }

    /// The last result of ``RowCodeStore/evidenceProblems()``; `nil` if there is none yet.
    package var evidenceProblems: [String]? { state.withLock { $0.evidenceProblems } }

    /// Keeps what ``RowCodeStore/evidenceProblems()`` found.
    package func note(evidenceProblems: [String]) { state.withLock { $0.evidenceProblems = evidenceProblems } }

    /// Keeps why rows have no codes where they should have them.
    package func note(secretsProblem: String?) { state.withLock { $0.secretsProblem = secretsProblem } }

    /// Keeps why rows are not counted in their marks.
    package func note(markingProblem: String?) { state.withLock { $0.markingProblem = markingProblem } }

    /// Keeps why rows were not examined in the last hour.
    package func note(examinationProblem: String?) { state.withLock { $0.examinationProblem = examinationProblem } }
}

extension RowCodes {
    /// Codes were begun once, and the database's record of it is missing or is an earlier copy.
    package static let begunBefore = StoreError(
        .corrupt,
        "rows that give rights had codes before, and the data secrets say that they have none: the tables data_secrets "
            + "or "
            + "master_key were emptied, or an earlier copy of them was put back. Nothing was changed. Find out who "
            + "wrote "
            + "to the database, and restore a backup. If it is a backup of an earlier version, delete the file "
            + "\(sealedFileName) in the data directory of each node")

    /// The file of the data directory that remembers that rows have codes.
    package static let sealedFileName = "rows-sealed"
}

extension RowCodes.Refused {
    private var remedy: String {
        RowToSeal.Table(rawValue: table) == nil
            ? "Those whom it concerns sign in again"
            : "If a node of an earlier version wrote it: benji rows show \(table) \(id)"
    }

    /// The message for an operator.
    package var problem: String {
        "the row \(id) of the table \(table) has no valid code, so Benji did not write it: it counts as absent. Find "
            + "out who wrote to the database, then delete the row or restore a backup. \(remedy)"
    }
}

/// The result of one call of ``RowCodeStore/markEvidence(at:)``.
package struct EvidenceProgress: Hashable, Sendable {
    /// The tables with rows that are not counted yet, and of which this call counted none.
    package var waiting: Set<LogKind>
    /// Whether there are more rows to count at once.
    package var hasMore: Bool

    package init(waiting: Set<LogKind> = [], hasMore: Bool = false) {
        self.waiting = waiting
        self.hasMore = hasMore
    }
}

/// Whether the tables with codes have rows and a mark. It decides whether codes were begun before.
package struct CodedRows: Hashable, Sendable {
    /// Whether the audit log has a mark, so that codes were begun.
    package var hasMark: Bool
    /// Whether there is a row that needs a code, or a line of the audit log.
    package var hasRows: Bool

    package init(hasMark: Bool, hasRows: Bool) {
        self.hasMark = hasMark
        self.hasRows = hasRows
    }
}

/// One row as it is in its table, whether or not its code is valid, for an operator who may give it a code.
package struct RowToSeal: Hashable, Sendable {
    package enum Table: String, CaseIterable, Sendable {
        case admin, app
        case openIDClient = "openid_client"
        /// The mark of the audit log, which is begun again. It has no id.
        case auditMark = "audit_mark"
        /// The marks of ledger and consents, which are begun again. They have no id.
        case evidenceMark = "evidence_mark"

        /// Whether there is one, or all are meant, so that none is named.
        package var hasNoID: Bool { self == .auditMark || self == .evidenceMark }
    }

    package var table: Table
    /// The name of the admin, or the id of the app.
    package var id: String
    /// The covered values: a name and a text for each. A credential is not among them; its hash is.
    package var values: [Value]
    /// Whether its code is valid.
    package var isValid: Bool
    /// A digest that differs for other content: 16 hexadecimal digits.
    package var digest: String

    package struct Value: Hashable, Sendable {
        package var name: String
        package var text: String

        package init(_ name: String, _ text: String) {
            self.name = name
            self.text = text
        }
    }

    package init(table: Table, id: String, values: [Value], isValid: Bool, digest: String) {
        self.table = table
        self.id = id
        self.values = values
        self.isValid = isValid
        self.digest = digest
    }
}

/// Keeps codes with the rows that give rights.
package protocol RowCodeStore: Sendable {
    var rowCodes: RowCodes { get }
    func codedRows() async throws(StoreError) -> CodedRows
    /// Gives a code to each row that an earlier version wrote, and begins the marks of the audit log, the ledger and
    /// the consents. It is one durable step, done once in the life of an installation. The data secrets record it.
    ///
    /// - Parameters:
    ///   - old: the data secrets that must still be there.
    ///   - new: the data secrets that take their place.
    ///   - onlyIfEmpty: whether it is refused if ``CodedRows/hasRows``, because codes were begun before.
    ///   - audit: the audit log's line, written if there was a row.
    /// - Returns: whether it was done; `false` if other data secrets are there by now, and then nothing was changed.
    /// - Throws: ``StoreError/Code/corrupt`` if codes were begun before: the data secrets are old.
    ///   ``StoreError/Code/keyChanged`` if `new` is under a key that is not in use any more.
    func sealRows(
        from old: Sealed, to new: Sealed, onlyIfEmpty: Bool, audit: AuditEntry
    ) async throws(StoreError) -> Bool
    /// Gives admins who were revoked without codes, as a restoration does, the code of a revoked admin. After that a
    /// party without the data secrets cannot take the revocation back.
    func sealRevocations() async throws(StoreError)
    /// A row as it is; `nil` if there is none. Without ``RowCodes/use(_:)`` too.
    func rowToSeal(_ table: RowToSeal.Table, id: String) async throws(StoreError) -> RowToSeal?
    /// Gives one row a code, or begins the mark of the audit log, or those of ledger and consents, again.
    ///
    /// - Returns: `false` if the row is not as it was read, and then nothing was changed.
    func seal(_ row: RowToSeal, audit: AuditEntry) async throws(StoreError) -> Bool
    /// Why the audit log is not what its mark says: the message for an operator, or `nil`. Reads all lines' numbers.
    func auditLogProblem() async throws(StoreError) -> String?
    /// Counts rows of the ledger and of the consents that came since the last call, in marks with codes (decision 65).
    /// Logins do not wait for it. Call it every few seconds, in any number of processes at once. Does nothing without
    /// ``RowCodes/use(_:)``.
    ///
    /// - Parameter now: as in ``settleEvidence(inHour:at:)``.
    func markEvidence(at now: Timestamp?) async throws(StoreError) -> EvidenceProgress
    /// Examines again the consents that were pending: their token or code was not redeemed when they were counted, so
    /// they could still be deleted. A consent that is too old for that counts then, whatever its credential says.
    ///
    /// - Parameters:
    ///   - hour: as in ``evidenceProblems(inHour:)``. Call it before that, each hour.
    ///   - now: the moment by which the age of consents is judged. A clock that is ahead of the database's makes no
    ///     consent older. If the database has no clock, the newest consent takes its place. `nil` if the clock is not
    ///     to be trusted: no consent counts for its age then.
    func settleEvidence(inHour hour: Int?, at now: Timestamp?) async throws(StoreError)
    /// Messages for an operator about a ledger and consents that differ from their marks, or cannot be counted. Reads
    /// the numbers of 16,384 rows at a time. Takes half a minute more at most if something keeps rows from being
    /// counted.
    ///
    /// - Parameter hour: a number that is one more each hour, not negative. Then only the newest rows of each table and
    ///   one in 24 of the others are counted, so that all are counted within a day. `nil` for all rows.
    func evidenceProblems(inHour hour: Int?) async throws(StoreError) -> [String]
}

extension RowCodeStore {
    /// The same of all rows.
    package func evidenceProblems() async throws(StoreError) -> [String] { try await evidenceProblems(inHour: nil) }
}

extension Store {
    /// Reads every row of admins, apps and OpenID clients, and so finds those without a valid code. Compares the audit
    /// log, the ledger and the consents with their marks.
    ///
    /// - Parameter hour: as in ``RowCodeStore/evidenceProblems(inHour:)``.
    /// - Returns: the faults, as messages for an operator.
    package func examineRows(inHour hour: Int? = nil) async throws(StoreError) -> [String] {
        try await rowCodes.examine { () async throws(StoreError) in
            _ = try await admins()
            for app in try await apps() { _ = try await openIDClient(app.id) }
        }
        rowCodes.note(auditProblem: try await auditLogProblem())
        rowCodes.note(evidenceProblems: try await evidenceProblems(inHour: hour))
        return rowCodes.problems
    }
}

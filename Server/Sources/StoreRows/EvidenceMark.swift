import BenjiProtocol
package import Store

extension LogKind {
    fileprivate var title: String {
        switch self {
        case .consent: "the consents"
        case .release: "the ledger"
        }
    }

    /// An SQL condition: whether a row may still be deleted with the credential that it bought, because that was not
    /// redeemed. Once it is false for a row, it stays false. The tests that read no other table come first.
    ///
    /// - Parameter since: an SQL argument, ``EvidenceMark/since``.
    fileprivate func isPending(since: String) -> String {
        switch self {
        case .consent:
            """
            (consent.token IS NOT NULL AND consent.received_at >= \(since) AND (
                EXISTS (SELECT 1 FROM token AS t WHERE t.hash = consent.token AND t.spent_at IS NULL)
                OR EXISTS (SELECT 1 FROM openid_credential AS o
                    WHERE o.hash = consent.token AND (o.spent_at IS NULL OR o.kind = 'page'))))
            """
        case .release: "(1 = 0)"
        }
    }

    /// The column with the moment when a row came, in milliseconds since 1970.
    fileprivate var moment: String {
        switch self {
        case .consent: "received_at"
        case .release: "at"
        }
    }

    /// An SQL query: the other marks that move along the table's numbers.
    fileprivate var otherMarks: String {
        let log = "SELECT source AS line FROM log_mark WHERE kind = '\(rawValue)'"
        return self == .release ? "\(log) UNION ALL SELECT line FROM ledger_mark" : log
    }
}

/// How many rows of the ledger or of the consents there are that Benji deletes by retention alone, sealed with a code
/// (decision 65).
///
/// There is one mark of each bucket of numbers, and one of the whole table. They are written in the background, after
/// the commits of the rows. Retention takes off what it deletes, in its own commit; an erasure deletes no such row. A
/// consent that bought nothing counts once it cannot be deleted with its credential any more. So if there are fewer
/// rows than marked, another party took rows out.
package struct EvidenceMark: Hashable, Sendable {
    /// Numbers in a bucket. Never changes: marks of other buckets would be wrong.
    static let bucketSize: Int64 = 16384
    /// The newest buckets, which are looked at each hour.
    static let newest: Int64 = 8
    /// The age in milliseconds from which a consent counts whatever its credential says. It cannot be deleted with the
    /// credential any more then. The sweep's moment is a day ago, and clocks of nodes may be a day apart.
    static let settledAge = ConsentRows.pendingAge + 2 * 86_400_000
    /// The bucket of the mark of the whole table.
    private static let whole: Int64 = -1

    var kind: LogKind
    var bucket: Int64
    /// The last number that was counted; 0 if none was.
    var line: Int64 = 0
    /// Of the numbers up to ``line``.
    var entries: Int64 = 0
    /// Rows up to ``line`` that may still be deleted when they were looked at last. 0 in the mark of the whole table.
    var pending: Int64 = 0
    /// Consents that were received before this moment were counted as rows for good. In milliseconds since 1970; 0 if
    /// none was for its age. 0 in the mark of the whole table.
    var since: Int64 = 0
    /// How often the mark was written.
    var changes: Int64 = 0
    /// Whether its code is valid.
    var isValid = true

    private init(_ kind: LogKind, bucket: Int64) {
        self.kind = kind
        self.bucket = bucket
    }

    // A party that can write to the database may give a row any number.
    private static func bucket(of line: Int64) -> Int64 { (max(line, 1) - 1) / bucketSize }
    private static func start(of bucket: Int64) -> Int64 { bucket * bucketSize }
    private static func last(of bucket: Int64) -> Int64 {
        let (end, isOver) = (bucket + 1).multipliedReportingOverflow(by: bucketSize)
        return isOver ? .max : end
    }

    // MARK: rows

    private var values: [any SQLArgument] { [kind.table, bucket, line, entries, pending, since, changes] }

    private static let columns = "bucket, line, entries, pending, since, changes, mac"

    private static func decode(
        _ kind: LogKind, _ codes: RowCodes, _ columns: inout some Columns
    ) throws -> EvidenceMark {
        var mark = EvidenceMark(kind, bucket: try columns.integer())
        mark.line = try columns.integer()
        mark.entries = try columns.integer()
        mark.pending = try columns.integer()
        mark.since = try columns.integer()
        mark.changes = try columns.integer()
        let code = try columns.bytes()
        mark.isValid = codes.matches(code, of: "evidence_mark", mark.values)
        return mark
    }

    private static func find(
        _ kind: LogKind, _ bucket: Int64, _ codes: RowCodes, _ db: some StatementRunner
    ) throws -> EvidenceMark? {
        try db.row(
            "SELECT \(columns) FROM evidence_mark WHERE kind = $1 AND bucket = $2", of: "evidence_mark", kind.table,
            bucket
        ) { try decode(kind, codes, &$0) }
    }

    private static func all(
        _ kind: LogKind, _ codes: RowCodes, _ db: some StatementRunner
    ) throws -> [EvidenceMark] {
        try db.rows(
            "SELECT \(columns) FROM evidence_mark WHERE kind = $1 ORDER BY bucket", of: "evidence_mark", kind.table
        ) { try decode(kind, codes, &$0) }
    }

    /// - Parameter rows: the values of an SQL INSERT.
    private static func putting(_ rows: String) -> String {
        """
        INSERT INTO evidence_mark (kind, bucket, line, entries, pending, since, changes, mac) VALUES \(rows)
        ON CONFLICT (kind, bucket) DO UPDATE SET line = excluded.line, entries = excluded.entries,
            pending = excluded.pending, since = excluded.since, changes = excluded.changes, mac = excluded.mac
        """
    }

    private var nextChange: Int64 { min(changes, Int64.max - 1) + 1 }

    private func put(_ codes: RowCodes, _ db: some StatementRunner) throws {
        var mark = self
        mark.changes = nextChange
        guard let code = codes.code(of: "evidence_mark", mark.values) else { return }
        try db.run(
            Self.putting("($1,$2,$3,$4,$5,$6,$7,$8)"), mark.kind.table, mark.bucket, mark.line, mark.entries,
            mark.pending, mark.since, mark.changes, code)
    }

    /// Begins the marks with the codes, or begins them again. Counting then starts at the first row.
    static func begin(_ codes: RowCodes, _ db: some StatementRunner) throws {
        guard codes.isInUse else { return }
        for kind in LogKind.allCases {
            var former = try all(kind, codes, db)
            if !former.contains(where: { $0.bucket == whole }) { former.append(EvidenceMark(kind, bucket: whole)) }
            // Many in one statement: retention, and logins after it, wait until all are written.
            let slice = 200
            for start in stride(from: 0, to: former.count, by: slice) {
                var rows: [String] = []
                var arguments: [any SQLArgument] = []
                for each in former[start...].prefix(slice) {
                    var mark = EvidenceMark(kind, bucket: each.bucket)
                    mark.changes = each.nextChange
                    guard let code = codes.code(of: "evidence_mark", mark.values) else { return }
                    let place = arguments.count
                    rows.append("('\(kind.table)',$\(place + 1),0,0,0,0,$\(place + 2),$\(place + 3))")
                    arguments += [mark.bucket, mark.changes, code] as [any SQLArgument]
                }
                try db.run(putting(rows.joined(separator: ",")), of: "", arguments: arguments) { _ in }
            }
        }
    }

    // MARK: counting

    /// The first row after the marks: its number, and when it came, in milliseconds since 1970. `nil` if there is none,
    /// or if the mark cannot be trusted.
    static func uncounted<DB: StatementRunner>(
        _ kind: LogKind, _ codes: RowCodes, _ db: DB
    ) throws -> (line: Int64, at: Int64)? {
        guard let head = try find(kind, whole, codes, db), head.isValid else { return nil }
        return try db.row(
            """
            SELECT id, \(kind.moment) FROM \(kind.table) WHERE id > $1 AND id <= \(DB.lastNumber(of: kind.table))
            ORDER BY id LIMIT 1
            """, of: kind.table, head.line
        ) { (line: try $0.integer(Int64.self), at: try $0.integer(Int64.self)) }
    }

    /// When the newest consent was received; `nil` if there is none.
    static func newestConsent<DB: StatementRunner>(_ db: DB) throws -> Timestamp? {
        try db.row(
            "SELECT received_at FROM consent WHERE id <= \(DB.lastNumber(of: "consent")) ORDER BY id DESC LIMIT 1",
            of: "consent"
        ) { try $0.timestamp() }
    }

    /// Rows of one bucket that were counted, and the marks with them.
    struct Step: Sendable {
        /// The mark of the whole table as it was read.
        var former: EvidenceMark
        var part: EvidenceMark
        var whole: EvidenceMark
        /// Whether there are rows in later buckets.
        var hasMore: Bool
    }

    /// - Parameters:
    ///   - settled: the last row that may be counted: no smaller one is committed any more.
    ///   - since: consents that were received before count for their age, in a bucket of which none is counted yet.
    /// - Returns: `nil` if there is nothing to count, or if a mark cannot be trusted. ``state(inHour:_:_:)`` reports
    ///   such a mark.
    static func next<DB: StatementRunner>(
        _ kind: LogKind, settled: Int64, since: Int64, _ codes: RowCodes, _ db: DB
    ) throws -> Step? {
        guard let former = try find(kind, whole, codes, db), former.isValid else { return nil }
        let new = "FROM \(kind.table) WHERE id > $1 AND id <= $2 AND id <= \(DB.lastNumber(of: kind.table))"
        let found = try db.row(
            "SELECT (SELECT min(id) \(new)), (SELECT max(id) \(new))", of: kind.table, former.line, settled
        ) { (first: try $0.optionalInteger(Int64.self), last: try $0.optionalInteger(Int64.self)) }
        guard let first = found?.first, let newest = found?.last else { return nil }
        let bucket = bucket(of: first)
        var part = try find(kind, bucket, codes, db) ?? EvidenceMark(kind, bucket: bucket)
        guard part.isValid else { return nil }
        if kind == .consent, part.line == 0 { part.since = since }
        let end = min(newest, last(of: bucket))
        guard let counted = try count(kind, after: former.line, through: end, since: part.since, db),
            let line = counted.last
        else { return nil }
        var step = Step(former: former, part: part, whole: former, hasMore: end < newest)
        step.part.line = line
        step.part.entries += counted.rows - counted.pending
        step.part.pending += counted.pending
        step.whole.line = line
        step.whole.entries += counted.rows - counted.pending
        return step
    }

    private struct Count {
        var last: Int64?
        var rows: Int64
        var pending: Int64
    }

    private static func count(
        _ kind: LogKind, after line: Int64, through last: Int64, since: Int64, _ db: some StatementRunner
    ) throws -> Count? {
        try db.row(
            """
            SELECT max(id), count(*), coalesce(sum(CASE WHEN \(kind.isPending(since: "$3")) THEN 1 ELSE 0 END), 0)
            FROM \(kind.table) WHERE id > $1 AND id <= $2
            """, of: kind.table, line, last, since
        ) { Count(last: try $0.optionalInteger(), rows: try $0.integer(), pending: try $0.integer()) }
    }

    /// Writes the marks of a step.
    ///
    /// - Returns: `false` if another process wrote the mark of the whole table since; then nothing was changed.
    static func put(_ step: Step, _ codes: RowCodes, _ db: some StatementRunner) throws -> Bool {
        guard let head = try find(step.former.kind, whole, codes, db), head == step.former else { return false }
        try step.part.put(codes, db)
        try step.whole.put(codes, db)
        return true
    }

    // MARK: pending rows

    /// Whether a bucket is due in an hour. The newest buckets are due each hour, each other one once in 24 hours.
    /// Without an hour, all are due.
    private static func isDue(_ bucket: Int64, inHour hour: Int?, newest line: Int64) -> Bool {
        guard let hour else { return true }
        return bucket > self.bucket(of: line) - newest || bucket % 24 == Int64(hour) % 24
    }

    /// Buckets with rows that could still be deleted when they were looked at last, and whose turn it is.
    static func pending(
        inHour hour: Int?, _ codes: RowCodes, _ db: some StatementRunner
    ) throws -> [EvidenceMark] {
        var pending: [EvidenceMark] = []
        for kind in LogKind.allCases {
            let marks = try all(kind, codes, db).filter(\.isValid)
            let line = marks.first { $0.bucket == whole }?.line ?? 0
            pending += marks.filter {
                $0.bucket != whole && $0.pending > 0 && isDue($0.bucket, inHour: hour, newest: line)
            }
        }
        return pending
    }

    /// A bucket's mark as it is, and as it is to be.
    struct Change: Sendable {
        var former: EvidenceMark
        var mark: EvidenceMark
    }

    /// Looks again at a bucket with pending rows.
    ///
    /// - Parameter since: consents that were received before count for their age.
    /// - Returns: its mark with the rows that stay for good by now; `nil` if nothing changed. The count of these rows
    ///   never falls, so that missing rows stay missing.
    static func settled(
        _ kind: LogKind, _ bucket: Int64, since: Int64, _ codes: RowCodes, _ db: some StatementRunner
    ) throws -> Change? {
        guard let former = try find(kind, bucket, codes, db), former.isValid else { return nil }
        var mark = former
        mark.since = max(former.since, since)
        guard
            let found = try count(
                kind, after: start(of: bucket), through: former.line, since: mark.since, db)
        else { return nil }
        mark.entries = max(former.entries, found.rows - found.pending)
        mark.pending = found.pending
        let isSame = mark.entries == former.entries && mark.pending == former.pending
        return isSame ? nil : Change(former: former, mark: mark)
    }

    /// Replaces the mark of a bucket.
    ///
    /// - Returns: `false` if another process wrote it since; then nothing was changed.
    static func put(_ change: Change, _ codes: RowCodes, _ db: some StatementRunner) throws -> Bool {
        let (former, mark) = (change.former, change.mark)
        guard try find(mark.kind, mark.bucket, codes, db) == former, var head = try find(mark.kind, whole, codes, db),
            head.isValid
        else { return false }
        head.entries += mark.entries - former.entries
        try mark.put(codes, db)
        try head.put(codes, db)
        return true
    }

    // MARK: retention

    /// Takes rows off the marks that retention deletes in this transaction. Call it with all of them at once, under
    /// ``StoreLock/evidenceMarks``.
    ///
    /// A consent that was pending until now was not counted, but is taken off all the same. The mark is then one too
    /// low until the bucket is examined again.
    package static func takeOff(
        _ kind: LogKind, _ lines: [Int64], _ codes: RowCodes, _ db: some StatementRunner
    ) throws {
        guard codes.isInUse, !lines.isEmpty, var head = try find(kind, whole, codes, db), head.isValid else { return }
        // Rows without a positive number were never counted.
        for (bucket, gone) in Dictionary(grouping: lines.filter { $0 > 0 }, by: bucket(of:)) {
            guard var part = try find(kind, bucket, codes, db), part.isValid else { continue }
            let line = part.line
            let count = min(part.entries, Int64(gone.count(where: { $0 <= line })))
            part.entries -= count
            head.entries -= min(head.entries, count)
            try part.put(codes, db)
        }
        // Written even if nothing was counted yet, so that a process that counts these rows now begins again.
        try head.put(codes, db)
    }

    // MARK: comparing

    /// The marks as of one moment.
    struct State: Sendable {
        /// Messages about the marks themselves, and about numbers that were never given out.
        var problems: [String] = []
        /// The buckets whose rows are to be counted.
        var parts: [EvidenceMark] = []
    }

    static func state<DB: StatementRunner>(inHour hour: Int?, _ codes: RowCodes, _ db: DB) throws -> State {
        var state = State()
        guard try db.hasRow("SELECT 1 FROM evidence_mark LIMIT 1") else {
            return State(problems: [noMarks])
        }
        for kind in LogKind.allCases {
            let marks = try all(kind, codes, db)
            let head = marks.first { $0.bucket == whole }
            let parts = marks.filter { $0.bucket != whole }
            if let fault = Self.fault(head, parts) {
                state.problems.append("\(kind.title): \(fault). \(remedy)")
            } else {
                let line = head?.line ?? 0
                state.parts += parts.filter { $0.entries > 0 && isDue($0.bucket, inHour: hour, newest: line) }
            }
            state.problems += try beyond(kind, head, db)
        }
        return state
    }

    private static func fault(_ head: EvidenceMark?, _ parts: [EvidenceMark]) -> String? {
        guard let head else { return "the marks are missing" }
        guard head.isValid, parts.allSatisfy(\.isValid) else { return "a mark was changed" }
        guard parts.reduce(0, { $0 + $1.entries }) == head.entries else {
            return "marks are missing, or are earlier copies"
        }
        return nil
    }

    /// Messages about a row, or a mark, with a greater number than were given out. Such a row is counted nowhere, so
    /// that rows with smaller numbers are counted still.
    private static func beyond<DB: StatementRunner>(
        _ kind: LogKind, _ head: EvidenceMark?, _ db: DB
    ) throws -> [String] {
        func greatest(_ sql: String) throws -> Int64? {
            try db.row(sql, of: kind.table) { try $0.optionalInteger(Int64.self) } ?? nil
        }
        let last = DB.lastNumber(of: kind.table)
        var problems: [String] = []
        if let row = try greatest("SELECT max(id) FROM \(kind.table) WHERE id > \(last)") {
            problems.append(
                "\(kind.title): the number of row \(row) was never given out, so Benji did not write it. It is counted "
                    + "nowhere. Find out who wrote to the database, and have the owner of the tables delete the row "
                    + AuditMark.beyondSection)
        }
        let given = try greatest("SELECT \(last)") ?? 0
        let mark = try greatest("SELECT max(line) FROM (\(kind.otherMarks)) AS marks")
        if let mark = [mark, head?.line].compactMap(\.self).max(), mark > given {
            problems.append(
                "\(kind.title): a mark is at number \(mark), which was never given out, so rows after \(given) are in "
                    + "no "
                    + "mark, sum or log. Find out who wrote to the database, and have the owner of the tables put the "
                    + "mark back \(AuditMark.beyondSection)")
        }
        return problems
    }

    /// How many rows of a bucket are missing, as of one moment.
    static func missing(_ part: EvidenceMark, _ codes: RowCodes, _ db: some StatementRunner) throws -> Int64 {
        // Retention may have taken rows off since the mark was read.
        guard let mark = try find(part.kind, part.bucket, codes, db), mark.isValid else { return 0 }
        // Without pending rows all rows count, so their credentials need not be read.
        let condition = mark.pending == 0 ? "" : "AND NOT \(mark.kind.isPending(since: "$3"))"
        let found = try db.row(
            "SELECT count(*) FROM \(mark.kind.table) WHERE id > $1 AND id <= $2 \(condition)", of: mark.kind.table,
            start(of: mark.bucket), mark.line, mark.since
        ) { try $0.integer(Int64.self) }
        return max(mark.entries - (found ?? 0), 0)
    }

    /// The message for an operator. Says the same however many rows come later.
    static func problem(missing: Int64, from part: EvidenceMark) -> String {
        "\(part.kind.title): \(missing) row\(missing == 1 ? "" : "s") that \(missing == 1 ? "was" : "were") there "
            + "\(missing == 1 ? "is" : "are") missing, the first between the numbers \(start(of: part.bucket) + 1) and "
            + "\(last(of: part.bucket)). \(remedy)"
    }

    /// The message about rows that something keeps from being counted.
    ///
    /// - Parameter line: the first of them.
    static func problem(_ kind: LogKind, stuckAt line: Int64) -> String {
        "\(kind.title): rows from number \(line) on are not counted, although they came more than an hour ago, because "
            + "a transaction that wrote to the database does not end. \(stuck)"
    }

    /// - Parameter reason: why the marks cannot be written.
    static func problem(unwritten reason: String) -> String {
        "the ledger and the consents: rows that came more than an hour ago are not counted, because the marks cannot "
            + "be "
            + "written: \(reason). \(stuck)"
    }

    private static let stuck =
        "Rows that are taken out meanwhile are not noticed. Find the session and end it (docs/operations/rows.md, Rows "
        + "that "
        + "are not counted)"

    private static let noMarks =
        "the ledger and the consents: there are no marks. If the database comes from a build between 0.1.0 and this "
        + "version, or from a backup of one, that is why: have them begun: benji rows show evidence_mark. Otherwise "
        + "somebody deleted them: find out who wrote to the database, and compare with a backup first"

    private static let remedy =
        "Find out who wrote to the database, and compare with a backup; then begin the marks again: benji rows show "
        + "evidence_mark"
}

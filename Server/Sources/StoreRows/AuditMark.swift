import Store

/// How far the audit log has come: its last line, how many lines there are up to it, and that line's code (decision
/// 63).
///
/// It is written in the commit of each line. A party without the data secrets cannot take lines away unnoticed, at the
/// end or before it. Lines after the mark are those of such a party: a restoration writes one. An operator may have the
/// mark begun again, and the log's next line records it.
struct AuditMark {
    var line: Int64
    var entries: Int64
    var digest: [UInt8]
    /// How often the mark was begun: 1 if it was never begun again. The mark goes back only with a larger number.
    var beginning: Int64 = 1

    private var values: [any SQLArgument] { [line, entries, digest, beginning] }

    /// The mark of the log as it is now, in the place of a former one.
    static func begin<DB: StatementRunner>(_ codes: RowCodes, _ db: DB) throws {
        let former = try db.row("SELECT beginning FROM audit_mark WHERE id = 1", of: "audit_mark") {
            try $0.integer(Int64.self)
        }
        let last = try db.row(
            "SELECT \(AuditRows.columns) FROM audit WHERE id <= \(DB.lastNumber(of: "audit")) ORDER BY id DESC LIMIT 1",
            of: "audit", read: AuditRows.decode)
        var mark = AuditMark(line: 0, entries: 0, digest: [0])
        if let last, let digest = AuditRows.code(of: last, codes) {
            mark = AuditMark(line: last.id, entries: try count(upTo: last.id, db), digest: digest)
        }
        if let former { mark.beginning = min(former, Int64.max - 1) + 1 }
        guard let code = codes.code(of: "audit_mark", mark.values) else { return }
        try db.run(
            """
            INSERT INTO audit_mark (id, line, entries, digest, beginning, mac) VALUES (1,$1,$2,$3,$4,$5)
            ON CONFLICT (id) DO UPDATE SET line = excluded.line, entries = excluded.entries,
                digest = excluded.digest, beginning = excluded.beginning, mac = excluded.mac
            """, mark.line, mark.entries, mark.digest, mark.beginning, code)
    }

    /// The mark and the log's state, for an operator who may have the mark begun again.
    static func toSeal<DB: StatementRunner>(_ codes: RowCodes, _ db: DB) throws -> RowToSeal {
        let kept = try read("", db)?.mark
        let last = try AuditRows.last(db)
        let found = try count(upTo: last, db)
        let values: [any SQLArgument] = [kept?.line, kept?.entries, last, found]
        let names = ["line", "entries", "the last line now", "lines now"]
        return RowToSeal(
            table: .auditMark, id: "", values: RowToSeal.Value.named(names, partNames: [""], values),
            isValid: try problem(codes, db) == nil, digest: codes.digest(of: "audit_mark", values))
    }

    /// The mark, which no other transaction changes until the end of this one. `nil` if there is none, or none that can
    /// be trusted: it stays as it is then, and ``problem(_:_:)`` reports it.
    static func hold<DB: StatementRunner>(_ codes: RowCodes, _ db: DB) throws -> AuditMark? {
        guard codes.isInUse else { return nil }
        return try find(codes, DB.lockingRows, db)
    }

    /// Moves the mark to a line that was written just now.
    func move(to entry: AuditEntry, _ codes: RowCodes, _ db: some StatementRunner) throws {
        guard let digest = AuditRows.code(of: entry, codes) else { return }
        let added = try db.row(
            "SELECT count(*) FROM audit WHERE id > $1 AND id <= $2", of: "audit", line, entry.id
        ) { try $0.integer(Int64.self) }
        let mark = AuditMark(
            line: entry.id, entries: entries + (added ?? 0), digest: digest, beginning: beginning)
        guard let code = codes.code(of: "audit_mark", mark.values) else { return }
        try db.run(
            "UPDATE audit_mark SET line = $1, entries = $2, digest = $3, mac = $4 WHERE id = 1", mark.line,
            mark.entries, mark.digest, code)
    }

    /// Why the log is not what the mark says, for an operator; `nil` if it is, or without codes.
    static func problem<DB: StatementRunner>(_ codes: RowCodes, _ db: DB) throws -> String? {
        guard codes.isInUse else { return nil }
        let remedy =
            "Find out who wrote to the database, and compare with a backup; then begin the mark again: benji rows show "
            + "audit_mark"
        guard let mark = try find(codes, "", db) else {
            return "the audit log: its mark is missing or was changed. \(remedy)"
        }
        let found = try count(upTo: mark.line, db)
        // More are no fault: a party without codes may commit a line with a smaller number later.
        guard found >= mark.entries else {
            return "the audit log: it had \(mark.entries) lines up to number \(mark.line), and has \(found). \(remedy)"
        }
        if mark.line > 0 {
            let last = try db.row(
                "SELECT \(AuditRows.columns) FROM audit WHERE id = $1", of: "audit", mark.line, read: AuditRows.decode)
            guard let last, AuditRows.code(of: last, codes) == mark.digest else {
                return "the audit log: line \(mark.line) is not as it was written. \(remedy)"
            }
        }
        let beyond = try db.row(
            "SELECT max(id) FROM audit WHERE id > \(DB.lastNumber(of: "audit"))", of: "audit"
        ) { try $0.optionalInteger(Int64.self) }
        return (beyond ?? nil).map { line in
            "the audit log: the number of line \(line) was never given out, so Benji did not write it. Find out who "
                + "wrote to "
                + "the database, and have the owner of the tables delete the line \(beyondSection)"
        }
    }

    /// Where the statements are that take away a row, or put back a mark, with a number that was never given out.
    static let beyondSection = "(docs/operations/rows.md, Numbers that were never given out)"

    private static func read(
        _ lock: String, _ db: some StatementRunner
    ) throws -> (mark: AuditMark, code: [UInt8])? {
        try db.row(
            "SELECT line, entries, digest, beginning, mac FROM audit_mark WHERE id = 1 \(lock)", of: "audit_mark"
        ) { columns -> (mark: AuditMark, code: [UInt8]) in
            let mark = AuditMark(
                line: try columns.integer(), entries: try columns.integer(), digest: try columns.bytes(),
                beginning: try columns.integer())
            return (mark: mark, code: try columns.bytes())
        }
    }

    private static func find(_ codes: RowCodes, _ lock: String, _ db: some StatementRunner) throws -> AuditMark? {
        let found = try read(lock, db)
        guard let found, codes.code(of: "audit_mark", found.mark.values) == found.code else { return nil }
        return found.mark
    }

    private static func count(upTo line: Int64, _ db: some StatementRunner) throws -> Int64 {
        try db.row("SELECT count(*) FROM audit WHERE id <= $1", of: "audit", line) {
            try $0.integer(Int64.self)
        } ?? 0
    }
}

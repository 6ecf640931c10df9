package import Store

extension TableStore {
    package func codedRows() async throws(StoreError) -> CodedRows {
        try await read("look for rows with codes") { db in
            CodedRows(hasMark: try db.hasRow("SELECT 1 FROM audit_mark"), hasRows: try RowSeals.haveRows(db))
        }
    }

    package func sealRows(
        from old: Sealed, to new: Sealed, onlyIfEmpty: Bool, audit: AuditEntry
    ) async throws(StoreError) -> Bool {
        let codes = rowCodes
        return try await write("seal rows", locks: [.orders, .masterKeys.shared, .evidenceMarks]) { db in
            try MasterKeyRows.check(new, db)
            let replaced = try db.run(
                "UPDATE data_secrets SET sealed = $1 WHERE id = 1 AND sealed = $2", new.bytes, old.bytes)
            guard replaced == 1 else { return false }
            guard try !db.hasRow("SELECT 1 FROM audit_mark"), try !(onlyIfEmpty && RowSeals.haveRows(db)) else {
                throw RowCodes.begunBefore
            }
            try AuditMark.begin(codes, db)
            try EvidenceMark.begin(codes, db)
            var count = try AdminRows.seal(codes, db)
            count += try ConsoleRows.seal(codes, db)
            count += try AppRows.seal(codes, db)
            count += try OpenIDRows.seal(codes, db)
            if count > 0 { try AuditRows.insert(audit, codes, db) }
            return true
        }
    }

    package func sealRevocations() async throws(StoreError) {
        let codes = rowCodes
        let areThere = try await read("look for revocations without codes") { db in
            try !AdminRows.revokedWithoutCode(codes, db).isEmpty
        }
        guard areThere else { return }
        try await write("seal revocations", locks: [.orders]) { db in
            for record in try AdminRows.revokedWithoutCode(codes, db) { try AdminRows.seal(record, codes, db) }
        }
    }

    package func rowToSeal(_ table: RowToSeal.Table, id: String) async throws(StoreError) -> RowToSeal? {
        let codes = rowCodes
        if table == .evidenceMark {
            // Counted bucket by bucket, so not in one transaction.
            let problems = try await evidenceProblems()
            let text = problems.joined(separator: " ")
            return RowToSeal(
                table: table, id: "", values: [RowToSeal.Value("problem", problems.isEmpty ? "none" : text)],
                isValid: problems.isEmpty, digest: codes.digest(of: "evidence_mark", [text]))
        }
        return try await read("read a row with its code") { db in try RowSeals.find(table, id, codes, db) }
    }

    package func seal(_ row: RowToSeal, audit: AuditEntry) async throws(StoreError) -> Bool {
        let codes = rowCodes
        let isEvidence = row.table == .evidenceMark
        if isEvidence, try await rowToSeal(.evidenceMark, id: "") != row { return false }
        // Many rows of marks are written, and orders need not wait for that.
        return try await write("seal a row", locks: isEvidence ? [.evidenceMarks] : [.orders]) { db in
            guard codes.isInUse, try isEvidence || RowSeals.find(row.table, row.id, codes, db) == row,
                try RowSeals.seal(row, codes, db)
            else { return false }
            try AuditRows.insert(audit, codes, db)
            return true
        }
    }
}

/// Single rows that an operator looks at and may give codes to.
private enum RowSeals {
    /// Whether a table with codes has a row, or the audit log a line.
    static func haveRows(_ db: some StatementRunner) throws -> Bool {
        try (RowCodes.tables + ["audit"]).contains { table in try db.hasRow("SELECT 1 FROM \(table) LIMIT 1") }
    }

    static func find(
        _ table: RowToSeal.Table, _ id: String, _ codes: RowCodes, _ db: some StatementRunner
    ) throws -> RowToSeal? {
        switch table {
        case .admin: try AdminRows.toSeal(id, codes, db)
        case .app: try AppRows.toSeal(id, codes, db)
        case .openIDClient: try OpenIDRows.toSeal(id, codes, db)
        case .auditMark: try AuditMark.toSeal(codes, db)
        // Not of one transaction.
        case .evidenceMark: nil
        }
    }

    /// - Returns: `false` if there is no such row.
    static func seal(_ row: RowToSeal, _ codes: RowCodes, _ db: some StatementRunner) throws -> Bool {
        let unchecked = RowCodes()
        switch row.table {
        case .admin:
            guard let admin = try AdminRows.find(row.id, unchecked, db) else { return false }
            try AdminRows.seal(admin, codes, db)
        case .app:
            guard let app = try AppRows.find("WHERE id = $1", row.id, in: db, checking: unchecked).first else {
                return false
            }
            try AppRows.seal(app, codes, db)
        case .openIDClient:
            guard let client = try OpenIDRows.clients("WHERE app = $1", row.id, unchecked, db).first else {
                return false
            }
            try OpenIDRows.seal(client, codes, db)
        case .auditMark: try AuditMark.begin(codes, db)
        case .evidenceMark: try EvidenceMark.begin(codes, db)
        }
        return true
    }
}

import Store

/// Sealed values wherever they are, but numbers.
enum SealedRows {
    private static let withoutKey = [Sealed.versionWithoutKey]
    private static let withKey = [Sealed.version]

    /// An SQL condition: the column holds a sealed value, and not the zeros of an erased one, under another key than
    /// $1. The versions are $3, without a key, and $4.
    private static func isOther(_ column: String) -> String {
        """
        (substr(\(column), 1, 1) = $3 OR (substr(\(column), 1, 1) = $4 \
        AND substr(\(column), 2, \(MasterKeyID.length)) <> $1))
        """
    }

    static func others<DB: StatementRunner>(notUnder key: MasterKeyID, limit: Int, _ db: DB) throws -> [SealedValue] {
        var values: [SealedValue] = []
        /// - Parameter names: the columns that `subject` reads.
        func add(
            _ column: String, of table: String, from rows: String? = nil, names: String...,
            subject: (inout DB.Row) throws -> SealedValue.Subject
        ) throws {
            let columns = ([column] + names).joined(separator: ", ")
            values += try db.rows(
                "SELECT \(columns) FROM \(rows ?? table) WHERE \(isOther(column)) LIMIT $2", of: table, key.bytes,
                max(limit - values.count, 0), withoutKey, withKey
            ) { columns in
                let sealed = Sealed(bytes: try columns.bytes())
                return SealedValue(subject: try subject(&columns), sealed: sealed)
            }
        }
        try add("sealed", of: "data_secrets") { _ in .dataSecrets }
        try add("sealed_key", of: "receipt_key", names: "id") { .receiptKey(id: try $0.text()) }
        try add("sealed_key", of: "openid_key", names: "id") { .openIDKey(id: try $0.text()) }
        try add("sealed_key", of: "app_key", names: "app", "use", "version") {
            .appKey(app: try $0.text(), use: try $0.text(), version: try $0.integer())
        }
        try add(
            "k.sealed_key", of: "face_key", from: "face_key AS k JOIN face_account AS a ON a.id = k.account",
            names: "k.account", "a.subscription", "a.epoch"
        ) { .faceKey(account: try $0.integer(), subscription: try $0.integer(), epoch: try $0.integer()) }
        return values
    }

    static func replace(_ old: SealedValue, _ new: Sealed, _ db: some StatementRunner) throws -> Int {
        switch old.subject {
        case .dataSecrets:
            return try db.run(
                "UPDATE data_secrets SET sealed = $1 WHERE id = 1 AND sealed = $2", new.bytes, old.sealed.bytes)
        case .receiptKey(let id):
            return try db.run(
                "UPDATE receipt_key SET sealed_key = $1 WHERE id = $2 AND sealed_key = $3", new.bytes, id,
                old.sealed.bytes)
        case .openIDKey(let id):
            return try db.run(
                "UPDATE openid_key SET sealed_key = $1 WHERE id = $2 AND sealed_key = $3", new.bytes, id,
                old.sealed.bytes)
        case .appKey(let app, let use, let version):
            let count = try db.run(
                "UPDATE app_key SET sealed_key = $1 WHERE app = $2 AND use = $3 AND version = $4 AND sealed_key = $5",
                new.bytes, app, use, version, old.sealed.bytes)
            // A change of the app under way has read the old value. The new revision keeps it from writing that back.
            if count > 0 { try db.run("UPDATE app SET revision = revision + 1 WHERE id = $1", app) }
            return count
        case .faceKey(let account, _, _):
            // In place: both have the same length.
            return try db.run(
                "UPDATE face_key SET sealed_key = $1 WHERE account = $2 AND sealed_key = $3", new.bytes, account,
                old.sealed.bytes)
        }
    }

    static func counts(_ db: some StatementRunner) throws -> [SealedCount] {
        let columns: [(SealedCount.Kind, table: String, column: String)] = [
            (.numbers, "subscription", "sealed_number"), (.sims, "subscription", "sealed_sim"),
            (.appKeys, "app_key", "sealed_key"), (.openIDKeys, "openid_key", "sealed_key"),
            (.faceKeys, "face_key", "sealed_key"), (.receiptKeys, "receipt_key", "sealed_key"),
            (.dataSecrets, "data_secrets", "sealed"),
        ]
        return try columns.flatMap { kind, table, column in
            // A SIM from before keys had ids is no sealed value but a hash of 32 bytes, and under the first key like
            // one.
            let hasKey = "\(kind == .sims ? "length(\(column)) > 32 AND " : "")substr(\(column), 1, 1) = $2"
            let isThere = kind == .sims ? "\(column) IS NOT NULL" : "substr(\(column), 1, 1) IN ($1, $2)"
            return try db.rows(
                """
                SELECT CASE WHEN \(hasKey) THEN substr(\(column), 2, \(MasterKeyID.length)) END AS sealed_under, \
                count(*)
                FROM \(table) WHERE \(isThere) GROUP BY sealed_under ORDER BY sealed_under NULLS FIRST
                """, of: table, withoutKey, withKey
            ) { columns in
                SealedCount(
                    kind: kind, key: try columns.optionalBytes().flatMap { MasterKeyID(bytes: $0) },
                    count: try columns.integer())
            }
        }
    }
}

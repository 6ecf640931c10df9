import BenjiProtocol
import Sightings
package import Store

extension PostgresStore {
    package func issueToken(_ issue: TokenIssue) async throws(StoreError) -> TokenIssueOutcome {
        try await issues(issue)
    }

    package func token(_ hash: CredentialHash) async throws(StoreError) -> TokenRecord? {
        try await readOne("read token") { db in try TokenRows.find(hash, db) }
    }
}

enum TokenRows {
    private static let names = [
        "hash", "app", "purpose", "subscription", "epoch", "sim_generation", "carrier", "binding", "device_key",
        "assurance", "trace", "dialect", "issued_at", "expires_at",
    ]
    /// The columns with the table's name before each.
    static func columns(_ table: String) -> String { names.map { "\(table).\($0)" }.joined(separator: ", ") }

    static func inserting(_ tokens: [TokenRecord]) -> Statement {
        let columns = names.joined(separator: ", ")
        return Statement(
            """
            INSERT INTO token (\(columns))
                SELECT * FROM unnest($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14) AS n (\(columns))
                ORDER BY hash
            """, Values(tokens.map(\.hash.bytes)), Values(tokens.map(\.appID.rawValue)),
            Values(tokens.map(\.purpose.rawValue)), Values(tokens.map(\.subscription.subscription)),
            Values(tokens.map(\.subscription.epoch)), Values(tokens.map(\.subscription.simGeneration)),
            Values(tokens.map(\.carrier.rawValue)), Values(tokens.map(\.binding.rawValue)),
            Values(tokens.map(\.deviceKey)), Values(tokens.map(\.assurance.rawValue)),
            Values(tokens.map(\.trace.rawValue)), Values(tokens.map(\.dialect.rawValue)),
            Values(tokens.map(\.issuedAt.milliseconds)), Values(tokens.map(\.expiresAt.milliseconds)))
    }

    static func find(_ hash: CredentialHash, _ db: Session) throws -> TokenRecord? {
        try db.row(
            "SELECT \(columns("t")) FROM token AS t WHERE t.hash = $1", of: "token", hash.bytes, read: decode)
    }

    static func decode(_ columns: inout ColumnReader) throws -> TokenRecord {
        TokenRecord(
            hash: try columns.hash(), appID: try columns.raw(), purpose: try columns.raw(),
            subscription: try columns.reference(), carrier: try columns.raw(), binding: try columns.binding(),
            deviceKey: try columns.text(), assurance: try columns.raw(), trace: try columns.raw(),
            dialect: try columns.raw(), issuedAt: try columns.timestamp(), expiresAt: try columns.timestamp())
    }
}

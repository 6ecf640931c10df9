import BenjiProtocol
import GRDB
import Sightings
package import Store
import StoreRows

extension SQLiteStore {
    package func issueToken(_ issue: TokenIssue) async throws(StoreError) -> TokenIssueOutcome {
        try await write("issue token") { db in
            guard try AppRows.isApp(issue.token.appID, at: issue.appRevision, db) else { return .appChanged }
            if let fence = issue.fence, try !PairRows.standing(of: fence.pair, db).isUnder(fence) {
                return .gatewayReplaced
            }
            try TokenIssuing.unlistSpent(issue, db)
            guard try TokenIssuing.useScrip(issue, db) else { return try TokenIssuing.refusal(issue, db) }
            try TokenRows.insert(issue.token, db)
            if let next = issue.nextScrip { try ScripRows.insert(next, db) }
            if let consent = issue.consent { try ConsentRows.insert(consent, of: issue.token.hash, db) }
            try TokenIssuing.makeRoom(issue, db)
            return .issued
        }
    }

    package func token(_ hash: CredentialHash) async throws(StoreError) -> TokenRecord? {
        try await look("read token") { db in try TokenRows.find(hash, db)?.token }
    }
}

enum TokenRows {
    private static let names = [
        "hash", "app", "purpose", "subscription", "epoch", "sim_generation", "carrier", "binding", "device_key",
        "assurance", "trace", "dialect", "issued_at", "expires_at",
    ]
    static let columns = names.joined(separator: ", ")
    /// The columns with the table's name before each.
    static func columns(_ table: String) -> String { names.map { "\(table).\($0)" }.joined(separator: ", ") }

    /// Bytes that a token is issued with and that its spending uses up: six for the time, the others for the name of a
    /// request.
    private static let room = 48
    /// The remainder of them after a name. A longer name makes the row grow.
    static func room(beside name: String) -> String {
        "zeroblob(max(0, \(room - 6) - coalesce(length(CAST(\(name) AS BLOB)), 0)))"
    }

    /// A token and its state.
    struct Found {
        var token: TokenRecord
        var spent: Bool
        /// The name of the request that spent it, if that had one.
        var message: String?
        var revoked: Bool
    }

    private static let inserting =
        "INSERT INTO token (\(columns), room) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?, zeroblob(\(room)))"

    static func insert(_ token: TokenRecord, _ db: Database) throws {
        try db.run(
            inserting, token.hash.bytes, token.appID.rawValue, token.purpose.rawValue, token.subscription.subscription,
            token.subscription.epoch, token.subscription.simGeneration, token.carrier.rawValue,
            token.binding.rawValue, token.deviceKey, token.assurance.rawValue, token.trace.rawValue,
            token.dialect.rawValue, token.issuedAt.milliseconds, token.expiresAt.milliseconds)
    }

    private static let finding = "SELECT \(columns), spent_at IS NOT NULL, message, revoked FROM token WHERE hash = ?"

    static func find(_ hash: CredentialHash, _ db: Database) throws -> Found? {
        try db.row(finding, of: "token", hash.bytes) { columns in
            Found(
                token: try decode(&columns), spent: try columns.bool(), message: try columns.optionalText(),
                revoked: try columns.bool())
        }
    }

    static func decode(_ columns: inout ColumnReader) throws -> TokenRecord {
        TokenRecord(
            hash: try columns.hash(), appID: try columns.raw(), purpose: try columns.raw(),
            subscription: try columns.reference(), carrier: try columns.raw(), binding: try columns.binding(),
            deviceKey: try columns.text(), assurance: try columns.raw(), trace: try columns.raw(),
            dialect: try columns.raw(), issuedAt: try columns.timestamp(), expiresAt: try columns.timestamp())
    }
}

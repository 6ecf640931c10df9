package import BenjiProtocol
package import Store
import StoreRows

extension AppRows {
    /// The revisions of apps.
    static func revisions(of apps: [AppID]) -> Statement {
        Statement("SELECT id, revision FROM app WHERE id = ANY($1)", Values(Set(apps.map(\.rawValue))))
    }

    static func revisions(_ answer: Answer) throws -> [AppID: Int64] {
        let pairs = try answer.rows(of: "app") { columns -> (AppID, Int64) in
            (try columns.raw(), try columns.integer())
        }
        return Dictionary(pairs) { first, _ in first }
    }

    static func revisions(_ apps: [AppID], _ db: Session) throws -> [Result<Int64?, StoreError>] {
        var found: [AppID: Int64] = [:]
        try db.run([revisions(of: apps)]) { _, answer in found = try revisions(answer) }
        return apps.map { .success(found[$0]) }
    }
}

extension AppRows {
    /// A condition on an app's id, whose $1 is ``list(_:)``.
    static let areAny = "= ANY(string_to_array($1, ','))"
    /// Ids are digits.
    static func list(_ apps: [AppID]) -> String { Set(apps.map(\.rawValue)).joined(separator: ",") }

    static func records(
        _ apps: [AppID], _ codes: RowCodes, _ db: Session
    ) throws -> [Result<AppRecord?, StoreError>] {
        let found = try find("WHERE id \(areAny)", list(apps), in: db, checking: codes)
        return apps.map { app in .success(found.first { $0.id == app }) }
    }
}

extension PostgresStore {
    /// Requests of an app that was changed, or erased, ask for it before they have proved anything.
    package func app(_ id: AppID) async throws(StoreError) -> AppRecord? { try await appRecords(id) }

    /// Each request whose sign is wrong asks for one.
    package func appRevision(_ id: AppID) async throws(StoreError) -> Int64? { try await appRevisions(id) }
}

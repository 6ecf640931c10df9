import GRDB

/// Somebody who reads what a database held before, such as a backup. Until ``end()`` the log cannot be emptied.
package struct OldReader: Sendable {
    private let queue: DatabaseQueue

    package init(of path: String) async throws {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.allowsUnsafeTransactions = true
        queue = try DatabaseQueue(path: path, configuration: configuration)
        try await queue.writeWithoutTransaction { db in try db.execute(sql: "BEGIN; SELECT count(*) FROM sqlite_schema")
        }
    }

    package func end() async throws {
        try await queue.writeWithoutTransaction { db in try db.execute(sql: "COMMIT") }
        try queue.close()
    }
}

import BenjiProtocol
import GRDB
import Store
import StoreRows

extension SQLiteStore {
    package func forgetReplaced() async {
        // A reader in the way only delays it; the last process to close the file does it too.
        for _ in 0..<20 {
            do {
                try await pool.writeWithoutTransaction { db in try WriteAheadLog.emptyAtOnce(db) }
                return
            } catch { try? await Task.sleep(for: .milliseconds(25)) }
        }
    }
}

extension MasterKeyRows {
    /// Keys that are on their way out or retired, and of which free pages may still hold what they sealed and found.
    static func unforgotten(_ db: Database) throws -> [(check: [UInt8], isRetired: Bool)] {
        try db.rows(
            "SELECT check_value, state FROM master_key WHERE state <> 'current' AND forgotten_at IS NULL",
            of: "master_key"
        ) { columns in
            let check = try columns.bytes()
            let state: MasterKeyRecord.State = try columns.raw()
            return (check, state == .retired)
        }
    }

    /// Every page was written again since they were retired.
    static func forget(_ retired: [[UInt8]], at moment: Timestamp, _ db: Database) throws {
        for check in retired {
            try db.run(
                "UPDATE master_key SET forgotten_at = ? WHERE check_value = ?", moment.milliseconds, check)
        }
    }
}

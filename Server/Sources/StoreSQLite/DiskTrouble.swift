import GRDB
import Store

/// Whether the disk accepts writes, as a value. It decides what to log when that changes, and whether the write-ahead
/// log can still be trusted.
///
/// After a failed sync the disk's content is unknown. Linux drops the pages that it could not write, still shows them,
/// and reports success for the next sync. So a later commit in the log may be safe and still lie behind a hole.
/// Therefore nothing more is written until the log was emptied into the database file, which writes and syncs
/// everything again (decision 20).
struct DiskTrouble {
    /// The reason, while commits fail.
    private(set) var reason: String?
    /// Whether input or output has failed since the log was last emptied.
    private(set) var distrustsLog = false

    /// Books a failed commit. True if it is news.
    mutating func commitFailed(_ failure: StoreError, _ error: any Error) -> Bool {
        if Self.isInputOutput(error) { distrustsLog = true }
        defer { reason = failure.detail }
        return reason != failure.detail
    }

    /// Whether the disk failed, and not the statement.
    static func isInputOutput(_ error: any Error) -> Bool { (error as? DatabaseError)?.resultCode == .SQLITE_IOERR }

    mutating func logWasEmptied() { distrustsLog = false }

    /// Books a commit. True if the ones before had failed.
    mutating func commitSucceeded() -> Bool {
        defer { reason = nil }
        return reason != nil
    }
}

extension StoreError {
    /// Advice for the operator, for the log.
    static func advice(_ error: any Error) -> String {
        switch (error as? DatabaseError)?.resultCode {
        case .SQLITE_FULL: "make room on the data folder's disk; nothing needs to be restarted"
        case .SQLITE_READONLY, .SQLITE_CANTOPEN: "make the data folder writable; nothing needs to be restarted"
        case .SQLITE_IOERR:
            "look for errors of the data folder's disk in the kernel's log; writing goes on by itself once the disk "
                + "takes a sync"
        default: "nothing was answered that is not safe; the next write tries again"
        }
    }
}

import GRDB
import Store
import StoreRows

extension StoreError {
    /// Describes the problem by SQLite's own code. Its message, the statement and the arguments are left out, because
    /// they may carry values.
    init(_ error: any Error, during operation: String) {
        switch error {
        case let error as StoreError: self = error
        case let error as DatabaseError:
            let code = error.extendedResultCode
            self.init(Self.code(code), "\(operation): \(Self.words(code)) (SQLite \(code.rawValue))")
        case let error as DamagedRow: self.init(.corrupt, "\(operation): \(error.column) cannot be read")
        case is CancellationError: self.init(.unavailable, "\(operation): cancelled before it was answered")
        default: self.init(.unavailable, "\(operation): \(type(of: error))")
        }
    }

    private static func code(_ code: ResultCode) -> Code {
        switch code {
        case .SQLITE_CONSTRAINT_PRIMARYKEY, .SQLITE_CONSTRAINT_UNIQUE, .SQLITE_CONSTRAINT_ROWID: .alreadyExists
        default:
            switch code.primaryResultCode {
            case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_CONSTRAINT, .SQLITE_MISMATCH: .corrupt
            default: .unavailable
            }
        }
    }

    private static func words(_ code: ResultCode) -> String {
        switch code {
        case .SQLITE_CONSTRAINT_PRIMARYKEY, .SQLITE_CONSTRAINT_UNIQUE, .SQLITE_CONSTRAINT_ROWID: "exists already"
        case .SQLITE_IOERR_FSYNC, .SQLITE_IOERR_DIR_FSYNC: "the disk failed a sync"
        case .SQLITE_IOERR_WRITE, .SQLITE_IOERR_TRUNCATE: "the disk failed a write"
        default:
            switch code.primaryResultCode {
            case .SQLITE_FULL: "disk or file full"
            case .SQLITE_READONLY: "the file is read-only"
            case .SQLITE_IOERR: "input or output failed"
            case .SQLITE_BUSY, .SQLITE_LOCKED: "locked by another process for too long"
            case .SQLITE_CANTOPEN: "the file cannot be opened"
            case .SQLITE_PERM, .SQLITE_AUTH: "not permitted"
            case .SQLITE_NOMEM: "out of memory"
            case .SQLITE_CORRUPT: "the file is damaged"
            case .SQLITE_NOTADB: "the file is not a database"
            case .SQLITE_CONSTRAINT, .SQLITE_MISMATCH: "against the rules of the schema"
            case .SQLITE_MISUSE: "the connection is closed"
            default: "failed"
            }
        }
    }
}

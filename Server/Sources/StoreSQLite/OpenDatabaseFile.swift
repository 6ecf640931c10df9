import GRDB
import GRDBSQLite

/// The file of a connection, read through SQLite's own descriptor.
///
/// Opening the file separately and closing it drops every lock that SQLite has on it in this process (POSIX; "How To
/// Corrupt An SQLite Database File", 2.2). The next process to close the database then takes itself for the last one.
/// It removes a log that this one goes on writing.
struct OpenDatabaseFile {
    let path: String
    private let file: UnsafeMutablePointer<sqlite3_file>
    private var offset: Int64 = 0
    private let size: Int64

    /// Valid for as long as the connection may be used, and no longer.
    init(_ db: Database) throws {
        var pointer: UnsafeMutablePointer<sqlite3_file>?
        let code = sqlite3_file_control(db.sqliteConnection, "main", SQLITE_FCNTL_FILE_POINTER, &pointer)
        guard code == SQLITE_OK, let pointer, let methods = pointer.pointee.pMethods else {
            throw DatabaseError(resultCode: .SQLITE_CANTOPEN)
        }
        var size: sqlite3_int64 = 0
        guard methods.pointee.xFileSize(pointer, &size) == SQLITE_OK else {
            throw DatabaseError(resultCode: .SQLITE_IOERR)
        }
        (file, self.size) = (pointer, size)
        path = sqlite3_db_filename(db.sqliteConnection, "main").map { String(cString: $0) } ?? ""
    }

    /// The next bytes; none at the end of what the file was when it was opened.
    mutating func read(upTo count: Int) throws -> [UInt8] {
        let count = Int(min(Int64(count), size - offset))
        guard count > 0, let methods = file.pointee.pMethods else { return [] }
        var bytes = [UInt8](repeating: 0, count: count)
        let code = methods.pointee.xRead(file, &bytes, Int32(count), offset)
        guard code == SQLITE_OK else { throw DatabaseError(resultCode: .SQLITE_IOERR) }
        offset += Int64(count)
        return bytes
    }
}

import Foundation
import Processes
import ServerRuntime
import Store
import StoreSQLite

/// Keeps servers and commands away from an installation while its files are changed. Nothing of the installation may be
/// opened meanwhile by this process.
struct ExclusiveAccess {
    private let journal: Int32?
    private var database: DatabaseLock?

    /// - Throws: ``CommandFailure`` that names the process which uses the installation.
    static func take(_ configuration: ServerConfiguration) throws -> ExclusiveAccess {
        let journal = open(configuration.journalPath, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
        if journal >= 0, flock(journal, LOCK_EX | LOCK_NB) != 0 {
            close(journal)
            throw CommandFailure(LockHolder(holding: configuration.journalPath).problem(configuration.process))
        }
        do {
            let isThere = access(configuration.databasePath, F_OK) == 0
            return ExclusiveAccess(
                journal: journal >= 0 ? journal : nil,
                database: isThere ? try DatabaseLock.take(configuration.databasePath) : nil)
        } catch {
            if journal >= 0 { close(journal) }
            guard let inUse = error as? DatabaseLock.InUse else { throw error }
            let which = inUse.process.map { "\(RunningProcess(id: $0))" } ?? "another process"
            throw CommandFailure(
                "\(configuration.absoluteDataDirectory)/\(DataDirectory.database) is in use by \(which), a benji serve "
                    + "or a "
                    + "command; stop it first, or name another folder with --data")
        }
    }

    /// Lets this process open the database; no server begins all the same, where there is a journal.
    mutating func freeDatabase() {
        database?.release()
        database = nil
    }

    func release() {
        database?.release()
        if let journal { close(journal) }
    }
}

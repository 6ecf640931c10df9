import Foundation
import GRDB
import GRDBSQLite
import Processes
import Store

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Requirements of the library, the folder and the file.
extension DatabaseFile {
    /// The oldest SQLite that knows the schema: STRICT tables, RETURNING and DROP COLUMN. As in
    /// `sqlite3_libversion_number`: 3037000 is 3.37.0.
    private static let oldestVersion: Int32 = 3_037_000

    /// Why a store cannot work in a file at a path, with the remedy; `nil` if nothing is known against it. Makes
    /// nothing: neither the file nor its folder need be there.
    ///
    /// - Parameters:
    ///   - version: of SQLite.
    ///   - mounts: the system's list of file systems; `nil` where there is none.
    ///   - isWritable: whether this process may make files in a folder; sets `errno` if not.
    static func problem(
        of path: String, version: Int32 = sqlite3_libversion_number(), mounts: String? = FileSystemType.systemList(),
        isWritable: (String) -> Bool = { access($0, W_OK | X_OK) == 0 }
    ) -> String? {
        guard version >= oldestVersion else {
            return "SQLite has version \(text(version)), and \(text(oldestVersion)) or newer is needed; "
                + "upgrade the system's library (libsqlite3)"
        }
        let folder = (place(of: path) as NSString).deletingLastPathComponent
        var nearest = folder
        while !nearest.isEmpty, nearest != "/", access(nearest, F_OK) != 0 {
            nearest = (nearest as NSString).deletingLastPathComponent
        }
        if let type = FileIdentity(nearest).flatMap({ FileSystemType.find(of: $0, in: mounts ?? "") }),
            FileSystemType.network.contains(type)
        {
            return
                "\(folder) is on a network file system (\(type)), where SQLite's write-ahead log does not work; name a "
                + "folder on a "
                + "disk of this machine (data), or use PostgreSQL (store.postgres)"
        }
        guard nearest == folder, !isWritable(folder) else { return nil }
        return "\(folder) cannot be written, and SQLite makes files beside the database there: \(reason())"
    }

    private static func text(_ version: Int32) -> String {
        "\(version / 1_000_000).\(version / 1000 % 1000).\(version % 1000)"
    }

    /// Settings of a connection that writes, each by its PRAGMA.
    private static let settings = [
        (name: "encoding", value: "UTF-8"), (name: "journal_mode", value: "wal"), (name: "synchronous", value: "2"),
        (name: "foreign_keys", value: "1"),
    ]

    /// - Parameter only: the one that is asked for; all of them if `nil`.
    /// - Throws: ``StoreError/Code/unavailable`` with the name of the first setting that has another value.
    static func refuseOtherSettings(_ db: Database, only: String? = nil) throws {
        for setting in settings where only == nil || setting.name == only {
            let found = try String.fetchOne(db, sql: "PRAGMA \(setting.name)") ?? "unknown"
            guard found == setting.value else {
                throw StoreError(
                    .unavailable,
                    "open: SQLite's setting \(setting.name) is \(found) and must be \(setting.value); the file was "
                        + "made by another "
                        + "program, or its file system does not support it: bring a backup back on a disk of this "
                        + "machine"
                )
            }
        }
    }
}

/// The types of file systems, as the system lists them (proc_pid_mountinfo(5)).
enum FileSystemType {
    /// Those that several machines may write to. A write-ahead log needs memory that all who use the file share
    /// (<https://www.sqlite.org/wal.html>, section 1).
    static let network: Set<String> = [
        "9p", "afs", "beegfs", "ceph", "cifs", "fuse.ceph", "fuse.glusterfs", "fuse.rclone", "fuse.s3fs", "fuse.sshfs",
        "gfs2", "lustre", "nfs", "nfs4", "ocfs2", "smb3", "smbfs", "virtiofs",
    ]

    /// The type of the file system that a file is on; `nil` if the list does not have it.
    static func find(of file: FileIdentity, in list: String) -> String? {
        for line in list.split(separator: "\n") {
            let words = line.split(separator: " ")
            guard words.count > 2, words[2] == "\(file.major):\(file.minor)", let separator = words.firstIndex(of: "-")
            else { continue }
            return words.dropFirst(separator + 1).first.map { String($0) }
        }
        return nil
    }

    static func systemList() -> String? { SystemFile.text("/proc/self/mountinfo") }
}

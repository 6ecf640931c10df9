import Authority
import BenjiProtocol
import Foundation
import Processes
import ServerRuntime
import Store
import StoreSQLite

/// Puts a backup in the place of an installation's database.
///
/// Present files are moved into a folder `before-<time>` and never deleted. The database goes first and its log after
/// it, so that no start ever sees the one without the other. Between the first move and the last there is no database,
/// and a start is refused (``DataDirectory/refuseRemains(finishing:hasKeyElsewhere:)``). If the log is empty, the new
/// database replaces the former one in one step.
struct Restoration {
    let configuration: ServerConfiguration
    let file: BackupFile
    /// Why, for the audit log.
    var reason: String?
    var now: Timestamp = SystemWallClock().now
    var environment = ProcessInfo.processInfo.environment

    /// The changes that were made, or would be.
    struct Outcome {
        var report: BackupReport
        /// Names of the files that were moved, in this order.
        var moved: [String]
        /// The folder that they are in now; `nil` if there were none.
        var folder: String?
        /// The use of the database, in words, which permits a rehearsal alone; `nil` if it is unused.
        var inUse: String?
    }

    private var data: String { configuration.dataDirectory }
    private var draftPath: String { "\(data)/\(DataDirectory.restoring)" }
    private static let log = "\(DataDirectory.database)-wal"
    private static let companions = [log, "\(DataDirectory.database)-shm"]

    /// Looks at everything and changes nothing, also while a server runs.
    func rehearse() async throws -> Outcome {
        try refuseRole()
        try refuseItself()
        let report = try await file.examine(configuration, environment: environment)
        try refuseGivenKeys(report.keys)
        var inUse: String?
        do { try ExclusiveAccess.take(configuration).release() } catch let failure as CommandFailure {
            inUse = failure.description
        }
        let moved = present
        return Outcome(report: report, moved: moved, folder: moved.isEmpty ? nil : asideFolder, inUse: inUse)
    }

    func perform() async throws -> Outcome {
        try refuseRole()
        try refuseItself()
        let examined = try await file.examine(configuration, environment: environment)
        try refuseGivenKeys(examined.keys)
        try configuration.process.makeDataDirectory()
        let standstill = try ExclusiveAccess.take(configuration)
        defer { standstill.release() }
        let draft: AtomicFileWriter
        do { draft = try AtomicFileWriter.begin(draftPath, for: configuration.databasePath) } catch {
            throw CommandFailure(error.detail)
        }
        var report: BackupReport
        do {
            let progress = CopyProgress()
            defer { progress.end() }
            try draft.fill(
                from: file.path, except: FileIdentity(configuration.databasePath), progress: progress.report)
            // The restored log has this line, because it has none of the later orders.
            let note = OrderNote.machineUser("installation.restore", because: reason)
            let line = note.entry(
                at: now, subject: "a backup of \(examined.writtenAt.dateText)",
                from: .object(["ledgerLines": .integer(examined.contents.ledgerLines)]))
            try SQLiteStore.prepareForReturn(path: draft.path, audit: line)
            // Examine the copy: the file may have changed since it was examined.
            report = try await BackupFile(draft.path, name: file.name, keyFiles: file.keyFiles).examine(
                configuration, scratch: data, environment: environment)
            report.writtenAt = examined.writtenAt
            if geteuid() == 0 { try giveToOwner(draft) }
            // Before the database: a key too many does no harm, and a database without its key cannot be served.
            for (file, ids) in Dictionary(grouping: report.keys.lent.keys, by: { report.keys.lent[$0] ?? "" }) {
                try MasterKeyFile(path: configuration.masterKeyPath, wrapping: configuration.wrappingKeys)
                    .add(Set(ids), from: file)
            }
        } catch {
            draft.discard()
            throw error
        }
        // From here on nothing is taken back: the next run completes the rest.
        let moved = present
        let folder = moved.isEmpty ? nil : asideFolder
        do {
            if let folder { try moveAside(moved, into: folder) }
            // Rows of an earlier version's backup have no codes yet.
            SealedRowsFile(dataDirectory: data).forget()
            try draft.publish(replacing: true)
        } catch {
            throw CommandFailure(
                "\((error as? StoreError)?.detail ?? ErrorText.of(error)). The restore is not complete: "
                    + "run it again when that is mended")
        }
        return Outcome(report: report, moved: moved, folder: folder)
    }

    /// The files to move away, in this order. The journal refers to rows of the present register; over another one its
    /// sessions could name another person.
    private var present: [String] {
        ([ProcessConfiguration.journal, DataDirectory.database] + Self.companions).filter {
            access("\(data)/\($0)", F_OK) == 0
        }
    }

    private func moveAside(_ names: [String], into folder: String) throws {
        if !FileManager.default.fileExists(atPath: folder) {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
            if geteuid() == 0, let owner { _ = chown(folder, owner.user, owner.group) }
            try AtomicFileWriter.syncFolder(of: folder)
        }
        let hasLog = names.contains(Self.log) && FileManager.default.size(of: "\(data)/\(Self.log)") != 0
        for name in names {
            // With nothing in the log a second name is enough: the move of the new database then replaces the first.
            if name == DataDirectory.database, !hasLog, link("\(data)/\(name)", "\(folder)/\(name)") == 0 { continue }
            try AtomicFileWriter.move("\(data)/\(name)", into: folder)
        }
        try AtomicFileWriter.syncFolder(of: "\(folder)/\(DataDirectory.database)")
        try AtomicFileWriter.syncFolder(of: draftPath)
    }

    /// A new folder; or, if a restore broke off between database and log, the one that has the log's database.
    private var asideFolder: String {
        let base = "\(data)/before-\(now.stamp)"
        if access(configuration.databasePath, F_OK) != 0,
            let log = Self.companions.first(where: { access("\(data)/\($0)", F_OK) == 0 }),
            let names = try? FileManager.default.contentsOfDirectory(atPath: data),
            let folder = names.filter({ $0.hasPrefix("before-") }).sorted().last(where: {
                access("\(data)/\($0)/\(DataDirectory.database)", F_OK) == 0
                    && access("\(data)/\($0)/\(log)", F_OK) != 0
            })
        {
            return "\(data)/\(folder)"
        }
        return ([base] + (2...).lazy.prefix(1000).map { "\(base)-\($0)" }).first { access($0, F_OK) != 0 } ?? base
    }

    private var owner: (user: UInt32, group: UInt32)? {
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: data),
            let user = attributes[.ownerAccountID] as? NSNumber,
            let group = attributes[.groupOwnerAccountID] as? NSNumber
        else { return nil }
        return (user.uint32Value, group.uint32Value)
    }

    private func giveToOwner(_ draft: AtomicFileWriter) throws(StoreError) {
        if let owner { try draft.give(toUser: owner.user, group: owner.group) }
    }

    private func refuseRole() throws(CommandFailure) {
        guard configuration.role != .gateway else {
            throw CommandFailure("a gateway keeps no database; run this with the configuration of its authority")
        }
        // A folder that others may write to would let them put a database of theirs in the place of this one.
        if FileManager.default.fileExists(atPath: data) { try configuration.refuseOthersFolder() }
    }

    /// If keys are given from outside, benji can add none to them.
    private func refuseGivenKeys(_ keys: BackupKeys) throws(CommandFailure) {
        guard let source = keys.source, !(source.keeper is MasterKeyFile), !keys.lent.isEmpty else { return }
        let ids = keys.lent.keys.map(\.text).sorted().joined(separator: " and ")
        throw CommandFailure(
            "\(file.name) needs the master key \(ids) of \(Set(keys.lent.values).sorted().joined(separator: " and ")), "
                + "but the keys "
                + "come from \(source.name): put it there beside the present one, with a line end or a blank between "
                + "them, and run this again"
        )
    }

    private func refuseItself() throws(CommandFailure) {
        let own = [configuration.databasePath, draftPath].compactMap { FileIdentity($0) }
        guard FileIdentity(file.path).map(own.contains) != true else {
            throw CommandFailure("\(file.name) is the database itself; name a backup")
        }
    }
}

extension Timestamp {
    /// For names of files, in UTC: `20261122T070000Z`.
    fileprivate var stamp: String { dateText.filter { $0 != "-" && $0 != ":" } }
}

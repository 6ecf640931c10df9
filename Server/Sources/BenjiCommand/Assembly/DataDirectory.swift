import Authority
import Foundation
import ServerRuntime
import Store
import StorePostgres

/// The contents of a data directory, seen from outside: nothing is opened.
struct DataDirectory {
    private let configuration: ServerConfiguration
    /// The sizes of the files in it, in bytes, by name.
    private let sizes: [String: Int]
    /// Whether PostgreSQL has the tables; `nil` where the database is a file.
    private let isInPostgres: Bool?

    static let database = "benji.sqlite"
    static let key = "master.key"
    static let journal = ProcessConfiguration.journal
    /// A database that `benji restore` is about to put in place.
    static let restoring = "\(database).restoring"
    private static let companions = ["\(database)-wal", "\(database)-shm"]

    /// - Throws: ``CommandFailure`` if it cannot be read. An empty directory is no error.
    init(_ configuration: ServerConfiguration) throws(CommandFailure) {
        self.configuration = configuration
        try configuration.process.refuseFileAsDataDirectory()
        var sizes: [String: Int] = [:]
        for name in [Self.database, Self.key, Self.journal, Self.restoring] + Self.companions {
            guard try configuration.process.hasFile(name) else { continue }
            let path = "\(configuration.dataDirectory)/\(name)"
            if name == Self.database, access(path, R_OK | W_OK) != 0 {
                throw configuration.process.unreadable(errno, file: name)
            }
            sizes[name] = FileManager.default.size(of: path)
        }
        self.sizes = sizes
        do throws(StoreError) {
            isInPostgres = try configuration.postgres.map { settings throws(StoreError) in
                try PostgresStore.hasTables(settings.parameters)
            }
        } catch { throw CommandFailure(error) }
    }

    /// An empty file is one that was never written.
    var hasDatabase: Bool { isInPostgres ?? hasFile }
    private var hasFile: Bool { (sizes[Self.database] ?? 0) > 0 }
    var hasJournal: Bool { sizes[Self.journal] != nil }
    /// Why there is no database, if a restore was killed after it had moved the former one away.
    var brokenRestore: CommandFailure? {
        guard sizes[Self.database] == nil, sizes[Self.restoring] != nil else { return nil }
        let place = configuration.absoluteDataDirectory
        return CommandFailure(
            "a restore broke off in \(place): the former database was moved away and the new one is not in place. Run "
                + "benji restore\(configuration.options) FILE again, which finishes it. Or take the former one back: "
                + "move "
                + "benji.sqlite and what lies beside it from the newest \(place)/before-… to \(place), and remove "
                + "\(place)/\(Self.restoring)")
    }

    /// Fails if parts of an installation remain and its database is missing. A new database, or a new key, among them
    /// would hide what happened.
    /// - Parameters:
    ///   - finishing: whether what a first start that broke off left may be there: the key, and an empty database.
    ///   - hasKeyElsewhere: whether the key is in the environment.
    func refuseRemains(finishing: Bool, hasKeyElsewhere: Bool) throws(CommandFailure) {
        guard !hasDatabase else { return }
        if isInPostgres != nil { return try refuseRemainsBesidePostgres(finishing: finishing) }
        if let brokenRestore { throw brokenRestore }
        let place = configuration.absoluteDataDirectory
        let state = sizes[Self.database] == nil ? "is missing" : "is empty"
        let back = "put the database back, or name another folder with --data"
        func refuse(_ problem: String) -> CommandFailure { CommandFailure("\(problem); nothing was made") }
        if let log = Self.companions.first(where: { sizes[$0] != nil }) {
            throw refuse(
                "\(place)/\(log) is there, but its database benji.sqlite \(state): put both back from where they were "
                    + "moved, or "
                    + "your backup without benji.sqlite-wal and benji.sqlite-shm, or name another folder with --data")
        }
        let hasKey = sizes[Self.key] != nil
        if hasJournal {
            throw refuse(
                "\(place) holds \(hasKey ? "directory.journal and master.key" : "the directory.journal") of an "
                    + "installation, "
                    + "but its database benji.sqlite \(state): "
                    + "\(hasKey ? back : "put database and master.key back, or name another folder with --data")"
            )
        }
        guard hasKey || sizes[Self.database] != nil else { return }
        guard hasKey || hasKeyElsewhere else {
            throw refuse(
                "\(place)/benji.sqlite is empty, and there is no master.key: put both back from your backup, or remove "
                    + "the empty "
                    + "file to begin anew")
        }
        guard finishing else {
            throw refuse(
                "\(place) holds \(hasKey ? "a master.key" : "an empty database"), but benji.sqlite \(state): \(back). "
                    + "If a first "
                    + "start broke off here, finish it with: benji init\(configuration.options)")
        }
    }

    /// The same where the database is PostgreSQL's and has no tables yet.
    private func refuseRemainsBesidePostgres(finishing: Bool) throws(CommandFailure) {
        let place = configuration.absoluteDataDirectory
        guard !hasFile else {
            throw CommandFailure(
                "\(place) holds the benji.sqlite of an installation, and store.postgres names an empty database: move "
                    + "it there with benji "
                    + "store copy\(configuration.options), take the setting out, or name another folder with --data; "
                    + "nothing was made"
            )
        }
        let remains = [Self.journal, Self.key].filter { sizes[$0] != nil }
        guard !remains.isEmpty, !finishing else { return }
        throw CommandFailure(
            "\(place) holds the \(remains.joined(separator: " and ")) of an installation, but "
                + "\(configuration.databaseName) has no tables: "
                + "name the right database, or bring it back with pg_restore. If a first start broke off here, finish "
                + "it with: benji "
                + "init\(configuration.options); nothing was made")
    }

    /// Whether others than its owner may read, write or enter a file or folder; `nil` if there is none. A link is
    /// followed.
    static func isOpenToOthers(_ path: String) -> Bool? {
        // Not `stat`: which module owns its structure depends on what the compiler saw first.
        let place = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: place) else { return nil }
        let mode = (attributes[.posixPermissions] as? NSNumber)?.intValue ?? 0o777
        return mode & 0o077 != 0
    }
}

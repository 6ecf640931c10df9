import Authority
import BenjiProtocol
import Foundation
import Logging
import Requests
import ServerRuntime
import Store
import StoreSQLite

/// A file that should be a backup, and what must hold before it is trusted.
struct BackupFile {
    let path: String
    /// As messages call it, where it is not yet at the place that people know.
    let name: String
    /// Files of master keys that are tried beside those of the installation.
    let keyFiles: [String]

    init(_ path: String, name: String? = nil, keyFiles: [String] = []) {
        self.path = path
        self.name = name ?? path
        self.keyFiles = keyFiles
    }

    /// Reads all of it: that it is one whole file of Benji's, of a schema that this program knows, under the master key
    /// at hand. Changes nothing.
    ///
    /// - Parameter scratch: where a copy is brought forward if the file is of an earlier schema; the temporary folder
    ///   if not given.
    /// - Throws: ``CommandFailure`` that says what does not hold.
    func examine(
        _ configuration: ServerConfiguration, scratch: String? = nil,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) async throws -> BackupReport {
        let (bytes, writtenAt) = try attributes()
        let contents = try read { () throws(StoreError) in try SQLiteStore.contents(path: path) }
        if let problem = try read({ () throws(StoreError) in try SQLiteStore.damage(path: path) }) {
            throw CommandFailure("\(name) is damaged (\(problem)): use another backup")
        }
        let (keys, rowProblems) = try await fittingKeys(
            configuration, isCurrent: contents.schema == SQLiteStore.newestSchema, scratch, environment)
        return BackupReport(
            path: name, writtenAt: writtenAt, bytes: bytes, contents: contents, keys: keys, rowProblems: rowProblems)
    }

    private func attributes() throws(CommandFailure) -> (bytes: Int, writtenAt: Timestamp) {
        // A link is followed.
        let place = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: place) else {
            throw CommandFailure("\(name): there is no such file, or it may not be looked at")
        }
        guard attributes[.type] as? FileAttributeType == .typeRegular else {
            throw CommandFailure("\(name) is not a file; name the backup itself")
        }
        let bytes = FileManager.default.size(of: place)
        guard bytes > 0 else { throw CommandFailure("\(name) is empty: it is no backup") }
        guard FileManager.default.isReadableFile(atPath: place) else {
            throw CommandFailure("\(name) may not be read by this user (\(NSUserName()))")
        }
        for companion in ["-wal", "-journal"] where FileManager.default.fileExists(atPath: place + companion) {
            throw CommandFailure(
                "\(name)\(companion) lies beside it, so it is no backup that benji made, and may lack commits. If it "
                    + "is a database "
                    + "that was copied with its log, make one file of both: sqlite3 \(name) \".backup OTHER\"; if the "
                    + "log belongs "
                    + "to another one, move it away")
        }
        let date = attributes[.modificationDate] as? Date ?? Date(timeIntervalSince1970: 0)
        return (bytes, Timestamp(milliseconds: Int64(date.timeIntervalSince1970 * 1000)))
    }

    /// Reads, and says which file it was that could not be read.
    private func read<Value>(_ body: () throws(StoreError) -> Value) throws(CommandFailure) -> Value {
        do { return try body() } catch {
            let what = error.detail.split(separator: ": ", maxSplits: 1).last.map(String.init) ?? error.detail
            let advice =
                if error.code != .corrupt {
                    ""
                } else if what.contains("newer") {
                    ". Use the version of benji that made it, or a later one"
                } else {
                    ". It cannot be used"
                }
            throw CommandFailure("\(name): \(what)\(advice)")
        }
    }

    /// The master keys that open the file, and the faults of its rows' codes.
    private func fittingKeys(
        _ configuration: ServerConfiguration, isCurrent: Bool, _ scratch: String?, _ environment: [String: String]
    ) async throws -> (keys: BackupKeys, rowProblems: [String]) {
        var keys = try BackupKeys.find(configuration, keyFiles, environment)
        // Earlier schemas say elsewhere which key they belong to.
        let rowProblems: [String]? =
            isCurrent
            ? try await open(path, with: &keys, configuration)
            : try await ScratchFolder.use(in: scratch) { folder in
                let copy = "\(folder)/copy.sqlite"
                try ScratchFolder.copy(path, to: copy)
                do throws(StoreError) { try SQLiteStore.bringForward(path: copy) } catch {
                    throw CommandFailure("\(name) cannot be brought to this version's schema: \(error.detail)")
                }
                return try await open(copy, with: &keys, configuration)
            }
        if let rowProblems { return (keys: keys, rowProblems: rowProblems) }
        let wanted =
            keys.missing.isEmpty
            ? "bring the key that belongs to this backup, or the backup that belongs to this key"
            : "it needs the master key \(keys.missing.map(\.text).joined(separator: " and ")). Name the file that "
                + "holds it with "
                + "--master-key FILE, such as the \(DataDirectory.key).former-\(keys.missing[0].text) that a rotation "
                + "left; or put that file "
                + "back beside \(configuration.absoluteMasterKeyPath)"
        guard !keys.names.isEmpty else {
            throw CommandFailure(
                "no master key is at hand for \(name): there is no \(configuration.absoluteMasterKeyPath), and "
                    + "neither \(MasterKeySource.variable) nor the credential \(MasterKeySource.credential) is set. "
                    + "Put the key that "
                    + "belongs to this backup there, with mode 0600\(keys.missing.isEmpty ? "" : "; \(wanted)")"
            )
        }
        throw CommandFailure(
            "\(name) was not sealed under the master key of \(keys.names.joined(separator: " and ")), which was tried: "
                + "\(wanted). "
                + "A backup made before a rotation belongs to the key that was in use, and one made while it ran "
                + "belongs to both"
        )
    }

    /// The faults of the codes of a database's rows; `nil` if the keys do not open the database. Missing keys are read
    /// from files of former keys in the folder of the present ones, if these files exist.
    private func open(
        _ path: String, with keys: inout BackupKeys, _ configuration: ServerConfiguration
    ) async throws -> [String]? {
        let store = try SQLiteStore(lookingAt: path, logger: Logger(label: "benji"))
        var found = keys
        let rowProblems: [String]? = try await store.closing { store in
            found.needed = try await store.masterKeyRing().needed
            try found.takeFormer(configuration)
            let fit = try await MasterKeyVerification.judge(found.kept.map(\.key), store: store)
            guard fit == .fits else { return fit == .doesNotFit ? nil : [] }
            let keeper = GivenMasterKeys(name: found.name, keys: found.kept)
            _ = try await MasterKeyVerification.look(found.kept.map(\.key), of: keeper, at: store)
            return try await store.examineRows()
        }
        keys = found
        return rowProblems
    }
}

/// The contents of a backup.
struct BackupReport {
    var path: String
    var writtenAt: Timestamp
    var bytes: Int
    var contents: StoreContents
    /// Shown by where they are, and never themselves.
    var keys: BackupKeys
    /// Rows that are refused, and faults of the audit log, for an operator.
    var rowProblems: [String] = []

    var json: JSON {
        .object([
            "file": .string(path), "writtenAt": .string(writtenAt.dateText), "bytes": .integer(bytes),
            "schema": .string(contents.schema), "apps": .integer(contents.apps),
            "subscriptions": .integer(contents.subscriptions), "ledgerLines": .integer(contents.ledgerLines),
            "lastLedgerLine": contents.lastLedgerLine.map { .string($0.dateText) } ?? .null,
            "lastAccounting": contents.lastSeen.map { .string($0.dateText) } ?? .null,
            "masterKey": .string(keys.name), "problems": .array(rowProblems.map { .string($0) }),
        ])
    }

    var lines: [(name: String, text: String)] {
        let isCurrent = contents.schema == SQLiteStore.newestSchema
        let lines: [(name: String, text: String)] = [
            ("file", path), ("written", writtenAt.dateText), ("size", ByteCount.text(bytes)),
            (
                "schema",
                contents.schema + (isCurrent ? "" : ", brought to \(SQLiteStore.newestSchema) when it is served")
            ),
            ("apps", "\(contents.apps)"), ("subscriptions", "\(contents.subscriptions)"),
            (
                "ledger",
                "\(contents.ledgerLines) lines" + (contents.lastLedgerLine.map { ", the last of \($0.dateText)" } ?? "")
            ),
            ("accounting", contents.lastSeen.map { "last heard \($0.dateText)" } ?? "never heard"),
            ("master key", "\(keys.name) fits; it is not in the backup"),
        ]
        return lines + rowProblems.map { (name: "warning", text: $0.printable) }
    }

    func show(asJSON: Bool) {
        let terminal = Terminal()
        if asJSON { return terminal.print(json.text) }
        for line in lines {
            terminal.print("\(terminal.styled(Terminal.padded(line.name, to: 15), .cyan))\(line.text)")
        }
    }
}

/// A number of bytes as people read it.
enum ByteCount {
    static func text(_ bytes: Int) -> String {
        let units = ["KiB", "MiB", "GiB", "TiB"]
        guard bytes >= 1024 else { return "\(bytes) bytes" }
        var value = Double(bytes) / 1024
        var unit = 0
        while value >= 1024, unit < units.count - 1 {
            value /= 1024
            unit += 1
        }
        return
            "\(value.formatted(.number.precision(.fractionLength(1)).locale(Locale(identifier: "en")))) \(units[unit])"
    }
}

extension ServerConfiguration {
    /// As ``masterKeyPath``, from anywhere.
    var absoluteMasterKeyPath: String { "\(process.absoluteDataDirectory)/\(DataDirectory.key)" }
}

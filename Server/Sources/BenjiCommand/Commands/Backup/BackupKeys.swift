import ArgumentParser
import Authority
import Foundation
import ServerRuntime
import Store

/// The master keys at hand for a backup: those of the installation, of files that were named, and former ones beside
/// the present.
struct BackupKeys: Sendable {
    /// Where the installation's keys come from; `nil` if there are none.
    var source: MasterKeySource?
    var kept: [KeptMasterKey] = []
    /// The places that were read, as messages name them.
    var names: [String] = []
    /// Keys that the backup needs; none for one from before keys had ids.
    var needed: [MasterKeyID] = []
    /// Keys of files other than the installation's.
    private var borrowed: [MasterKeyID: String] = [:]

    /// Keys that the backup needs and that none of these places has.
    var missing: [MasterKeyID] { needed.filter { id in !kept.contains { $0.key.id == id } } }
    /// Keys that the backup needs and that the installation lacks, by the file that has them.
    var lent: [MasterKeyID: String] { borrowed.filter { needed.isEmpty || needed.contains($0.key) } }

    /// - Throws: `MasterKeyError` for a file that cannot be read.
    static func find(
        _ configuration: ServerConfiguration, _ files: [String], _ environment: [String: String]
    ) throws -> BackupKeys {
        var keys = BackupKeys(source: try MasterKeySource.find(configuration, environment: environment))
        if let source = keys.source {
            keys.kept = try source.keeper.kept()
            keys.names = [source.keeper is MasterKeyFile ? configuration.absoluteMasterKeyPath : source.name]
        }
        for file in files {
            let found = try MasterKeyFile(path: file, wrapping: configuration.wrappingKeys).kept()
            guard !found.isEmpty else { throw CommandFailure("--master-key \(file): there is no such file") }
            keys.take(found, from: file)
        }
        return keys
    }

    /// Takes missing keys from files of former keys that lie next to the present ones.
    mutating func takeFormer(_ configuration: ServerConfiguration) throws {
        let place = MasterKeyFile(path: configuration.masterKeyPath)
        let files = place.formerKeyFiles()
        for file in files where missing.contains(file.id) {
            take(try MasterKeyFile(path: file.path, wrapping: configuration.wrappingKeys).kept(), from: file.path)
        }
    }

    private mutating func take(_ found: [KeptMasterKey], from file: String) {
        names.append(file)
        for entry in found where !kept.contains(where: { $0.key.id == entry.key.id }) {
            kept.append(entry)
            borrowed[entry.key.id] = file
        }
    }

    /// Where the fitting keys are.
    var name: String { names.isEmpty ? "none needed yet" : names.joined(separator: " and ") }

    /// To open a copy of the backup with; `nil` if there are none.
    var forCopy: MasterKeySource? {
        guard !kept.isEmpty else { return nil }
        return MasterKeySource(keys: kept.map(\.key), keeper: GivenMasterKeys(name: name, keys: kept))
    }
}

/// Where the master key of a backup may be, if the installation has another one now.
struct MasterKeyFileOptions: ParsableArguments {
    @Option(
        name: .customLong("master-key"),
        help: ArgumentHelp(
            "File with the master key of the backup, such as the master.key.former-ID that a rotation left. One that "
                + "lies beside master.key is found without it.",
            valueName: "file"))
    var files: [String] = []
}

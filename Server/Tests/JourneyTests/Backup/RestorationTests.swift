import Foundation
import Logging
import ServerTestKit
import Store
import Testing

@testable import Authority
@testable import BenjiCommand
@_spi(Server) @testable import BenjiProtocol
@testable import ServerRuntime

@Suite("Backup and restore")
struct RestorationTests {
    /// Two folders for data and one for backups.
    private struct Place {
        let folder: String
        let configuration: ServerConfiguration
        let other: ServerConfiguration
        var backup: String { folder + "/out/backup.sqlite" }

        func make() async throws -> BackupReport {
            try await Backup(configuration: configuration, file: backup).make(environment: [:])
        }

        /// Another machine, with this master key or none.
        func prepareOther(key: String?) throws {
            try other.process.makeDataDirectory()
            try? FileManager.default.removeItem(atPath: other.masterKeyPath)
            guard let key else { return }
            _ = FileManager.default.createFile(
                atPath: other.masterKeyPath, contents: Data(key.utf8), attributes: [.posixPermissions: 0o600])
        }

        func restoration(to configuration: ServerConfiguration) -> Restoration {
            Restoration(
                configuration: configuration, file: BackupFile(backup), now: Timestamp(milliseconds: 1_795_000_000_000),
                environment: [:])
        }

        func names(of configuration: ServerConfiguration) -> Set<String> {
            Set((try? FileManager.default.contentsOfDirectory(atPath: configuration.dataDirectory)) ?? [])
        }
    }

    private static let aside = "before-20261118T110640Z"
    private static let wrongKey = "benji-master-key-1:" + String(repeating: "A", count: 43)

    /// An installation with an app and a subscription, and the folders.
    private func withPlace(_ body: (Place) async throws -> Void) async throws {
        let folder = NSTemporaryDirectory() + "restoration-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder + "/out", withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let place = Place(
            folder: folder,
            configuration: try DemoStage.configuration(dataDirectory: folder + "/data", ports: (0, 0, 0, 0)),
            other: try DemoStage.configuration(dataDirectory: folder + "/other", ports: (0, 0, 0, 0)))
        try await register("Shop", in: place.configuration, beginning: true)
        try await body(place)
    }

    private func register(_ name: String, in configuration: ServerConfiguration, beginning: Bool = false) async throws {
        let installation = try await configuration.open(beginning: beginning)
        var registration = Apps.Registration(name: name)
        registration.serverAddresses = ["203.0.113.8"]
        _ = try await installation.authority.apps.register(registration)
        await installation.close()
    }

    private func apps(of configuration: ServerConfiguration) async throws -> Set<String> {
        let installation = try await configuration.open()
        var names: Set<String> = []
        for app in try await installation.store.apps() {
            // Its keys open.
            names.insert(try await installation.authority.apps.find(app.id).record.name)
        }
        await installation.close()
        return names
    }

    private func problem(_ body: () async throws -> Void) async -> String {
        do {
            try await body()
            return "done"
        } catch { return ErrorText.of(error) }
    }

    @Test("A backup on another machine opens with its master key, and is refused without it and with another, by name")
    func anotherMachine() async throws {
        try await withPlace { place in
            let report = try await place.make()
            #expect(report.json["apps"] == .integer(1) && report.json["schema"] == "v2")
            for (key, words) in [(nil, "no master key is at hand"), (Self.wrongKey, "not sealed under the master key")]
            {
                try place.prepareOther(key: key)
                let said = await problem { _ = try await place.restoration(to: place.other).perform() }
                #expect(said.contains(words) && said.contains(place.other.masterKeyPath) && said.contains(place.backup))
                #expect(!said.contains("AAAA"))
                #expect(place.names(of: place.other).subtracting([DataDirectory.key]).isEmpty)
            }
            var elsewhere = place.restoration(to: place.other)
            elsewhere.environment = [MasterKeySource.variable: Self.wrongKey]
            let said = await problem { _ = try await elsewhere.perform() }
            #expect(said.contains(MasterKeySource.variable) && said.contains("which was tried"))
            try place.prepareOther(key: try String(contentsOfFile: place.configuration.masterKeyPath, encoding: .utf8))
            let outcome = try await place.restoration(to: place.other).perform()
            #expect(outcome.moved.isEmpty && outcome.folder == nil)
            #expect(try await apps(of: place.other) == ["Shop"])
            let attributes = try FileManager.default.attributesOfItem(atPath: place.other.databasePath)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
    }

    /// Another master key, by a rotation; the former one's id.
    @Test("A backup made before a rotation opens with the file that the rotation left, where it lies or as it is named")
    func formerKey() async throws {
        try await withPlace { place in
            _ = try await place.make()
            let id = try await place.configuration.rotateMasterKey()
            let left = "\(place.configuration.masterKeyPath).former-\(id.text)"
            let moved = place.folder + "/out/kept.key"
            func examine(_ keyFiles: [String] = [], _ environment: [String: String] = [:]) async throws -> BackupReport
            {
                try await BackupFile(place.backup, keyFiles: keyFiles).examine(
                    place.configuration, environment: environment)
            }
            let report = try await examine()
            #expect(report.keys.lent == [id: left] && report.json["masterKey"]?.stringValue?.contains(left) == true)

            try FileManager.default.moveItem(atPath: left, toPath: moved)
            let refused = await problem { _ = try await examine() }
            #expect(refused.contains("it needs the master key \(id.text)") && refused.contains("--master-key FILE"))
            #expect(
                refused.contains("master.key.former-\(id.text)") && refused.contains(place.configuration.masterKeyPath))
            #expect(try await examine([moved]).keys.lent == [id: moved])
            let findings = try await Rehearsal(
                configuration: place.configuration, file: place.backup, scratch: place.folder,
                keys: try await examine([moved]).keys.forCopy
            ).perform()
            #expect(findings.contains { $0.name == "token" })
            let wrong = place.folder + "/out/wrong.key"
            _ = FileManager.default.createFile(
                atPath: wrong, contents: Data(Self.wrongKey.utf8), attributes: [.posixPermissions: 0o600])
            let another = await problem { _ = try await examine([wrong]) }
            #expect(another.contains("it needs the master key \(id.text)") && another.contains("and \(wrong)"))
            #expect(await problem { _ = try await examine([wrong + "-not"]) }.contains("there is no such file"))

            let before = try String(contentsOfFile: place.configuration.masterKeyPath, encoding: .utf8)
            var restoration = place.restoration(to: place.configuration)
            restoration = Restoration(
                configuration: place.configuration, file: BackupFile(place.backup, keyFiles: [moved]),
                now: restoration.now, environment: [MasterKeySource.variable: before])
            let given = await problem { _ = try await restoration.perform() }
            #expect(given.contains("the keys come from BENJI_MASTER_KEY: put it there") && given.contains(id.text))
            restoration.environment = [:]
            _ = try await restoration.rehearse()
            #expect(try String(contentsOfFile: place.configuration.masterKeyPath, encoding: .utf8) == before)
            _ = try await restoration.perform()
            let after = try String(contentsOfFile: place.configuration.masterKeyPath, encoding: .utf8)
            #expect(
                try after == before + String(contentsOfFile: moved, encoding: .utf8),
                "what opens the former database stays")
            #expect(try await apps(of: place.configuration) == ["Shop"])

            // On a machine that has nothing but the file.
            try place.prepareOther(key: nil)
            let bare = await problem { _ = try await place.restoration(to: place.other).perform() }
            #expect(bare.contains("no master key is at hand") && bare.contains("it needs the master key \(id.text)"))
            let elsewhere = Restoration(
                configuration: place.other, file: BackupFile(place.backup, keyFiles: [moved]), environment: [:])
            _ = try await elsewhere.perform()
            #expect(try await apps(of: place.other) == ["Shop"])
        }
    }

    @Test("A backup never holds the master key, neither its text nor its bytes")
    func noKey() async throws {
        try await withPlace { place in
            _ = try await place.make()
            let backup = try Data(contentsOf: URL(fileURLWithPath: place.backup))
            let text = try String(contentsOfFile: place.configuration.masterKeyPath, encoding: .utf8)
                .trimmingCharacters(in: .whitespacesAndNewlines)
            let bytes = try #require(Base64URL.decode(text.dropFirst(MasterKey.prefix.count)))
            #expect(bytes.count == 32)
            for needle in [Data(text.utf8), Data(text.dropFirst(MasterKey.prefix.count).utf8), Data(bytes)] {
                #expect(backup.range(of: needle) == nil)
            }
            #expect(backup.range(of: Data("Shop".utf8)) != nil)
        }
    }

    @Test("A backup goes nowhere where it would replace or endanger something")
    func places() async throws {
        try await withPlace { place in
            func problem(_ file: String, replacing: Bool = true) async -> String {
                await self.problem {
                    _ = try await Backup(configuration: place.configuration, file: file, replacing: replacing).make(
                        environment: [:])
                }
            }
            #expect(await problem(place.backup, replacing: false) == "done")
            #expect(await problem(place.backup, replacing: false).contains("--force"))
            #expect(await problem(place.backup) == "done")
            #expect(await problem(place.configuration.databasePath).contains("data directory"))
            #expect(await problem(place.configuration.dataDirectory + "/x.sqlite").contains("data directory"))
            #expect(await problem(place.folder + "/out").contains("is a folder"))
            #expect(await problem(place.folder + "/none/x.sqlite").contains("does not exist"))
            let thesis = place.folder + "/out/thesis"
            try Data("Chapter 1".utf8).write(to: URL(fileURLWithPath: thesis))
            #expect(await problem(thesis).contains("not a backup of Benji's"))
            #expect(try String(contentsOfFile: thesis, encoding: .utf8) == "Chapter 1")
            #expect(
                try Set(FileManager.default.contentsOfDirectory(atPath: place.folder + "/out")) == [
                    "backup.sqlite", "thesis",
                ])
        }
    }

    @Test("By another name, too, the database is neither replaced by a backup nor restored over itself")
    func links() async throws {
        try await withPlace { place in
            let database = place.configuration.databasePath
            let (real, second) = (place.folder + "/out/real.sqlite", place.folder + "/out/second.sqlite")
            try FileManager.default.linkItem(atPath: database, toPath: second)
            let before = try Data(contentsOf: URL(fileURLWithPath: database))
            func backup(_ file: String) async -> String {
                await problem {
                    _ = try await Backup(configuration: place.configuration, file: file, replacing: true).make(
                        environment: [:])
                }
            }
            #expect(await backup(second).contains("the database itself"))
            let own = Restoration(
                configuration: place.configuration, file: BackupFile(second), environment: [:])
            #expect(await problem { _ = try await own.perform() }.contains("the database itself"))
            // The folder may be too small, and the file elsewhere.
            try FileManager.default.removeItem(atPath: second)
            try FileManager.default.moveItem(atPath: database, toPath: real)
            try FileManager.default.createSymbolicLink(atPath: database, withDestinationPath: real)
            #expect(await backup(real).contains("the database itself"))
            #expect(try Data(contentsOf: URL(fileURLWithPath: real)) == before)
        }
    }

    @Test("A restore keeps the former database with its log beside the new one, and takes its journal away")
    func keepsTheFormer() async throws {
        try await withPlace { place in
            _ = try await place.make()
            try await register("Since", in: place.configuration)
            // As a server that was killed leaves them.
            for name in ["benji.sqlite-wal", "benji.sqlite-shm", "directory.journal"] {
                try Data(name.utf8).write(to: URL(fileURLWithPath: "\(place.configuration.dataDirectory)/\(name)"))
            }
            let all: Set = ["benji.sqlite", "benji.sqlite-wal", "benji.sqlite-shm", "directory.journal"]
            let planned = try await place.restoration(to: place.configuration).rehearse()
            #expect(Set(planned.moved) == all)
            #expect(
                place.names(of: place.configuration) == all.union([DataDirectory.key, RowCodes.sealedFileName]),
                "a dry run changed something")
            let outcome = try await place.restoration(to: place.configuration).perform()
            #expect(outcome.moved == planned.moved && outcome.folder == planned.folder)
            #expect(place.names(of: place.configuration) == ["benji.sqlite", DataDirectory.key, Self.aside])
            let folder = "\(place.configuration.dataDirectory)/\(Self.aside)"
            #expect(try Set(FileManager.default.contentsOfDirectory(atPath: folder)) == all)
            #expect(DataDirectory.isOpenToOthers(folder) == false)
            #expect(try await apps(of: place.configuration) == ["Shop"])
            // The former one is still there to go back to.
            try FileManager.default.removeItem(atPath: "\(folder)/benji.sqlite-wal")
            try FileManager.default.copyItem(atPath: "\(folder)/benji.sqlite", toPath: place.folder + "/out/former")
            #expect(
                try await BackupFile(place.folder + "/out/former").examine(place.configuration, environment: [:])
                    .json["apps"] == .integer(2))
            // A second restore within the same second takes a folder of its own.
            let again = try await place.restoration(to: place.configuration).perform()
            #expect(again.folder == "\(folder)-2")
        }
    }

    @Test(
        """
        A restore that was killed between the database and its log is told by every start, and finished by the next run
        """
    )
    func finishes() async throws {
        try await withPlace { place in
            _ = try await place.make()
            let data = place.configuration.dataDirectory
            try FileManager.default.createDirectory(atPath: "\(data)/before-1", withIntermediateDirectories: false)
            try FileManager.default.moveItem(atPath: "\(data)/benji.sqlite", toPath: "\(data)/before-1/benji.sqlite")
            try Data("log".utf8).write(to: URL(fileURLWithPath: "\(data)/benji.sqlite-wal"))
            try FileManager.default.copyItem(atPath: place.backup, toPath: "\(data)/\(DataDirectory.restoring)")
            for beginning in [true, false] {
                let said = await problem { await (try await place.configuration.open(beginning: beginning)).close() }
                #expect(said.contains("a restore broke off") && said.contains("benji restore"), "\(said)")
            }
            let outcome = try await place.restoration(to: place.configuration).perform()
            #expect(outcome.folder == "\(data)/before-1", "the log belongs to the database that is there")
            #expect(
                try Set(FileManager.default.contentsOfDirectory(atPath: "\(data)/before-1")) == [
                    "benji.sqlite", "benji.sqlite-wal",
                ])
            #expect(place.names(of: place.configuration) == ["benji.sqlite", DataDirectory.key, "before-1"])
            #expect(try await apps(of: place.configuration) == ["Shop"])
        }
    }

    @Test("What is no whole backup is refused by name, and the database stays")
    func refused() async throws {
        try await withPlace { place in
            _ = try await place.make()
            let good = try Data(contentsOf: URL(fileURLWithPath: place.backup))
            var damaged = good
            for index in (good.count / 2)..<(good.count / 2 + 20_000) { damaged[index] = 0x5a }
            let contents: [(Data, String)] = [
                (damaged, "damaged"), (good.prefix(good.count / 2), "damaged"), (Data(), "is empty"),
                (Data(repeating: 0x41, count: 9000), "not a database"),
            ]
            let before = try Data(contentsOf: URL(fileURLWithPath: place.configuration.databasePath))
            for (content, words) in contents {
                try content.write(to: URL(fileURLWithPath: place.backup))
                let said = await problem { _ = try await place.restoration(to: place.configuration).perform() }
                #expect(said.contains(words) && said.contains(place.backup), "\(said)")
            }
            try good.write(to: URL(fileURLWithPath: place.backup))
            try Data("log".utf8).write(to: URL(fileURLWithPath: place.backup + "-wal"))
            let said = await problem { _ = try await place.restoration(to: place.configuration).perform() }
            #expect(said.contains("-wal lies beside it"))
            try FileManager.default.removeItem(atPath: place.backup + "-wal")
            let own = Restoration(
                configuration: place.configuration, file: BackupFile(place.configuration.databasePath), environment: [:]
            )
            #expect(await problem { _ = try await own.perform() }.contains("the database itself"))
            #expect(try Data(contentsOf: URL(fileURLWithPath: place.configuration.databasePath)) == before)
            #expect(
                place.names(of: place.configuration) == ["benji.sqlite", DataDirectory.key, RowCodes.sealedFileName])
        }
    }

    /// A subscription in the register, last seen long ago.
    private func seeSomebody(_ installation: Installation) async throws {
        let number = try #require(PhoneNumber("13800000001"))
        let index = installation.vault.index(of: number)
        let sealed = try installation.vault.seal(number, index: index.current)
        let at = Timestamp(milliseconds: 1_600_000_000_000)
        _ = try await installation.store.changeSubscriptions([index], audit: nil) { _, _ in
            SubscriptionRecord(
                id: 1, numberIndex: index.current, sealedNumber: sealed, carrier: .mobile, epoch: 1,
                epochKey: Array(repeating: 7, count: 16), simGeneration: 1, sealedSIM: nil, simChangedAt: at,
                epochStartedAt: at, lastSeenAt: at)
        }
    }

    @Test("A rehearsal logs a subscriber of the backup in, and leaves backup and temporary folder as they were")
    func rehearsal() async throws {
        try await withPlace { place in
            let scratch = place.folder + "/scratch"
            try FileManager.default.createDirectory(atPath: scratch, withIntermediateDirectories: false)
            for hasSubscriber in [false, true] {
                if hasSubscriber {
                    let installation = try await place.configuration.open()
                    try await seeSomebody(installation)
                    await installation.close()
                }
                let report = try await Backup(
                    configuration: place.configuration, file: place.backup, replacing: true
                ).make(environment: [:])
                let before = try Data(contentsOf: URL(fileURLWithPath: place.backup))
                let findings = try await Rehearsal(
                    configuration: place.configuration, file: place.backup, scratch: scratch, keys: report.keys.forCopy
                ).perform()
                let whose = hasSubscriber ? "as a subscriber of the backup" : "a number of its own"
                #expect(findings.contains { $0.name == "phone" && $0.text.contains(whose) })
                #expect(findings.contains { $0.name == "token" && $0.text.contains("refused the second time") })
                #expect(findings.contains { $0.name == "openId" } == hasSubscriber)
                #expect(try Data(contentsOf: URL(fileURLWithPath: place.backup)) == before)
                #expect(try FileManager.default.contentsOfDirectory(atPath: scratch).isEmpty)
            }
        }
    }
}

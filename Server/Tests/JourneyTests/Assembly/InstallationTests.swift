import Foundation
import Logging
import PKCS11
import ServerTestKit
import Store
import StorePostgres
import Testing

@testable import Authority
@testable import BenjiCommand
@_spi(Server) @testable import BenjiProtocol
@testable import Requests
@testable import ServerHTTP
@testable import ServerRuntime

@Suite("Installations and their keys")
struct InstallationTests {
    private func withPlace(_ body: (ServerConfiguration) async throws -> Void) async throws {
        let folder = NSTemporaryDirectory() + "installation-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await body(try DemoStage.configuration(dataDirectory: folder + "/data", ports: (0, 0, 0, 0)))
    }

    /// An installation with one app, closed again.
    private func begin(
        _ configuration: ServerConfiguration, finishing: Bool = false, environment: [String: String] = [:]
    ) async throws -> AppID {
        let installation = try await configuration.open(
            beginning: true, finishing: finishing, environment: environment)
        var registration = Apps.Registration(name: "Shop")
        registration.serverAddresses = ["203.0.113.8"]
        let app = try await installation.authority.apps.register(registration)
        await installation.close()
        return app.record.id
    }

    private func filesExamined(_ configuration: ServerConfiguration) async -> [DoctorCommand.Finding] {
        await DoctorCommand.examineFiles(
            configuration, DoctorCommand.findKeys(configuration, environment: [:]), environment: [:])
    }

    private func storeExamined(_ configuration: ServerConfiguration) async -> [DoctorCommand.Finding] {
        await DoctorCommand.examineStore(configuration, DoctorCommand.findKeys(configuration, environment: [:]))
    }

    private func problem(_ body: () async throws -> Installation) async -> String {
        do {
            await (try await body()).close()
            return "opened"
        } catch { return ErrorText.of(error) }
    }

    @Test("A command finds what is there and makes nothing where there is nothing")
    func nothing() async throws {
        try await withPlace { configuration in
            let said = await problem { try await configuration.open() }
            #expect(said.contains("no installation in \(configuration.absoluteDataDirectory)"))
            #expect(said.contains("-c") && said.contains("benji init"))
            #expect(!FileManager.default.fileExists(atPath: configuration.dataDirectory))
            let begun = try await configuration.open(beginning: true)
            #expect(begun.isNew && begun.newKey == configuration.masterKeyPath)
            await begun.close()
            let app = try await begin(configuration)
            let installation = try await configuration.open()
            #expect(!installation.isNew && installation.newKey == nil)
            #expect(try await installation.authority.apps.all().map(\.id) == [app])
            await installation.close()
        }
    }

    @Test("Beside a database with data a lost master key stops start and commands, and no new one is made")
    func lost() async throws {
        try await withPlace { configuration in
            let app = try await begin(configuration)
            let key = try Data(contentsOf: URL(fileURLWithPath: configuration.masterKeyPath))
            try FileManager.default.removeItem(atPath: configuration.masterKeyPath)
            for beginning in [true, false] {
                let said = await problem { try await configuration.open(beginning: beginning) }
                #expect(said.contains("\(configuration.masterKeyPath) is missing"))
                #expect(said.contains(configuration.databasePath) && said.contains("backup") && said.contains("lost"))
                #expect(!FileManager.default.fileExists(atPath: configuration.masterKeyPath))
            }
            let line = try #require(await filesExamined(configuration).last)
            #expect(line.verdict == .wrong && line.text.contains("master.key is missing") && !line.text.contains("("))
            // The restored key opens everything again.
            #expect(
                FileManager.default.createFile(
                    atPath: configuration.masterKeyPath, contents: key, attributes: [.posixPermissions: 0o600]))
            let installation = try await configuration.open(beginning: true)
            _ = try await installation.authority.apps.find(app)
            await installation.close()
        }
    }

    @Test("Another key is refused by name, from the file and from the environment, and changes nothing")
    func another() async throws {
        try await withPlace { configuration in
            let app = try await begin(configuration)
            let right = try String(contentsOfFile: configuration.masterKeyPath, encoding: .utf8)
            let other = "benji-master-key-1:" + String(repeating: "A", count: 43)
            let fromEnvironment = await problem {
                try await configuration.open(beginning: true, environment: ["BENJI_MASTER_KEY": other])
            }
            #expect(fromEnvironment.contains("BENJI_MASTER_KEY is not the key under which"))
            #expect(fromEnvironment.contains(configuration.databasePath) && !fromEnvironment.contains("AAAA"))
            let malformed = await problem {
                try await configuration.open(environment: ["BENJI_MASTER_KEY": "swordfish"])
            }
            #expect(malformed.contains("BENJI_MASTER_KEY") && !malformed.contains("swordfish"))
            try FileManager.default.removeItem(atPath: configuration.masterKeyPath)
            #expect(
                FileManager.default.createFile(
                    atPath: configuration.masterKeyPath, contents: Data(other.utf8),
                    attributes: [.posixPermissions: 0o600]))
            let fromFile = await problem { try await configuration.open() }
            #expect(fromFile.contains("\(configuration.masterKeyPath) is not the key under which"))
            // The environment may stand in for the file.
            let installation = try await configuration.open(environment: ["BENJI_MASTER_KEY": right])
            _ = try await installation.authority.apps.find(app)
            await installation.close()
        }
    }

    @Test("An installation whose key is in the environment has no file of it, and needs the variable ever after")
    func environment() async throws {
        try await withPlace { configuration in
            let key = "benji-master-key-1:" + String(repeating: "A", count: 43)
            _ = try await begin(configuration, environment: ["BENJI_MASTER_KEY": key])
            #expect(!FileManager.default.fileExists(atPath: configuration.masterKeyPath))
            let said = await problem { try await configuration.open(beginning: true) }
            #expect(said.contains("is missing") && said.contains("BENJI_MASTER_KEY"))
        }
    }

    @Test("Doctor reports PostgreSQL that cannot be used once, as the database, and with the store's own words")
    func unusablePostgres() async throws {
        try await withPlace { configuration in
            var configuration = configuration
            configuration.postgres = ServerConfiguration.Postgres(
                parameters: try ConnectionParameters("host=/nowhere", environment: [:]), connections: 1)
            let findings = await filesExamined(configuration).filter { $0.verdict == .wrong }
            let stored = await storeExamined(configuration)
            #expect(findings.map(\.subject) == ["database"] && stored.isEmpty)
            #expect(findings.first?.text.contains("PostgreSQL at /nowhere, database benji: nothing listens") == true)
        }
    }

    @Test("A first start that broke off between key and database, or left an empty database, can be finished by init")
    func brokenOff() async throws {
        try await withPlace { configuration in
            try configuration.process.makeDataDirectory()
            _ = try MasterKeyFile(path: configuration.masterKeyPath).load(random: SystemRandomSource())
            #expect(FileManager.default.createFile(atPath: configuration.databasePath, contents: nil))
            #expect(await problem { try await configuration.open() }.contains("no installation"))
            #expect(await problem { try await configuration.open(beginning: true) }.contains("benji init"))
            _ = try await begin(configuration, finishing: true)
        }
        try await withPlace { configuration in
            try configuration.process.makeDataDirectory()
            let key = try MasterKeyFile(path: configuration.masterKeyPath).load(random: SystemRandomSource())[0]
            let installation = try await configuration.open(beginning: true, finishing: true)
            #expect(installation.isNew && installation.newKey == nil)
            #expect(installation.vault.masterKeyCheck == Vault(masterKey: key).masterKeyCheck)
            await installation.close()
        }
    }

    @Test(
        "Nothing is begun in a folder that others may read or write: the refusal says what to do, and nothing is made")
    func othersFolder() async throws {
        for rights in [0o777, 0o755, 0o701, 0o770] {
            try await withPlace { configuration in
                let folder = configuration.dataDirectory
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
                try FileManager.default.setAttributes([.posixPermissions: rights], ofItemAtPath: folder)
                let said = await problem { try await configuration.open(beginning: true) }
                #expect(said.contains("others") && said.contains("chmod go-rwx \(folder)"), "\(said)")
                #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
                try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder)
                _ = try await begin(configuration)
                // An installation that is there goes on; doctor calls it wrong.
                try FileManager.default.setAttributes([.posixPermissions: rights], ofItemAtPath: folder)
                await (try await configuration.open(beginning: true)).close()
                let lines = await filesExamined(configuration)
                #expect(lines.first?.verdict == .wrong)
            }
        }
    }

    @Test("Beside a master key whose database was moved away nothing is begun; put back, it opens")
    func goneDatabase() async throws {
        try await withPlace { configuration in
            let app = try await begin(configuration)
            let files = FileManager.default
            let kept = try files.contentsOfDirectory(atPath: configuration.dataDirectory)
            for name in kept where name != "master.key" {
                try files.moveItem(
                    atPath: "\(configuration.dataDirectory)/\(name)",
                    toPath: "\(configuration.dataDirectory)/../\(name)")
            }
            let said = await problem { try await configuration.open(beginning: true) }
            #expect(said.contains("nothing was made"), "\(said)")
            #expect(try files.contentsOfDirectory(atPath: configuration.dataDirectory) == ["master.key"])
            for name in kept where name != "master.key" {
                try files.moveItem(
                    atPath: "\(configuration.dataDirectory)/../\(name)",
                    toPath: "\(configuration.dataDirectory)/\(name)")
            }
            let restored = try await configuration.open(beginning: true)
            _ = try await restored.authority.apps.find(app)
            await restored.close()
        }
    }

    @Test("Doctor says in one line what is wrong with key and database, in words")
    func doctor() async throws {
        try await withPlace { configuration in
            let before = await filesExamined(configuration)
            #expect(before.filter { $0.verdict != .good }.map(\.subject) == ["installation"])
            #expect(before.contains { $0.text.contains("there is none in") })
            #expect(before.last?.text.contains("benji init") == true)
            #expect(!FileManager.default.fileExists(atPath: configuration.dataDirectory))
            _ = try await begin(configuration)
            #expect(await storeExamined(configuration).map(\.verdict) == [.good])
            try FileManager.default.removeItem(atPath: configuration.masterKeyPath)
            let files = await filesExamined(configuration)
            #expect(files.map(\.verdict) == [.good, .wrong])
            #expect(files.last?.text.hasPrefix("\(configuration.masterKeyPath) is missing") == true)
            let store = await storeExamined(configuration)
            #expect(store.map(\.verdict) == [.warning], "the key's own line says what is wrong, once: \(store)")
        }
    }

    @Test("An HSM that is not there is said once by doctor, and keeps an installation from being opened")
    func withoutHSM() async throws {
        try await withPlace { configuration in
            var configuration = configuration
            _ = try await begin(configuration)
            configuration.wrappingKey = try PKCS11URI("pkcs11:token=t;object=o?module-path=/nowhere/hsm.so")
            let clear = await filesExamined(configuration)
            #expect(clear.map(\.verdict) == [.good, .wrong, .good, .warning])
            #expect(clear[1].text.contains("/nowhere/hsm.so") && clear[3].text.contains("holds a key in clear"))
            try Data("benji-wrapped-key-1:AAAA\n".utf8).write(to: URL(fileURLWithPath: configuration.masterKeyPath))
            let wrapped = await filesExamined(configuration)
            #expect(wrapped.map(\.verdict) == [.good, .wrong])
            let said = await problem { try await configuration.open() }
            #expect(
                said.contains("the wrapping key pkcs11:token=t;object=o: there is no module /nowhere/hsm.so"), "\(said)"
            )
        }
    }

    @Test("Doctor tells a key in clear that a rotation moves from one that waits, which the operator takes out")
    func inClear() async throws {
        try await withPlace { configuration in
            var configuration = configuration
            _ = try await begin(configuration)
            let path = configuration.masterKeyPath
            let key = try MasterKeyFile(path: path).keys()[0]
            let waiting = try MasterKeyFile(path: path).add(random: SystemRandomSource())
            func warnings() async -> [String] {
                await filesExamined(configuration).filter { $0.verdict == .warning }.map(\.text)
            }
            #expect(await warnings() == [], "where no wrapping key is named, that is how keys are kept")
            configuration.wrappingKey = try PKCS11URI("pkcs11:token=t;object=o?module-path=/nowhere/hsm.so")
            let said = await warnings()
            #expect(said.count == 2 && said.allSatisfy { $0.contains("\(path) holds a key in clear") })
            #expect(said.first?.contains("key 1 of 2, id \(key.id.text)") == true)
            #expect(said.first?.contains("benji keys rotate") == true)
            #expect(said.last?.contains("key 2 of 2, id \(waiting.id.text)") == true)
            #expect(said.last?.contains("take it out") == true && said.last?.contains("benji keys rotate") == false)
        }
    }

    private func bytes(_ configuration: ServerConfiguration) throws -> [String: Data] {
        var bytes: [String: Data] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: configuration.dataDirectory)
        where !name.hasSuffix("-shm") {
            bytes[name] = try Data(contentsOf: URL(fileURLWithPath: configuration.dataDirectory + "/" + name))
        }
        return bytes
    }

    @Test("Doctor changes no file: neither where a server stopped nor where one broke off")
    func looksOnly() async throws {
        try await withPlace { configuration in
            _ = try await begin(configuration)
            let stopped = try bytes(configuration)
            #expect(await storeExamined(configuration).map(\.verdict) == [.good])
            #expect(try bytes(configuration) == stopped)
            // The files of a killed server: they are copied while one runs.
            let installation = try await configuration.open(beginning: true)
            try await installation.store.check()
            let copy = configuration.dataDirectory + "-copy"
            try FileManager.default.copyItem(atPath: configuration.dataDirectory, toPath: copy)
            await installation.close()
            let broken = try DemoStage.configuration(dataDirectory: copy, ports: (0, 0, 0, 0))
            let before = try bytes(broken)
            #expect(before["benji.sqlite-wal"]?.isEmpty == false)
            #expect(await storeExamined(broken).map(\.verdict) == [.good])
            #expect(try bytes(broken) == before)
        }
    }

    @Test("Doctor names a database whose pages are not whole, and one over which another's log lies")
    func notWhole() async throws {
        try await withPlace { configuration in
            _ = try await begin(configuration)
            let path = URL(fileURLWithPath: configuration.databasePath)
            let whole = try Data(contentsOf: path)
            var damaged = whole
            for index in (whole.count - 4096)..<whole.count { damaged[index] = 0x5a }
            try damaged.write(to: path)
            let lines = await storeExamined(configuration)
            #expect(
                lines.contains { $0.verdict == .wrong && $0.text.contains("damaged") && $0.text.contains("backup") })
        }
    }

    @Test("Nothing is begun beside what is left of another installation, and the message says what to do")
    func remains() async throws {
        let cases: [([String], String)] = [
            (["master.key", "directory.journal"], "benji.sqlite is missing"), (["master.key"], "benji init"),
            (["directory.journal"], "directory.journal"),
            (["directory.journal", "benji.sqlite"], "benji.sqlite is empty"),
            (["benji.sqlite"], "benji.sqlite is empty"), (["benji.sqlite-wal"], "benji.sqlite-wal"),
            (["benji.sqlite-shm"], "benji.sqlite-shm"), (["master.key", "benji.sqlite-wal"], "benji.sqlite-wal"),
        ]
        for (names, wanted) in cases {
            try await withPlace { configuration in
                try configuration.process.makeDataDirectory()
                for name in names {
                    let path = "\(configuration.dataDirectory)/\(name)"
                    if name == "master.key" {
                        _ = try MasterKeyFile(path: path).load(random: SystemRandomSource())
                    } else {
                        let content = name == "benji.sqlite" ? nil : Data("left".utf8)
                        #expect(FileManager.default.createFile(atPath: path, contents: content))
                    }
                }
                let before = try bytes(configuration)
                let said = await problem { try await configuration.open(beginning: true) }
                #expect(said.contains(wanted) && said.contains("nothing was made"), "\(names): \(said)")
                #expect(try bytes(configuration) == before, "\(names)")
            }
        }
    }

    @Test("A folder that cannot be looked into is no folder without an installation")
    func unreadable() async throws {
        try await withPlace { configuration in
            try FileManager.default.createSymbolicLink(
                atPath: configuration.dataDirectory, withDestinationPath: configuration.dataDirectory)
            for beginning in [true, false] {
                let said = await problem { try await configuration.open(beginning: beginning) }
                #expect(said.contains("cannot be looked into") && said.contains("symbolic links"), "\(said)")
                #expect(!said.contains("benji init"))
            }
        }
    }

    @Test("Who may not read a folder is told so, and as whom to run")
    func mayNotRead() {
        let said = ProcessConfiguration.problem("/srv/benji", EACCES, user: "alice", owner: "benji")
        #expect(said.contains("/srv/benji may not be read") && said.contains("(alice)") && said.contains("as benji"))
        #expect(
            ProcessConfiguration.problem("/srv/benji", ENOSPC, user: "alice", owner: nil).contains(
                "cannot be looked into"))
    }

    @Test("Where no installation is, the advice names again what the command named")
    func advice() async throws {
        try await withPlace { place in
            var configuration = place
            configuration.options = ConfigurationOptions.named(config: "etc/benji.yaml", data: "it's")
            let said = await problem { try await configuration.open() }
            #expect(said.hasSuffix("begin one with: benji init -c etc/benji.yaml --data 'it'\\''s'"), "\(said)")
        }
    }

    @Test(
        """
        Doctor names each app with one key, no address, wide addresses, or face login that nobody can begin, and what \
        to run
        """
    )
    func apps() async throws {
        try await withPlace { configuration in
            let installation = try await configuration.open(beginning: true)
            let apps = installation.authority.apps
            var registration = Apps.Registration(name: "Careful")
            registration.serverAddresses = ["203.0.113.8"]
            _ = try await apps.register(registration)
            registration.name = "Wide"
            registration.serverAddresses = ["0.0.0.0/0"]
            registration.acceptsWideAddresses = true
            let wide = try await apps.register(registration).record.id
            registration.name = "One key"
            registration.serverAddresses = ["203.0.113.8"]
            registration.hasOneKey = true
            let oneKey = try await apps.register(registration).record.id
            registration.name = "Changing over"
            let split = try await apps.splitKeys(of: try await apps.register(registration).record.id).record.id
            registration.name = "No server"
            registration.hasOneKey = false
            registration.serverAddresses = []
            let lonely = try await apps.register(registration).record.id
            await installation.close()
            let lines = await storeExamined(configuration)
            #expect(lines.first?.verdict == .good)
            let warnings = Dictionary(uniqueKeysWithValues: lines.dropFirst().map { ($0.subject, $0) })
            #expect(warnings["app \(lonely)"]?.text.contains("benji app set \(lonely) --add-server-address") == true)
            #expect(warnings.count == 4 && warnings.values.allSatisfy { $0.verdict == .warning })
            #expect(warnings["app \(oneKey)"]?.text.contains("benji app split-keys \(oneKey)") == true)
            #expect(warnings["app \(split)"]?.text.contains("benji app retire-secret \(split)") == true)
            let text = try #require(warnings["app \(wide)"]?.text)
            #expect(text.contains("0.0.0.0/0") && text.contains("benji app set \(wide)"))
        }
    }

    @Test(
        "A face cannot be tied to a number where the floor asks for an attester and the app has none; that is told once"
    )
    func faces() throws {
        var app = AppRecord(
            id: AppID(rawValue: "300000000001")!, name: "Shop", keys: [], capabilities: [.login, .face], bundleIDs: [],
            serverAddresses: [], createdAt: Timestamp(seconds: 0))
        #expect(app.faceProblem(floor: nil) == nil, "face login is off")
        #expect(app.faceProblem(floor: .net) == nil)
        #expect(app.faceProblem(floor: .netApp)?.contains("net+app") == true)
        app.leastAssurance = .netAppAddress
        #expect(app.faceProblem(floor: .net)?.contains("net+app+address") == true)
        app.attesters = ["{}"]
        #expect(app.faceProblem(floor: .netApp) == nil)
        app.attesters = []
        app.capabilities = [.login]
        #expect(app.faceProblem(floor: .netApp) == nil)
    }

    @Test("No error is shown as the compiler would write it")
    func words() {
        struct Silent: Error { var secret = "swordfish" }
        #expect(ErrorText.of(Refusal(.internalError, "the key does not open")) == "the key does not open")
        #expect(!"\(Refusal(.internalError, "the key does not open"))".contains("Refusal("))
        #expect(!ErrorText.of(Silent()).contains("swordfish"))
        #expect(ErrorText.of(Silent()).contains("Silent"))
        #expect(ErrorText.of(CommandFailure("no such page")) == "no such page")
    }

    /// Another master key, by a rotation in a process of its own; the former one's id.
    @Test(
        """
        Doctor names the file of a former key as a hint, with what it opens and where it belongs; one that others may \
        read is a fault
        """
    )
    func formerKeyFiles() async throws {
        try await withPlace { configuration in
            _ = try await begin(configuration)
            func findings() async -> [DoctorCommand.Finding] {
                await filesExamined(configuration).filter { $0.subject == "former key" }
            }
            #expect(await findings().isEmpty)
            let place = "\(configuration.masterKeyPath).former-\(try await configuration.rotateMasterKey().text)"
            let stranger = "\(configuration.masterKeyPath).former-0123456789abcdef"
            #expect(
                FileManager.default.createFile(atPath: stranger, contents: nil, attributes: [.posixPermissions: 0o600]))
            let found = await findings()
            #expect(found.map(\.verdict) == [.hint, .hint])
            let own = try #require(found.first { $0.text.hasPrefix(place) })
            #expect(
                own.text.contains("opens backups made before 20")
                    && own.text.contains("where you keep the keys of your backups"))
            #expect(found.contains { $0.text.hasPrefix("\(stranger) holds a key that this database does not know") })
            try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: place)
            #expect(await findings().contains { $0.verdict == .wrong && $0.text.contains("chmod 600 \(place)") })
        }
    }

    @Test(
        """
        Readiness says why a master key is not at hand before any request has met it, and is well once it is found again
        """
    )
    func readiness() async throws {
        try await withPlace { configuration in
            _ = try await begin(configuration)
            let server = try await configuration.open()
            let check = HealthEndpoints.Check(server.vault)
            #expect(check.name == "master-key")
            #expect(await check.problem() == nil)
            _ = try await configuration.rotateMasterKey()
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: configuration.masterKeyPath)
            for _ in 0..<2 {
                #expect(
                    await check.problem()
                        == "\(configuration.masterKeyPath): others may read it; run: chmod 600 "
                        + "\(configuration.masterKeyPath)"
                )
            }
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: configuration.masterKeyPath)
            try await server.vault.follow()
            #expect(await check.problem() == nil)
            await server.close()
        }
    }

    @Test("Readiness names each listener that is not up, and is well when all are")
    func readinessOfListeners() async {
        let ports = BoundPorts()
        let check = HealthEndpoints.Check(ports, of: [.device, .server])
        #expect(await check.problem() == "not up: device, server")
        await ports.set(.server, 8081)
        #expect(await check.problem() == "not up: device")
        await ports.set(.device, 8080)
        #expect(await check.problem() == nil)
    }
}

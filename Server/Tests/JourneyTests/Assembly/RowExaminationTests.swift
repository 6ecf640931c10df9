import ArgumentParser
import Foundation
import Logging
import ServerHTTP
import ServerTestKit
import Store
import StoreSQLite
import Synchronization
import Testing

@testable import BenjiCommand
@_spi(Server) @testable import BenjiProtocol
@testable import ServerRuntime

@Suite("Rows that Benji did not write are reported")
struct RowExaminationTests {
    private func withPlace(_ body: (ServerConfiguration, String) async throws -> Void) async throws {
        let folder = NSTemporaryDirectory() + "rows-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let configuration = try DemoStage.configuration(dataDirectory: folder + "/data", ports: (0, 0, 0, 0))
        await (try await configuration.open(beginning: true)).close()
        try await body(configuration, folder)
    }

    /// Writes as a party that can write to the file but lacks the master key.
    private func forge(_ configuration: ServerConfiguration) async throws {
        let naive = try SQLiteStore(path: configuration.databasePath, logger: Logger(label: "test"))
        let record = AdminRecord(
            name: "thief", role: "operator", kind: .token, credential: CredentialHash(bytes: Array(0..<32)),
            createdAt: Timestamp(milliseconds: 1), expiresAt: Timestamp(milliseconds: 9_000_000_000_000))
        try await naive.createAdmin(record, audit: nil)
        #expect(try await naive.admin(named: "thief") != nil)
        await naive.close()
    }

    private func verdicts(_ configuration: ServerConfiguration) async -> [DoctorCommand.Finding] {
        await DoctorCommand.examineStore(configuration, DoctorCommand.findKeys(configuration, environment: [:]))
    }

    private func warnings(_ installation: Installation) async throws -> [String] {
        _ = try await installation.store.examineRows()
        return await HealthEndpoints.Check(installation.store).warnings()
    }

    @Test("doctor calls such a row wrong, readiness and the log name it, and an installation without one is good")
    func reported() async throws {
        try await withPlace { configuration, _ in
            let good = try await configuration.open()
            #expect(try await warnings(good) == [])
            await good.close()
            #expect(await verdicts(configuration).map(\.verdict) == [.good])
            try await forge(configuration)
            let wrong = await verdicts(configuration).filter { $0.verdict == .wrong }
            #expect(wrong.count == 1 && wrong.first?.text.contains("the row thief of the table admin") == true)
            let book = LogBook()
            let installation = try await Installation.open(configuration, logger: book.logger, environment: [:])
            let said = try await warnings(installation)
            #expect(said.count == 1 && said[0].contains("the row thief of the table admin"), "\(said)")
            _ = try await warnings(installation)
            await installation.close()
            let lines = book.lines.filter { $0.contains("the row thief of the table admin") }
            #expect(lines.count == 1 && lines[0].hasPrefix("error"), "\(lines)")
        }
    }

    @Test("The first hour compares all, and so does each while a fault is known; the others take turns, after settling")
    func hours() async throws {
        let (codes, book) = (RowCodes(), LogBook())
        let calls = Mutex<[String]>([])
        let found = Mutex<[String]>([])
        let failing = Mutex("")
        let failure = StoreError(.unavailable, "it fails")
        let examination = RowExamination(
            codes, logger: book.logger,
            settle: { (hour: Int?) async throws(StoreError) in
                calls.withLock { $0.append("settle \(hour.map(String.init) ?? "all")") }
                if failing.withLock({ $0 == "settle" }) { throw failure }
            },
            compare: { (hour: Int?) async throws(StoreError) in
                calls.withLock { $0.append("compare \(hour.map(String.init) ?? "all")") }
                if failing.withLock({ $0 == "compare" }) { throw failure }
                codes.note(evidenceProblems: found.withLock { $0 })
            })
        var hours = RowExamination.Hours()
        func examine() async -> [String] {
            calls.withLock { $0 = [] }
            hours = await examination.examine(hours)
            return calls.withLock { $0 }
        }
        #expect(await examine() == ["settle all", "compare all"])
        #expect(await examine() == ["settle 1", "compare 1"])
        found.withLock { $0 = ["a row is missing"] }
        #expect(await examine() == ["settle 2", "compare 2"])
        #expect(book.text.contains("a row is missing"))
        #expect(await examine() == ["settle all", "compare all"])
        found.withLock { $0 = [] }
        #expect(await examine() == ["settle all", "compare all"])
        // A step that fails is repeated, and the other one goes on.
        failing.withLock { $0 = "settle" }
        #expect(await examine() == ["settle 5", "compare 5"])
        #expect(codes.problems == [])
        failing.withLock { $0 = "compare" }
        #expect(await examine() == ["settle 5", "compare 6"])
        #expect(codes.problems.count == 1 && codes.problems[0].contains("were examined"), "\(codes.problems)")
        failing.withLock { $0 = "" }
        #expect(await examine() == ["settle 6", "compare 6"])
        #expect(codes.problems == [])
    }

    @Test("Rows that wait to be counted for ten minutes are an error in the log and a warning of readiness, once")
    func standing() async throws {
        let (codes, book) = (RowCodes(), LogBook())
        let progress = Mutex<EvidenceProgress?>(EvidenceProgress(waiting: [.consent, .release]))
        let marking = EvidenceMarking(codes, logger: book.logger) { () async throws(StoreError) in
            guard let found = progress.withLock({ $0 }) else { throw StoreError(.unavailable, "it fails") }
            return found
        }
        let begin = ContinuousClock.now  // gate: an origin to count from; no time is judged
        func errors(after seconds: Int) async -> Int {
            await marking.mark(at: begin + .seconds(seconds))
            return book.lines.count { $0.hasPrefix("error") }
        }
        #expect(await errors(after: 0) == 0)
        progress.withLock { $0 = EvidenceProgress(waiting: [.consent]) }
        #expect(await errors(after: 599) == 0 && codes.problems == [])
        #expect(await errors(after: 600) == 1)
        #expect(await errors(after: 900) == 1)
        #expect(codes.problems.count == 1 && codes.problems[0].contains("for 15 minutes"), "\(codes.problems)")
        // The ledger is counted between.
        progress.withLock { $0 = EvidenceProgress(waiting: [.release]) }
        #expect(await errors(after: 905) == 1 && codes.problems == [])
        // And so it is if the marks cannot be written.
        progress.withLock { $0 = nil }
        #expect(await errors(after: 1000) == 1)
        #expect(await errors(after: 1505) == 2 && codes.problems.count == 1)
        progress.withLock { $0 = EvidenceProgress() }
        #expect(await errors(after: 1600) == 2 && codes.problems == [])
    }

    @Test("A backup's report names such a row, and a good backup's none")
    func backup() async throws {
        try await withPlace { configuration, folder in
            func report(_ name: String) async throws -> BackupReport {
                try await Backup(configuration: configuration, file: "\(folder)/\(name)").make(environment: [:])
            }
            #expect(try await report("good.sqlite").rowProblems == [])
            try await forge(configuration)
            let forged = try await report("forged.sqlite")
            #expect(forged.rowProblems.count == 1 && forged.lines.last?.text.contains("the row thief") == true)
        }
    }

    @Test("A node remembers in its data directory that rows have codes, and a restoration forgets it")
    func memory() async throws {
        try await withPlace { configuration, folder in
            let path = "\(configuration.dataDirectory)/\(RowCodes.sealedFileName)"
            #expect(FileManager.default.fileExists(atPath: path))
            #expect(DataDirectory.isOpenToOthers(path) == false)
            let backup = "\(folder)/backup.sqlite"
            _ = try await Backup(configuration: configuration, file: backup).make(environment: [:])
            _ = try await Restoration(
                configuration: configuration, file: BackupFile(backup), environment: [:]
            ).perform()
            #expect(!FileManager.default.fileExists(atPath: path))
            await (try await configuration.open()).close()
            #expect(FileManager.default.fileExists(atPath: path))
        }
    }

    @Test("An operator gives a refused row a code as it was shown, once, and the audit log has the reason")
    func command() async throws {
        try await withPlace { configuration, _ in
            try await forge(configuration)
            func seal(_ digest: String) async throws {
                let command = try RowsCommand.Seal.parse(
                    ["admin", "thief", "--as", digest, "--reason", "it is ours"])
                let installation = try await configuration.open()
                let result: Result<RowToSeal, any Error>
                do { result = .success(try await command.seal(in: installation)) } catch { result = .failure(error) }
                await installation.close()
                _ = try result.get()
            }
            func row(_ words: [String]) async throws -> RowToSeal {
                let place = try RowOptions.parse(words)
                let installation = try await configuration.open()
                let result: Result<RowToSeal, any Error>
                do { result = .success(try await place.row(in: installation)) } catch { result = .failure(error) }
                await installation.close()
                return try result.get()
            }
            let shown = try await row(["admin", "thief"])
            await #expect(throws: CommandFailure.self) { try await seal(String(repeating: "0", count: 16)) }
            #expect(try await row(["admin", "thief"]) == shown && !shown.isValid)
            try await seal(shown.digest)
            #expect(try await row(["admin", "thief"]).isValid)
            await #expect(throws: CommandFailure.self) { try await seal(shown.digest) }
            await #expect(throws: CommandFailure.self) { _ = try await row(["app", "300000000001"]) }
            let installation = try await configuration.open()
            let lines = try await installation.store.auditEntries(
                AuditFilter(order: "rows.seal"), before: nil, limit: 9)
            await installation.close()
            #expect(lines.first?.reason == "it is ours" && lines.first?.subject == "admin thief")
        }
    }
}

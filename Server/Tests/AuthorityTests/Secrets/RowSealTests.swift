import BenjiProtocol
import Foundation
import GRDB
import ServerTestKit
import Store
import StoreSQLite
import Synchronization
import Testing

@testable import Authority

@Suite("Codes of rows are given by Benji's own orders alone")
struct RowSealTests {
    private static let thief = """
        INSERT INTO admin (name, role, apps, sees_numbers, kind, credential, created_at, expires_at)
        VALUES ('thief', 'operator', '[]', 1, 'token', zeroblob(32), 0, 9000000000000)
        """

    // MARK: revoked admins

    @Test("A forged row that says it is revoked gets no code by a renewal")
    func renewed() async throws {
        try await RowPlace.use { place in
            _ = try await place.tie()
            try await place.store.createAdmin(RowPlace.admin("dev"), audit: nil)
            try place.attack("UPDATE admin SET role = 'operator', sees_numbers = 1, revoked_at = 5 WHERE name = 'dev'")
            #expect(try await place.naive.admin(named: "dev")?.role == "operator")
            #expect(try await place.store.admin(named: "dev") == nil)
            #expect(try await place.store.examineRows().first?.contains("the row dev of the table admin") == true)
            // As `benji admin renew` writes it.
            var renewed = RowPlace.admin("dev")
            renewed.role = "operator"
            renewed.credential = RowPlace.hash("new")
            #expect(try await !place.store.updateAdmin(renewed, audit: nil))
            #expect(try await place.store.admin(RowPlace.hash("new")) == nil)
            #expect(try await place.naive.updateAdmin(renewed, audit: nil))
        }
    }

    @Test("What a restoration revokes cannot be taken back after the next start, and before it it can")
    func restored() async throws {
        try await RowPlace.use { place in
            _ = try await place.tie()
            try await place.store.createAdmin(RowPlace.admin("ben"), audit: nil)
            let restore = "UPDATE admin SET revoked_at = 5 WHERE name = 'ben'"
            let revive = "UPDATE admin SET revoked_at = NULL WHERE name = 'ben'"
            try place.attack(restore)
            try place.attack(revive)
            #expect(try await place.store.admin(named: "ben")?.isValid(at: RowPlace.now) == true)
            try place.attack(restore)
            try await place.restarted { store in _ = try await place.tie(store) }
            #expect(try await place.store.admin(named: "ben")?.revokedAt == Timestamp(milliseconds: 5))
            try place.attack(revive)
            #expect(try await place.naive.admin(named: "ben")?.isValid(at: RowPlace.now) == true)
            #expect(try await place.store.admin(named: "ben") == nil)
        }
    }

    // MARK: codes begin once

    @Test("A row is not sealed after its ring of keys and its mark were emptied, on a node that knows of the codes")
    func emptied() async throws {
        try await RowPlace.use { place in
            let memory = SealedRowsFile(dataDirectory: place.folder)
            _ = try await place.tie(memory: memory)
            #expect(memory.isThere)
            try place.attack(
                """
                DROP TRIGGER audit_mark_stays; DELETE FROM audit_mark;
                DELETE FROM master_key; DELETE FROM data_secrets; DELETE FROM receipt_key;
                """)
            try place.attack(Self.thief)
            try await place.restarted { store in
                let error = await #expect(throws: StoreError.self) { _ = try await place.tie(store, memory: memory) }
                #expect(error?.code == .corrupt && error?.detail.contains("rows-sealed") == true)
                let ring = try await store.masterKeyRing()
                #expect(ring.keys.isEmpty, "nothing was changed")
            }
            // A node that has not heard of codes falls.
            try await place.restarted { store in
                _ = try await place.tie(store)
                #expect(try await store.admin(named: "thief")?.role == "operator")
            }
        }
    }

    @Test("Data secrets of before the codes are not believed on a node that knows of them, without a mark either")
    func olderSecrets() async throws {
        try await RowPlace.use { place in
            let memory = SealedRowsFile(dataDirectory: place.folder)
            let vault = try await place.tie(memory: memory)
            try place.forgetCodes(vault)
            try place.attack(Self.thief)
            try await place.restarted { store in
                let error = await #expect(throws: StoreError.self) { _ = try await place.tie(store, memory: memory) }
                #expect(error?.code == .corrupt)
                _ = try await MasterKeyVerification.look(place.file.keys(), of: place.file, at: store, memory: memory)
                #expect(store.rowCodes.problems.first?.contains("rows-sealed") == true, "benji doctor says so")
            }
            // After a restoration of an earlier version's backup.
            memory.forget()
            try await place.restarted { store in
                _ = try await place.tie(store, memory: memory)
                #expect(try await store.examineRows() == [])
            }
            #expect(memory.isThere)
        }
    }

    @Test("An empty ring of keys beside a mark is refused before anything is written, and a look reports it")
    func emptyRing() async throws {
        try await RowPlace.use { place in
            _ = try await place.tie()
            try place.attack("DELETE FROM master_key; DELETE FROM data_secrets; DELETE FROM receipt_key")
            try await place.restarted { store in
                let error = await #expect(throws: StoreError.self) { _ = try await place.tie(store) }
                #expect(error?.code == .corrupt)
                #expect(try await store.masterKeyRing().keys.isEmpty)
                _ = try await MasterKeyVerification.look(place.file.keys(), of: place.file, at: store)
                #expect(try await store.examineRows().count == 1)
            }
        }
    }

    @Test("A new store is tied although a node knows of the codes of another one")
    func newStore() async throws {
        try await RowPlace.use { place in
            let memory = SealedRowsFile(dataDirectory: place.folder)
            let made = FileManager.default.createFile(
                atPath: "\(place.folder)/\(RowCodes.sealedFileName)", contents: Data())
            #expect(made && memory.isThere)
            _ = try await place.tie(memory: memory)
            #expect(try await place.store.examineRows() == [])
        }
    }

    /// Keys that are asked for, and first a database that changes.
    private struct BusyKeeper: MasterKeyKeeper {
        let file: MasterKeyFile
        let change: @Sendable () -> Void

        var name: String { file.name }
        func kept() throws(MasterKeyError) -> [KeptMasterKey] {
            change()
            return try file.kept()
        }
        func add(random: any RandomSource) throws(MasterKeyError) -> MasterKey { try file.add(random: random) }
        func remove(_ keys: [MasterKey], discarding: Bool) throws(MasterKeyError) -> Bool {
            try file.remove(keys, discarding: discarding)
        }
        func formerKeyFiles() -> [FormerKeyFile] { file.formerKeyFiles() }
        func hold() throws(MasterKeyError) -> RotationLock? { try file.hold() }
    }

    @Test("A start while data secrets are sealed anew gives codes all the same; one attempt alone refuses every row")
    func sealedMeanwhile() async throws {
        try await RowPlace.use { place in
            let vault = try await place.tie()
            try await place.store.createAdmin(RowPlace.admin("ops"), audit: nil)
            try place.forgetCodes(vault)
            let stale = try await place.store.masterKeyRing().dataSecrets
            try place.put(DataSecrets(bytes: Array(vault.secrets.bytes.prefix(128))), vault)
            try await place.restarted { store in
                let done = try await vault.protectRows(
                    of: store, dataSecrets: stale, onlyIfEmpty: false, at: RowPlace.now)
                #expect(!done)
                #expect(try await store.admin(named: "ops") == nil)
            }
            let left = Mutex(1)
            // As a rotation of another process does between the reading of the ring and the sealing.
            let keeper = BusyKeeper(file: place.file) {
                let isDue = left.withLock { left in
                    left -= 1
                    return left >= 0
                }
                if isDue { try? place.put(DataSecrets(bytes: Array(vault.secrets.bytes.prefix(128))), vault) }
            }
            try await place.restarted { store in
                let strange = MasterKey(bytes: Array(repeating: 9, count: 32))
                let again = try await MasterKeyVerification.tie(
                    [strange], of: keeper, to: store, at: RowPlace.now, random: SystemRandomSource())
                #expect(again != nil)
                #expect(left.withLock { $0 } < 1, "the data secrets were changed meanwhile")
                #expect(try await store.admin(named: "ops") != nil)
                #expect(try await store.examineRows() == [])
            }
        }
    }

    @Test("A start whose data secrets are sealed anew each time is given up after three attempts")
    func sealedAllTheTime() async throws {
        try await RowPlace.use { place in
            let vault = try await place.tie()
            try place.forgetCodes(vault)
            let attempts = Mutex(0)
            let keeper = BusyKeeper(file: place.file) {
                attempts.withLock { $0 += 1 }
                try? place.put(DataSecrets(bytes: Array(vault.secrets.bytes.prefix(128))), vault)
            }
            try await place.restarted { store in
                let error = await #expect(throws: StoreError.self) {
                    _ = try await MasterKeyVerification.tie(
                        [], of: keeper, to: store, at: RowPlace.now, random: SystemRandomSource())
                }
                #expect(error?.code == .unavailable && attempts.withLock { $0 } == 3)
            }
        }
    }

    @Test("That rows have codes is kept in a file once, and the log tells of it only if it cannot be kept")
    func memory() throws {
        let folder = NSTemporaryDirectory() + "/memory-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let (memory, log) = (SealedRowsFile(dataDirectory: folder), LogBook())
        memory.keep(log.logger)
        #expect(memory.isThere)
        let file = URL(fileURLWithPath: "\(folder)/\(RowCodes.sealedFileName)")
        try Data("a note of the operator".utf8).write(to: file)
        memory.keep(log.logger)
        #expect(try Data(contentsOf: file) == Data("a note of the operator".utf8) && log.lines.isEmpty)
        memory.forget()
        #expect(!memory.isThere)
        SealedRowsFile(dataDirectory: folder + "/none").keep(log.logger)
        #expect(log.lines.count == 1)
    }

    @Test("Of two nodes that start at once after the upgrade one gives the codes, and both believe the rows")
    func twoNodes() async throws {
        try await RowPlace.use { place in
            try await place.store.createAdmin(RowPlace.admin("ops"), audit: nil)
            try await place.restarted { other in
                async let first = place.tie()
                async let second = place.tie(other)
                _ = try await (first, second)
                for store in [place.store, other] {
                    #expect(try await store.admin(named: "ops") != nil)
                    #expect(try await store.examineRows() == [])
                }
            }
            let lines = try await place.naive.auditEntries(AuditFilter(order: "rows.seal"), before: nil, limit: 9)
            #expect(lines.count == 1)
        }
    }

    // MARK: an operator gives a code

    @Test("An operator gives a code to a row that they were shown; a row that was changed since stays refused")
    func accepted() async throws {
        try await RowPlace.use { place in
            let vault = try await place.tie()
            try await place.store.createAdmin(RowPlace.admin("ops"), audit: nil)
            let app = try await place.app(vault).rawValue
            // As nodes of an earlier version write.
            try place.attack("UPDATE admin SET expires_at = expires_at + 1, mac = NULL")
            try place.attack("UPDATE app SET callback_stopped_at = 7; UPDATE openid_client SET key_set = '{}'")
            let places: [(RowToSeal.Table, String)] = [(.admin, "ops"), (.app, app), (.openIDClient, app)]
            for (table, id) in places {
                let row = try #require(try await place.store.rowToSeal(table, id: id))
                #expect(!row.isValid && row.digest.count == 16)
                #expect(try await place.store.seal(row, audit: RowPlace.line("rows.seal")))
                #expect(try await place.store.rowToSeal(table, id: id)?.isValid == true)
                #expect(try await !place.store.seal(row, audit: RowPlace.line("rows.seal")), "it is another one now")
            }
            #expect(try await place.store.examineRows() == [])
            #expect(try await place.store.admin(named: "ops") != nil)

            try place.attack("UPDATE admin SET expires_at = expires_at + 1")
            let shown = try #require(try await place.store.rowToSeal(.admin, id: "ops"))
            #expect(shown.values.contains(RowToSeal.Value("role", "developer")))
            try place.attack("UPDATE admin SET role = 'operator'")
            #expect(try await place.store.rowToSeal(.admin, id: "ops")?.digest != shown.digest)
            #expect(try await !place.store.seal(shown, audit: RowPlace.line("rows.seal")))
            #expect(try await place.store.admin(named: "ops") == nil)
            #expect(try await place.store.rowToSeal(.admin, id: "nobody") == nil)
            // Without the key there is nothing to give.
            #expect(try await !place.naive.seal(shown, audit: RowPlace.line("rows.seal")))
        }
    }

    @Test(
        "The mark of the audit log is begun anew by an order, and misses lines again from then on",
        arguments: [
            "DROP TRIGGER audit_is_never_shortened; DELETE FROM audit WHERE order_name <> 'first'",
            "DROP TRIGGER audit_mark_stays; DELETE FROM audit_mark",
            "UPDATE audit_mark SET entries = entries + 5",
        ])
    func markBegunAnew(attack: String) async throws {
        try await RowPlace.use { place in
            _ = try await place.tie()
            for order in ["first", "second", "third"] { try await place.store.appendAudit(RowPlace.line(order)) }
            let good = try #require(try await place.store.rowToSeal(.auditMark, id: ""))
            #expect(good.isValid)
            try place.attack(attack)
            try await place.store.appendAudit(RowPlace.line("fourth"))
            #expect(try await place.store.auditLogProblem() != nil, "it does not come back by itself")
            let row = try #require(try await place.store.rowToSeal(.auditMark, id: ""))
            #expect(!row.isValid)
            #expect(try await place.store.seal(row, audit: RowPlace.line("rows.seal")))
            #expect(try await place.store.auditLogProblem() == nil)
            try await place.store.appendAudit(RowPlace.line("fifth"))
            #expect(try await place.store.auditLogProblem() == nil)
            try place.attack(
                "DROP TRIGGER IF EXISTS audit_is_never_shortened; DELETE FROM audit WHERE order_name = 'rows.seal'")
            #expect(try await place.store.auditLogProblem() != nil)
        }
    }

    // MARK: covered values

    @Test("A valid code is of its row and table alone")
    func copiedCode() async throws {
        try await RowPlace.use { place in
            let vault = try await place.tie()
            for name in ["ana", "ben"] { try await place.store.createAdmin(RowPlace.admin(name), audit: nil) }
            let app = try await place.app(vault)
            for other in ["admin WHERE name = 'ana'", "app", "openid_client"] {
                try place.attack("UPDATE admin SET mac = (SELECT mac FROM \(other)) WHERE name = 'ben'")
                #expect(try await place.naive.admin(named: "ben") != nil)
                #expect(try await place.store.admin(named: "ben") == nil)
            }
            try place.attack("UPDATE app SET mac = (SELECT mac FROM openid_client)")
            #expect(try await place.store.app(app) == nil)
            #expect(try await place.store.admin(named: "ana") != nil)
        }
    }

    @Test("A sign-in under way that another party wrote or changed leads nowhere, and without codes it does")
    func pending() async throws {
        try await RowPlace.use { place in
            _ = try await place.tie()
            let pending = try await place.signIn()
            #expect(try await place.store.pendingSignIn(pending.hash, at: RowPlace.now) == pending)
            for attack in [
                "INSERT INTO console_pending (hash, admin, ends_at) SELECT ?, admin, ends_at FROM console_pending",
                "UPDATE console_pending SET ends_at = ends_at + 1, hash = ?",
            ] {
                let thief = RowPlace.hash("thief")
                try place.attack("DELETE FROM console_pending WHERE hash = ?", [Data(thief.bytes)])
                try place.attack(attack, [Data(thief.bytes)])
                #expect(try await place.naive.pendingSignIn(thief, at: RowPlace.now) != nil)
                #expect(try await place.store.pendingSignIn(thief, at: RowPlace.now) == nil)
            }
        }
    }

    /// Tables whose rows have codes, with the row that covers them, and columns that give no rights.
    private static let covered: [(table: String, row: RowToSeal.Table, key: String, others: Set<String>)] = [
        ("admin", .admin, "kept.name = admin.name", ["last_used_day"]),
        ("app", .app, "kept.id = app.id", ["revision"]),
        (
            "app_key", .app, "kept.use = app_key.use AND kept.version = app_key.version",
            // A rotation seals it again, and it opens for its app alone.
            ["sealed_key"]
        ),
        ("openid_client", .openIDClient, "kept.app = openid_client.app", ["revision"]),
        ("openid_client_secret", .openIDClient, "kept.version = openid_client_secret.version", []),
    ]

    @Test("Each column of a row with a code is covered but for those that give no rights", arguments: 0..<5)
    func everyColumn(index: Int) async throws {
        let (table, row, key, others) = Self.covered[index]
        try await RowPlace.use { place in
            let vault = try await place.tie()
            try await place.store.createAdmin(RowPlace.admin("ops"), audit: nil)
            let id = try await row == .admin ? "ops" : place.app(vault).rawValue
            func isValid() async -> Bool {
                // A row that cannot be read gives no rights either.
                (try? await place.store.rowToSeal(row, id: id))?.isValid == true
            }
            try place.attack("CREATE TABLE kept AS SELECT * FROM \(table)")
            #expect(await isValid())
            for (name, type) in try place.columns(of: table) {
                try place.attack("UPDATE \(table) SET \(name) = \(Self.change(of: name, type))")
                #expect(await isValid() == others.contains(name), "\(table).\(name)")
                try place.attack("UPDATE \(table) SET \(name) = (SELECT kept.\(name) FROM kept WHERE \(key))")
                #expect(await isValid(), "\(table).\(name) was put back")
            }
        }
    }

    /// Another value for a column, which can be read.
    private static func change(of name: String, _ type: String) -> String {
        if name == "certificate_name" { return "'tls_client_auth_san_dns=thief.example'" }
        let absent = ["INTEGER": "1", "BLOB": "x'01'"][type] ?? "'x'"
        return """
            CASE typeof(\(name)) WHEN 'null' THEN \(absent)
                WHEN 'integer' THEN CASE WHEN \(name) IN (0, 1) THEN 1 - \(name) ELSE \(name) + 1 END
                WHEN 'text' THEN CASE WHEN \(name) = '[]' THEN '["300000000001"]'
                    WHEN substr(\(name), 1, 1) = '[' THEN '[]' ELSE \(name) || 'x' END
                ELSE zeroblob(length(\(name))) END
            """
    }

    @Test(
        "Each column of a row of the console is covered but for those that give no rights",
        arguments: [
            ("console_account", ["last_step", "failures", "blocked_until", "phone_bound_at", "phone_used_at"]),
            ("console_session", ["used_at"]), ("console_pending", []),
        ] as [(String, Set<String>)])
    func everyColumnOfTheConsole(table: String, others: Set<String>) async throws {
        try await RowPlace.use { place in
            _ = try await place.tie()
            let pending = try await place.signIn()
            func isBelieved() async throws -> Bool {
                if table == "console_pending" {
                    return try await place.store.pendingSignIn(pending.hash, at: RowPlace.now) != nil
                }
                // The account must be theirs, too.
                return try await place.store.consoleSession(
                    RowPlace.hash("session"), at: RowPlace.now, usedSince: RowPlace.now) != nil
            }
            try place.attack("CREATE TABLE kept AS SELECT * FROM \(table)")
            #expect(try await isBelieved())
            for (name, type) in try place.columns(of: table) {
                try place.attack("UPDATE \(table) SET \(name) = \(Self.change(of: name, type))")
                #expect(try await isBelieved() == others.contains(name), "\(table).\(name)")
                try place.attack("UPDATE \(table) SET \(name) = (SELECT kept.\(name) FROM kept)")
                #expect(try await isBelieved(), "\(table).\(name) was put back")
            }
        }
    }

    // MARK: known refused rows

    @Test("An examination that fails forgets nothing, and one that ends has counted what is refused now")
    func examination() async throws {
        let codes = RowCodes()
        codes.use { $0 }
        let named = Mutex<[String]>([])
        let counts = Mutex<[String: Int]>([:])
        codes.observe(
            { row in named.withLock { $0.append(row.id) } },
            counting: { table, count in counts.withLock { $0[table] = count } })
        codes.refuse("admin", id: "thief")
        codes.refuse("admin", id: "thief")
        #expect(named.withLock { $0 } == ["thief"])
        #expect(counts.withLock { $0["admin"] } == 1)
        let error = await #expect(throws: StoreError.self) {
            try await codes.examine { () async throws(StoreError) in throw StoreError(.unavailable, "no answer") }
        }
        #expect(error?.code == .unavailable)
        #expect(codes.problems.count == 1)
        try await codes.examine { () async throws(StoreError) in codes.refuse("app", id: "300000000001") }
        #expect(codes.problems.count == 1 && codes.problems[0].contains("table app"))
        #expect(counts.withLock { $0["admin"] } == 0)
        #expect(counts.withLock { $0["app"] } == 1)
        try await codes.examine { () async throws(StoreError) in }
        #expect(codes.problems == [])
        #expect(counts.withLock { $0["app"] } == 0)
    }
}

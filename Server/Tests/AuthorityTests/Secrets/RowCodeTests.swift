import BenjiProtocol
import Foundation
import GRDB
import ServerTestKit
import Store
import StoreSQLite
import Testing

@testable import Authority

@Suite("Rows that give rights, and a party that writes to the database without the master key")
struct RowCodeTests {
    private static var now: Timestamp { RowPlace.now }

    private func withPlace(_ body: (RowPlace) async throws -> Void) async throws { try await RowPlace.use(body) }

    private static func hash(_ name: String) -> CredentialHash { RowPlace.hash(name) }

    private static func admin(_ name: String, _ kind: AdminRecord.CredentialKind = .token) -> AdminRecord {
        RowPlace.admin(name, kind)
    }

    private static func line(_ order: String) -> AuditEntry { RowPlace.line(order) }

    // MARK: admins

    @Test("A row that was written by another party is no admin, and a store without codes takes it for an operator")
    func inserted() async throws {
        try await withPlace { place in
            _ = try await place.tie()
            try await place.store.createAdmin(Self.admin("ops"), audit: nil)
            let thief = Self.hash("thief")
            try place.attack(
                """
                INSERT INTO admin (name, role, apps, sees_numbers, kind, credential, created_at, expires_at)
                VALUES ('thief', 'operator', '[]', 1, 'token', ?, 0, ?)
                """, [Data(thief.bytes), Int64.max])
            #expect(try await place.naive.admin(thief)?.role == "operator")
            #expect(try await place.store.admin(thief) == nil)
            #expect(try await place.store.admins().map(\.name) == ["ops"])
            #expect(try await place.store.admin(Self.hash("ops")) != nil)
            let problems = place.store.rowCodes.problems
            #expect(problems.count == 1 && problems[0].contains("the row thief of the table admin"))
            try place.attack("DELETE FROM admin WHERE name = 'thief'")
            #expect(try await place.store.examineRows() == [])
        }
    }

    @Test(
        "A row of an admin that was changed counts as absent, and a store without codes believes it",
        arguments: [
            "role = 'operator'", #"apps = '["300000000001"]'"#, "sees_numbers = 1", "kind = 'certificate'",
            "credential = zeroblob(32)", "expires_at = expires_at + 1", "mac = NULL", "mac = zeroblob(32)",
        ])
    func changed(change: String) async throws {
        try await withPlace { place in
            _ = try await place.tie()
            try await place.store.createAdmin(Self.admin("ops"), audit: nil)
            try await place.store.noteAdminUse("ops", day: 20_261_118)
            #expect(try await place.store.admin(named: "ops")?.lastUsedDay == 20_261_118)
            try place.attack("UPDATE admin SET \(change) WHERE name = 'ops'")
            #expect(try await place.naive.admin(named: "ops") != nil)
            #expect(try await place.store.admin(named: "ops") == nil)
        }
    }

    @Test("An admin who was revoked does not come back by their row, and one who was revoked without a code is revoked")
    func revoked() async throws {
        try await withPlace { place in
            _ = try await place.tie()
            for name in ["ana", "ben"] { try await place.store.createAdmin(Self.admin(name), audit: nil) }
            var record = Self.admin("ana")
            record.revokedAt = Self.now
            #expect(try await place.store.updateAdmin(record, audit: nil))
            #expect(try await place.store.admin(named: "ana")?.revokedAt == Self.now)
            try place.attack("UPDATE admin SET revoked_at = NULL WHERE name = 'ana'")
            #expect(try await place.naive.admin(named: "ana")?.isValid(at: Self.now) == true)
            #expect(try await place.store.admin(named: "ana") == nil)
            // As a restoration does.
            try place.attack("UPDATE admin SET revoked_at = 5 WHERE name = 'ben'")
            #expect(try await place.store.admin(named: "ben")?.isValid(at: Self.now) == false)
        }
    }

    @Test("A session or password of the console that another party wrote lets nobody in, and without codes it does")
    func console() async throws {
        try await withPlace { place in
            _ = try await place.tie()
            try await place.store.createAdmin(Self.admin("ops", .invitation), audit: nil)
            let account = ConsoleAccount(
                admin: "ops", password: PasswordHash(salt: [1], cost: 14, hash: [2]), lastStep: 0)
            let session = ConsoleSession(
                hash: Self.hash("session"), admin: "ops", beganAt: Self.now, endsAt: Self.now + .seconds(3600))
            let accepted = try await place.store.acceptInvitation(
                Self.hash("ops"), spent: Self.hash("spent"), account: account, session: session,
                audit: Self.line("console.accept"))
            #expect(accepted)
            func visitor(_ store: SQLiteStore, _ name: String) async throws -> String? {
                try await store.consoleSession(Self.hash(name), at: Self.now, usedSince: Self.now)?.name
            }
            func attempt(_ store: SQLiteStore) async throws -> SignInAttempt {
                try await store.beginSignIn("ops", at: Self.now, limit: 9, pause: .seconds(60), audit: nil)
            }
            #expect(try await visitor(place.store, "session") == "ops")
            #expect(try await attempt(place.store) == .open(account))

            try place.attack(
                "INSERT INTO console_session (hash, admin, began_at, used_at, ends_at) VALUES (?, 'ops', 0, ?, ?)",
                [Data(Self.hash("thief").bytes), Int64.max, Int64.max])
            #expect(try await visitor(place.naive, "thief") == "ops")
            #expect(try await visitor(place.store, "thief") == nil)
            #expect(try await visitor(place.store, "session") == "ops")

            try place.attack("UPDATE console_account SET hash = x'09'")
            #expect(try await attempt(place.naive) != .nobody)
            #expect(try await attempt(place.store) == .nobody)
        }
    }

    // MARK: apps

    @Test(
        """
        An app whose row, keys or OpenID client were changed counts as absent, and a store without codes believes them
        """,
        arguments: [
            #"UPDATE app SET server_addresses = '["0.0.0.0/0"]'"#, #"UPDATE app SET attesters = '["{}"]'"#,
            #"UPDATE app SET capabilities = '["login","sim-swap"]'"#, "UPDATE app SET owner = 'another'",
            "UPDATE app SET unsigned_requests = 1", "UPDATE app SET suspended = 0", "UPDATE app SET mac = NULL",
            "UPDATE app_key SET accepted_until = 9",
            """
            INSERT INTO app_key (app, use, version, sealed_key, in_package)
            SELECT app, use, version + 1, sealed_key, in_package FROM app_key WHERE use = 'server'
            """,
            #"UPDATE openid_client SET redirect_uris = '["https://thief.example/"]'"#,
            "INSERT INTO openid_client_secret (app, version, hash) SELECT app, 2, zeroblob(32) FROM openid_client",
        ])
    func app(attack: String) async throws {
        try await withPlace { place in
            let vault = try await place.tie()
            let apps = Apps(store: place.store, vault: vault, clock: RowPlace.clock, random: SystemRandomSource())
            var record = try await apps.register(Apps.Registration(name: "Shop"), by: .test).record
            record.suspended = true
            try await place.store.updateApp(record, audit: nil)
            _ = try await place.store.putOpenIDClient(
                OpenIDClientRecord(
                    appID: record.id, redirectURIs: ["https://shop.example/"], authentication: .clientSecretBasic,
                    secrets: [ClientSecretRecord(hash: Self.hash("secret"), createdAt: Self.now)], keySet: nil,
                    idTokenAlgorithm: .es256, asksMiddleDigits: false, requiresPushedRequests: false, page: "{}"),
                media: [], removedMedia: [], audit: nil)
            #expect(try await place.store.examineRows() == [])
            try place.attack(attack)
            #expect(try await place.naive.app(record.id) != nil)
            #expect(try await place.naive.openIDClient(record.id) != nil)
            let (app, client) = (
                try await place.store.app(record.id), try await place.store.openIDClient(record.id)
            )
            #expect(attack.contains("openid") ? client == nil : app == nil)
            let problem = try #require(try await place.store.examineRows().first { $0.contains(record.id.rawValue) })
            #expect(problem.contains(attack.contains("openid") ? "table openid_client" : "table app"))
        }
    }

    // MARK: the audit log

    @Test(
        """
        Lines that are taken out of the audit log are missed, also after later ones, and a store without codes misses \
        none
        """,
        arguments: [
            "DROP TRIGGER audit_is_never_shortened; DELETE FROM audit",
            "DROP TRIGGER audit_is_never_shortened; DELETE FROM audit WHERE id = (SELECT max(id) FROM audit)",
            "DROP TRIGGER audit_is_never_shortened; DELETE FROM audit WHERE order_name = 'second'",
            "DROP TRIGGER audit_mark_stays; DELETE FROM audit_mark",
            """
            DROP TRIGGER audit_is_never_shortened; DROP TRIGGER audit_mark_never_goes_back;
            DELETE FROM audit; UPDATE audit_mark SET line = 0, entries = 0
            """,
        ])
    func audit(attack: String) async throws {
        try await withPlace { place in
            _ = try await place.tie()
            for order in ["first", "second", "third"] { try await place.store.appendAudit(Self.line(order)) }
            #expect(try await place.store.auditLogProblem() == nil)
            try place.attack(attack)
            #expect(try await place.naive.auditLogProblem() == nil)
            #expect(try await place.store.auditLogProblem() != nil)
            try await place.store.appendAudit(Self.line("fourth"))
            #expect(try await place.store.auditLogProblem() != nil)
            // So it is after a restart.
            let found = try await place.restarted { store in
                _ = try await place.tie(store)
                return try await store.examineRows()
            }
            #expect(found.count == 1 && found[0].contains("the audit log"))
        }
    }

    @Test("The last line of the audit log is as it was written; a line of a party without codes is no fault")
    func lastLine() async throws {
        try await withPlace { place in
            _ = try await place.tie()
            try await place.store.appendAudit(Self.line("first"))
            // As a restoration does.
            try await place.naive.appendAudit(Self.line("restore"))
            #expect(try await place.store.auditLogProblem() == nil)
            try await place.store.appendAudit(Self.line("third"))
            #expect(try await place.store.auditLogProblem() == nil)
            try place.attack(
                "DROP TRIGGER audit_is_never_changed; UPDATE audit SET actor = 'x' WHERE order_name = 'third'")
            #expect(try await place.store.auditLogProblem()?.contains("not as it was written") == true)
        }
    }

    // MARK: codes over time

    @Test("Rows of an earlier version get their codes once; later a row without one is absent, whatever is put back")
    func upgrade() async throws {
        try await withPlace { place in
            try await place.store.createAdmin(Self.admin("ops"), audit: nil)
            let legacy = Vault(masterKey: place.first)
            let apps = Apps(store: place.store, vault: legacy, clock: RowPlace.clock, random: SystemRandomSource())
            let app = try await apps.register(Apps.Registration(name: "Shop"), by: .test).record.id

            let vault = try await place.tie()
            #expect(try await place.store.admin(named: "ops") != nil)
            #expect(try await place.store.app(app) != nil)
            #expect(try await place.store.examineRows() == [])
            func sealings() async throws -> Int {
                try await place.naive.auditEntries(AuditFilter(order: "rows.seal"), before: nil, limit: 9).count
            }
            #expect(try await sealings() == 1)

            try place.attack("UPDATE admin SET role = 'operator', mac = NULL")
            try await place.restarted { store in
                _ = try await place.tie(store)
                #expect(try await store.admin(named: "ops") == nil)
                #expect(try await store.app(app) != nil)
            }
            #expect(try await sealings() == 1)

            // The data secrets of before, from a backup.
            let old = try #require(DataSecrets(bytes: Array(vault.secrets.bytes.prefix(128))))
            let sealed = try vault.seal(old.bytes, purpose: DataSecrets.purpose, owner: [])
            try place.attack("UPDATE data_secrets SET sealed = ?", [Data(sealed.bytes)])
            try await place.restarted { store in
                let error = await #expect(throws: StoreError.self) { _ = try await place.tie(store) }
                #expect(error?.code == .corrupt)
            }
        }
    }

    @Test("A new master key leaves codes and mark as they are")
    func rotation() async throws {
        try await withPlace { place in
            let vault = try await place.tie()
            try await place.store.createAdmin(Self.admin("ops"), audit: Self.line("admin.grant"))
            let apps = Apps(store: place.store, vault: vault, clock: RowPlace.clock, random: SystemRandomSource())
            let app = try await apps.register(Apps.Registration(name: "Shop"), by: .test).record.id
            _ = try await MasterKeyRotation(
                vault: vault, store: place.store, clock: RowPlace.clock, random: SystemRandomSource()
            ).run(by: .test)
            try await place.restarted { store in
                _ = try await place.tie(store)
                #expect(try await store.examineRows() == [])
                #expect(try await store.admin(named: "ops") != nil)
                #expect(try await store.app(app) != nil)
            }
        }
    }
}

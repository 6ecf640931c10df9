import BenjiProtocol
import Foundation
import GRDB
import ServerTestKit
import Store
import StoreSQLite
import Testing

@testable import Authority

/// An installation, the same file opened without codes, and the statements of a party that writes to the database.
struct RowPlace: Sendable {
    static let clock = TestClock()
    static var now: Timestamp { clock.now }

    let keys: KeyFolder
    let store: SQLiteStore
    /// Accepts every row in the tables, as all versions before the codes did.
    let naive: SQLiteStore

    var folder: String { keys.path }
    var file: MasterKeyFile { keys.file }
    var first: MasterKey { keys.first }

    init() throws {
        keys = try KeyFolder()
        store = try keys.store()
        naive = try keys.store()
    }

    static func use(_ body: (RowPlace) async throws -> Void) async throws {
        let place = try RowPlace()
        do { try await body(place) } catch {
            await place.end()
            throw error
        }
        await place.end()
    }

    /// As a start does.
    func tie(_ store: SQLiteStore? = nil, memory: SealedRowsFile? = nil) async throws -> Vault {
        try #require(
            try await MasterKeyVerification.tie(
                file.keys(), of: file, to: store ?? self.store, at: Self.now, random: SystemRandomSource(),
                memory: memory))
    }

    /// Opens the database as another process does.
    func restarted<Value>(_ body: (SQLiteStore) async throws -> Value) async throws -> Value {
        let other = try keys.store()
        do {
            let value = try await body(other)
            await other.close()
            return value
        } catch {
            await other.close()
            throw error
        }
    }

    func attack(_ sql: String, _ arguments: StatementArguments = StatementArguments()) throws {
        let queue = try DatabaseQueue(path: keys.database)
        try queue.write { try $0.execute(sql: sql, arguments: arguments) }
        try queue.close()
    }

    /// The columns of a table that are no part of its key, with their types.
    func columns(of table: String) throws -> [(name: String, type: String)] {
        let queue = try DatabaseQueue(path: keys.database)
        let rows = try queue.read { db in
            try Row.fetchAll(db, sql: "SELECT name, type FROM pragma_table_info(?) WHERE pk = 0", arguments: [table])
        }
        try queue.close()
        return rows.map { row in (name: row["name"], type: row["type"]) }
    }

    func end() async {
        await store.close()
        await naive.close()
        keys.remove()
    }

    /// Takes the installation back to before the codes, as a version before them left it. What the vault of the first
    /// start knows stays true.
    func forgetCodes(_ vault: Vault) throws {
        try put(DataSecrets(bytes: Array(vault.secrets.bytes.prefix(128))), vault)
        try attack("DROP TRIGGER audit_mark_stays; DELETE FROM audit_mark; UPDATE admin SET mac = NULL")
    }

    /// Seals data secrets again and puts them into the database.
    func put(_ secrets: DataSecrets?, _ vault: Vault) throws {
        let bytes = try #require(secrets).bytes
        let sealed = try vault.seal(bytes, purpose: DataSecrets.purpose, owner: [])
        try attack("UPDATE data_secrets SET sealed = ?", [Data(sealed.bytes)])
    }

    static func hash(_ name: String) -> CredentialHash {
        CredentialHash(bytes: Array(name.utf8) + [UInt8](repeating: 0, count: 32 - name.utf8.count))
    }

    static func admin(_ name: String, _ kind: AdminRecord.CredentialKind = .token) -> AdminRecord {
        AdminRecord(
            name: name, role: "developer", kind: kind, credential: hash(name), createdAt: now,
            expiresAt: now + .seconds(86400))
    }

    static func line(_ order: String) -> AuditEntry {
        AuditEntry(at: now, actor: "ops", role: "operator", origin: "test", order: order)
    }

    /// The admin `ops` at the console, with the session `session`.
    /// - Returns: another sign-in of theirs, under way.
    func signIn() async throws -> PendingSignIn {
        try await store.createAdmin(Self.admin("ops", .invitation), audit: nil)
        let account = ConsoleAccount(
            admin: "ops", password: PasswordHash(salt: [1], cost: 14, hash: [2]), lastStep: 0)
        let session = ConsoleSession(
            hash: Self.hash("session"), admin: "ops", beganAt: Self.now, endsAt: Self.now + .seconds(3600))
        let isAccepted = try await store.acceptInvitation(
            Self.hash("ops"), spent: Self.hash("spent"), account: account, session: session,
            audit: Self.line("console.accept"))
        #expect(isAccepted)
        let pending = PendingSignIn(
            hash: Self.hash("pending"), admin: "ops", session: nil, endsAt: Self.now + .seconds(60))
        #expect(try await store.beginPending(pending, account: account))
        return pending
    }

    /// An app and its OpenID client.
    func app(_ vault: Vault) async throws -> AppID {
        let apps = Apps(store: store, vault: vault, clock: Self.clock, random: SystemRandomSource())
        var record = try await apps.register(Apps.Registration(name: "Shop"), by: .test).record
        record.callback = CallbackRecord(url: "https://shop.example/events", events: [])
        try await store.updateApp(record, audit: nil)
        var client = OpenIDClientRecord(
            appID: record.id, redirectURIs: ["https://shop.example/"], authentication: .clientSecretBasic,
            secrets: [ClientSecretRecord(hash: Self.hash("secret"), createdAt: Self.now)], keySet: nil,
            idTokenAlgorithm: .es256, asksMiddleDigits: false, requiresPushedRequests: false, page: "{}")
        client.backchannel = BackchannelRegistration(delivery: .poll)
        _ = try await store.putOpenIDClient(client, media: [], removedMedia: [], audit: nil)
        return record.id
    }
}

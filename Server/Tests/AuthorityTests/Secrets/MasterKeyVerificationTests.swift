import BenjiProtocol
import Foundation
import Logging
import ServerTestKit
import Sightings
import Store
import StoreSQLite
import Testing

@testable import Authority
@testable import Requests

@Suite struct MasterKeyVerificationTests {
    private let key = MasterKey(bytes: Array(0..<32))
    private let strange = MasterKey(bytes: Array(repeating: 9, count: 32))
    private var vault: Vault { Vault(masterKey: key) }
    private var stranger: Vault { Vault(masterKey: strange) }

    private func withStore(_ body: (SQLiteStore) async throws -> Void) async throws {
        let folder = NSTemporaryDirectory() + "/fit-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let store = try SQLiteStore(path: folder + "/benji.sqlite", logger: Logger(label: "test"))
        do { try await body(store) } catch {
            await store.close()
            throw error
        }
        await store.close()
    }

    private func apps(_ store: SQLiteStore, _ vault: Vault) -> Apps {
        Apps(store: store, vault: vault, clock: SystemWallClock(), random: SystemRandomSource())
    }

    // Without typed errors, which the macro cannot pass on inside a closure.
    private func judge(_ key: MasterKey?, store: SQLiteStore) async throws -> MasterKeyVerification {
        try await MasterKeyVerification.judge(key.map { [$0] } ?? [], store: store)
    }

    private func tied(_ key: MasterKey, to store: SQLiteStore) async throws -> Vault? {
        try await MasterKeyVerification.tie(
            [key], of: MasterKeyFile(path: "/nowhere/master.key"), to: store, at: Timestamp(milliseconds: 1),
            random: SystemRandomSource())
    }

    private func tie(_ key: MasterKey, to store: SQLiteStore) async throws -> Bool {
        try await tied(key, to: store) != nil
    }

    private func kept(_ store: SQLiteStore) async throws -> MasterKeyCheck? {
        try await store.masterKeyRing().current?.check
    }

    @Test("The first key that is tied to an empty store is its key from then on, and no other is taken")
    func first() async throws {
        try await withStore { store in
            let before = [try await judge(key, store: store), try await judge(nil, store: store)]
            #expect(before == [.nothingSealed, .nothingSealed])
            #expect(try await tie(key, to: store))
            #expect(try await judge(key, store: store) == .fits)
            #expect(try await judge(strange, store: store) == .doesNotFit)
            #expect(try await judge(nil, store: store) == .doesNotFit)
            #expect(try await tie(strange, to: store) == false)
            #expect(try await tie(key, to: store), "the right key is still taken")
        }
    }

    @Test("What the store remembers of a key tells keys apart and is none of the keys in use")
    func checkValue() {
        #expect(key.check != strange.check)
        #expect(key.check == MasterKey(bytes: Array(0..<32)).check)
        #expect(key.check.bytes.count == 32 && Array(key.check.bytes.prefix(8)) == key.id.bytes)
    }

    @Test("A store of an older version is tied to the first key that opens an app of it, and to no other")
    func olderApps() async throws {
        try await withStore { store in
            _ = try await apps(store, vault).register(Apps.Registration(name: "Shop"))
            #expect(try await kept(store) == nil, "as an older version left it")
            #expect(try await judge(nil, store: store) == .doesNotFit)
            #expect(try await tie(strange, to: store) == false)
            #expect(try await kept(store) == nil, "a key that does not fit leaves nothing behind")
            #expect(try await tie(key, to: store))
            #expect(try await kept(store) == key.check)
        }
    }

    @Test("A store of an older version that holds numbers alone, or signing keys alone, knows its key too")
    func olderNumbers() async throws {
        try await withStore { store in
            _ = try await Register(store: store, vault: vault).observe([
                SubscriberObservation(
                    number: AuthorityWorld.number, imsi: nil, carrier: .mobile,
                    eventTime: Timestamp(milliseconds: 1_790_000_000_000))
            ])
            #expect(try await judge(strange, store: store) == .doesNotFit)
            #expect(try await judge(key, store: store) == .fits)
        }
        try await withStore { store in
            let signing = OpenIDKeyRecord(
                id: "key", algorithm: .es256, publicKey: nil,
                sealedKey: try vault.seal([1, 2, 3], purpose: "openid-key", owner: Array("key".utf8)),
                createdAt: Timestamp(milliseconds: 1), publishedUntil: nil)
            try await store.addOpenIDKeys(
                [signing], publicKeys: [:], othersPublishedUntil: Timestamp(milliseconds: 1), audit: nil)
            #expect(try await judge(strange, store: store) == .doesNotFit)
            #expect(try await judge(key, store: store) == .fits)
        }
    }

    @Test("A store of an older version with nothing but keys that have ended belongs to no key that is shown to it")
    func olderEnds() async throws {
        try await withStore { store in
            let ended = OpenIDKeyRecord(
                id: "key", algorithm: .es256, publicKey: "{}", sealedKey: nil, createdAt: Timestamp(milliseconds: 1),
                publishedUntil: Timestamp(milliseconds: 1))
            try await store.addOpenIDKeys([ended], publicKeys: [:], othersPublishedUntil: nil, audit: nil)
            #expect(try await judge(key, store: store) == .doesNotFit)
            #expect(try await tie(key, to: store) == false)
        }
    }

    @Test("A server that takes any key mixes the data of two; ours takes neither the data nor the key for granted")
    func naive() async throws {
        try await withStore { store in
            let old = try await apps(store, vault).register(Apps.Registration(name: "Old"))
            // The file was lost: a new key is made, and the server goes on as usual.
            let new = try await apps(store, stranger).register(Apps.Registration(name: "New"))
            _ = try await apps(store, stranger).find(new.record.id)
            await #expect(throws: Refusal.self) { try await apps(store, stranger).find(old.record.id) }
            await #expect(throws: Refusal.self) { try await apps(store, vault).find(new.record.id) }
        }
        try await withStore { store in
            #expect(try await tie(key, to: store))
            _ = try await apps(store, vault).register(Apps.Registration(name: "Old"))
            #expect(try await tie(strange, to: store) == false, "so nothing is sealed under the second key")
        }
    }
}

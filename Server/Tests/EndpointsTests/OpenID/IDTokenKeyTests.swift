import Crypto
import CryptoExtras
import Foundation
import ServerTestKit
import Store
import StoreSQLite
import Testing

@testable import Authority
@_spi(Server) @testable import BenjiProtocol
@testable import OpenIDProvider
@testable import Requests

@Suite("The keys that sign ID tokens")
struct IDTokenKeyTests {
    private func visit(_ body: (AuthorityWorld, IDTokenKeys) async throws -> Void) async throws {
        let world = try await AuthorityWorld()
        let keys = IDTokenKeys(
            store: world.store, vault: world.vault, clock: world.clock, random: world.authority.random)
        let result: Result<Void, any Error>
        do { result = .success(try await body(world, keys)) } catch { result = .failure(error) }
        await world.end()
        try result.get()
    }

    /// All keys that there are, also those that are not shown any more.
    private func records(_ world: AuthorityWorld) async throws -> [OpenIDKeyRecord] {
        try await world.store.openIDKeys(at: Timestamp(milliseconds: 0))
    }

    private func keyID(_ token: String) throws -> String? { try ServerJWS(parsing: token).keyID }

    @Test("where no client has asked for a key there is none to change")
    func none() async throws {
        try await visit { world, keys in
            let refusal = await #expect(throws: Refusal.self) { try await keys.rotate(by: .test) }
            #expect(refusal?.situation == .parameterInvalid)
            #expect(try await records(world).isEmpty)
            try await keys.prepare(.es256)
            try await keys.prepare(.es256)
            #expect(try await records(world).map(\.algorithm) == [.es256], "one key, and of no other algorithm")
        }
    }

    @Test("a key has a name of sixteen characters, and a change makes one for each algorithm that has one")
    func names() async throws {
        try await visit { world, keys in
            for algorithm in IDTokenAlgorithm.allCases { try await keys.prepare(algorithm) }
            let before = try await records(world)
            #expect(before.map(\.id.count) == [16, 16] && before.allSatisfy { $0.publishedUntil == nil })
            world.clock.advance(by: .seconds(1))
            try await keys.rotate(by: .test)
            let after = try await records(world)
            #expect(after.count == 4 && Set(after.prefix(2).map(\.algorithm)) == Set(IDTokenAlgorithm.allCases))
            #expect(after.prefix(2).allSatisfy { $0.publishedUntil == nil && $0.sealedKey != nil })
            let end = world.clock.now + .seconds(3600)
            #expect(after.suffix(2).allSatisfy { $0.publishedUntil == end && $0.sealedKey == nil })
            #expect(Set(after.suffix(2).map(\.id)) == Set(before.map(\.id)))
        }
    }

    @Test("the newest key signs, also after a clock that was put back made it look older than the one before")
    func clockPutBack() async throws {
        try await visit { world, keys in
            try await keys.prepare(.es256)
            let first = try keyID(try await keys.sign(.object([]), .es256))
            world.clock.set(by: .seconds(-60))
            try await keys.rotate(by: .test)
            let second = try keyID(try await keys.sign(.object([]), .es256))
            #expect(first != second)
            #expect(try await records(world).map(\.id) == [first, second])
        }
    }

    @Test("a key of an earlier version gets its public half when the next one comes, and loses its private half")
    func earlierVersion() async throws {
        try await visit { world, keys in
            try await keys.prepare(.es256)
            let whole = try #require(try await records(world).first)
            var bare = whole
            bare.id = "an-earlier-key"
            bare.publicKey = nil
            let secret = P256.Signing.PrivateKey()
            bare.sealedKey = try world.vault.seal(
                Array(secret.rawRepresentation), purpose: "openid-key", owner: Array(bare.id.utf8))
            try await world.store.addOpenIDKeys([bare], publicKeys: [:], othersPublishedUntil: nil, audit: nil)
            let token = try await keys.sign(.object([]), .es256)
            #expect(try keyID(token) == bare.id)
            let shown = try await keys.jwks()["keys"]?.arrayValue
            world.clock.advance(by: .seconds(1))
            try await keys.rotate(by: .test)
            let former = try #require(try await records(world).first { $0.id == bare.id })
            let point = OpenIDWorld.jwk(secret.publicKey, id: "")
            let kept = try JSON(parsing: try #require(former.publicKey))
            #expect(former.sealedKey == nil && kept["x"] == point["x"] && kept["y"] == point["y"])
            #expect(try await keys.jwks()["keys"]?.arrayValue?.last == shown?.last && shown?.count == 1)
            #expect(try await keys.isSigner(of: ServerJWS(parsing: token)))
        }
    }

    @Test("a signature is ours under the name and the algorithm of the key that made it, and under no other")
    func signers() async throws {
        try await visit { world, keys in
            for algorithm in IDTokenAlgorithm.allCases { try await keys.prepare(algorithm) }
            let record = try #require(try await records(world).first { $0.algorithm == .rs256 })
            let sealed = try #require(record.sealedKey)
            let key = try _RSA.Signing.PrivateKey(
                derRepresentation: try world.vault.open(sealed, purpose: "openid-key", owner: Array(record.id.utf8)))
            func isOurs(_ algorithm: String, _ id: String?) async throws -> Bool {
                let header = JSON.object(["alg": .string(algorithm), "kid": id.map { .string($0) }])
                let token = try JWSParts.write(header: header, payload: .object([])) { input in
                    let padding: _RSA.Signing.Padding = algorithm == "PS256" ? .PSS : .insecurePKCS1v1_5
                    return Array(try key.signature(for: SHA256.hash(data: input), padding: padding).rawRepresentation)
                }
                return try await keys.isSigner(of: ServerJWS(parsing: token))
            }
            #expect(try await isOurs("RS256", record.id))
            #expect(try await !isOurs("PS256", record.id))
            #expect(try await !isOurs("RS256", "another"))
            #expect(try await !isOurs("RS256", nil))
            for algorithm in IDTokenAlgorithm.allCases {
                let token = try await keys.sign(.object([]), algorithm)
                #expect(try await keys.isSigner(of: ServerJWS(parsing: token)))
            }
        }
    }

    @Test("a change of stolen keys is audited with the keys that it removed, and another change without")
    func audited() async throws {
        try await visit { world, keys in
            let note = OrderNote(actor: "a", role: "operator", origin: "a test", order: "keys")
            try await keys.prepare(.es256)
            try await keys.rotate(by: note)
            let before = try await records(world).map(\.id)
            try await keys.rotate(isStolen: true, by: note)
            let lines = try await world.store.auditEntries(AuditFilter(order: "keys"), before: nil, limit: 9)
            #expect(lines.count == 2 && lines.last?.after == nil)
            let removed = JSON.object(["removed": .array(before.map { .string($0) })])
            #expect(lines.first?.after == removed.text)
            #expect(try await Set(records(world).map(\.id)).isDisjoint(with: before))
        }
    }

    @Test("a key that is made after another process changed the master key is under the present one")
    func masterKey() async throws {
        let folder = NSTemporaryDirectory() + "/keys-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let file = MasterKeyFile(path: folder + "/master.key")
        _ = try file.load(random: SystemRandomSource())
        let store = try SQLiteStore(path: folder + "/benji.sqlite", logger: AuthorityWorld.logger)
        let clock = TestClock()
        let random = SystemRandomSource()
        func vault() async throws -> Vault {
            try #require(
                try await MasterKeyVerification.tie(
                    file.keys(), of: file, to: store, at: clock.now, random: random))
        }
        let result: Result<Void, any Error>
        do {
            let keys = IDTokenKeys(store: store, vault: try await vault(), clock: clock, random: random)
            try await keys.prepare(.es256)
            let rotation = MasterKeyRotation(
                vault: try await vault(), store: store, clock: clock, random: random, discardsFormer: false)
            let outcome = try await rotation.run(by: .test)
            try await keys.rotate(by: .test)
            let record = try #require(try await store.openIDKeys(at: clock.now).first { $0.publishedUntil == nil })
            let sealed = try #require(record.sealedKey).bytes
            #expect(sealed.starts(with: [2] + outcome.current.bytes))
            #expect(try keyID(try await keys.sign(.object([]), .es256)) == record.id)
            result = .success(())
        } catch { result = .failure(error) }
        await store.close()
        try? FileManager.default.removeItem(atPath: folder)
        try result.get()
    }
}

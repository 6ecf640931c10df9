@_spi(Server) import BenjiProtocol
import Foundation
import Logging
import ServerTestKit
import Sightings
import Store
import StoreSQLite
import Synchronization
import Testing

@testable import Authority
@testable import Requests

@Suite("A master key that the store names and that is not at hand")
struct MissingMasterKeyTests {
    /// A store, the file of its keys that another process rotates, and a vault that cannot read what that brings.
    private struct Place {
        let folder = NSTemporaryDirectory() + "missing-\(UUID().uuidString)"
        let store: SQLiteStore
        let clock = TestClock()
        let hsm = PuppetWrappingKey()
        let log = LogBook(from: .notice)

        init() throws {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            store = try SQLiteStore(path: folder + "/benji.sqlite", logger: Logger(label: "test"))
            _ = try file().load(random: SystemRandomSource())
        }

        func file(_ wrapping: WrappingKeys = WrappingKeys()) -> MasterKeyFile {
            MasterKeyFile(path: folder + "/master.key", wrapping: wrapping)
        }

        func vault(_ file: MasterKeyFile) async throws -> Vault {
            return try #require(
                try await MasterKeyVerification.tie(
                    file.keys(), of: file, to: store, at: clock.now, random: SystemRandomSource(),
                    logger: log.logger))
        }

        /// Rotates as a process does that knows the HSM.
        func rotate() async throws {
            let vault = try await vault(file(WrappingKeys(current: hsm)))
            _ = try await MasterKeyRotation(vault: vault, store: store, clock: clock, random: SystemRandomSource())
                .run(by: .test)
        }

        func see(_ vault: Vault) async throws(StoreError) {
            let observation = SubscriberObservation(
                number: AuthorityWorld.number, imsi: "460000000000001", carrier: .mobile, eventTime: clock.now)
            _ = try await Register(store: store, vault: vault, clock: clock).observe([observation])
        }

        func row() async throws -> SubscriptionRecord { try #require(try await store.anySubscription()) }
    }

    private func withPlace(_ body: (Place) async throws -> Void) async throws {
        let place = try Place()
        do { try await body(place) } catch {
            await place.store.close()
            throw error
        }
        await place.store.close()
        try? FileManager.default.removeItem(atPath: place.folder)
    }

    @Test("the first value that does not open says why in the log, once for all requests, and each is refused for now")
    func opening() async throws {
        try await withPlace { place in
            let vault = try await place.vault(place.file())
            try await place.see(vault)
            try await vault.follow()
            try await place.rotate()
            #expect(vault.problem == nil && place.log.lines.isEmpty, "nobody has asked yet")
            let row = try await place.row()
            for _ in 0..<5 {
                let error = #expect(throws: VaultError.self) { try vault.number(of: row) }
                let refusal = Refusal(try #require(error), "it does not open")
                #expect(refusal.situation == .storeUnavailable && refusal.detail.contains("master key is not at hand"))
            }
            #expect(vault.problem?.contains("set master-key.wrapping-key") == true)
            #expect(place.log.lines.count == 1)
            #expect(place.log.lines.first?.contains("error") == true)
            #expect(place.log.lines.first?.contains("set master-key.wrapping-key") == true)
        }
    }

    @Test("a number that is looked for says it, too, and then no request asks for the key again")
    func searching() async throws {
        try await withPlace { place in
            let vault = try await place.vault(place.file())
            try await place.see(vault)
            try await place.rotate()
            for _ in 0..<5 {
                let error = await #expect(throws: StoreError.self) { try await place.see(vault) }
                #expect(error?.code == .keyNotAtHand)
                #expect(error.map { Refusal($0).situation } == .storeUnavailable)
            }
            #expect(place.log.lines.count == 1 && vault.problem != nil)
        }
    }

    @Test("an HSM that is away is asked once, and not for each request; when it is asked again and is there, all opens")
    func hsm() async throws {
        try await withPlace { place in
            // Its own token, which goes away before the other process rotates.
            let passing = Passing(place.hsm)
            let vault = try await place.vault(place.file(WrappingKeys(current: passing)))
            try await place.see(vault)
            try await place.rotate()
            let row = try await place.row()
            passing.isAway.withLock { $0 = true }
            let asked = passing.asked.withLock { $0 }
            for _ in 0..<5 {
                #expect(throws: VaultError.self) { try vault.number(of: row) }
                await #expect(throws: StoreError.self) { try await place.see(vault) }
            }
            #expect(passing.asked.withLock { $0 } == asked + 1)
            await #expect(throws: StoreError.self) { try await vault.follow() }
            #expect(place.log.lines.count == 1)
            passing.isAway.withLock { $0 = false }
            #expect(throws: VaultError.self, "nobody has asked again") { try vault.number(of: row) }
            try await vault.follow()
            #expect(try vault.number(of: row) == AuthorityWorld.number)
            try await place.see(vault)
            #expect(vault.problem == nil)
            #expect(place.log.lines.count == 2 && place.log.lines.last?.contains("at hand again") == true)
        }
    }

    @Test("a value under a key that nobody knows is told once and is no trouble of the others")
    func damaged() async throws {
        try await withPlace { place in
            let vault = try await place.vault(place.file())
            try await place.see(vault)
            var row = try await place.row()
            row.sealedNumber.bytes[3] ^= 1
            for _ in 0..<3 {
                let error = #expect(throws: VaultError.self) { try vault.number(of: row) }
                #expect(error?.isKeyMissing == true)
            }
            #expect(place.log.lines.count == 1 && vault.problem == nil)
            row = try await place.row()
            row.sealedNumber.bytes[40] ^= 1
            let error = #expect(throws: VaultError.self) { try vault.number(of: row) }
            #expect(error.map { Refusal($0, "it does not open").situation } == .internalError)
            #expect(place.log.lines.count == 1 && vault.problem == nil)
        }
    }

    @Test("a file that lacks the key is named with the key's id")
    func lacking() async throws {
        try await withPlace { place in
            let vault = try await place.vault(place.file())
            try await place.see(vault)
            let former = try Data(contentsOf: URL(fileURLWithPath: place.file().path))
            try await place.rotate()
            let id = try #require(try await place.store.masterKeyRing().current?.check.id)
            try former.write(to: URL(fileURLWithPath: place.file().path))
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: place.file().path)
            await #expect(throws: StoreError.self) { try await vault.follow() }
            #expect(
                vault.problem
                    == "\(place.file().path) does not hold the key \(id.text), which the database is under now")
        }
    }

    /// Another process' way to the same HSM.
    private final class Passing: WrappingKey {
        let hsm: PuppetWrappingKey
        let isAway = Mutex(false)
        let asked = Mutex(0)
        var name: String { hsm.name }

        init(_ hsm: PuppetWrappingKey) { self.hsm = hsm }

        private func pass() throws(MasterKeyError) {
            asked.withLock { $0 += 1 }
            if isAway.withLock({ $0 }) { throw MasterKeyError("the wrapping key \(name): the HSM has no such token") }
        }

        func wrap(_ key: [UInt8]) throws(MasterKeyError) -> [UInt8] {
            try pass()
            return try hsm.wrap(key)
        }

        func unwrap(_ wrapped: [[UInt8]]) throws(MasterKeyError) -> [[UInt8]?] {
            try pass()
            return try hsm.unwrap(wrapped)
        }
    }
}

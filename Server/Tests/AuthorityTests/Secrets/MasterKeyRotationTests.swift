@_spi(Server) import BenjiProtocol
import Foundation
import GRDB
import Logging
import ServerTestKit
import Sightings
import Store
import StoreSQLite
import Synchronization
import Testing

@testable import Authority
@testable import Requests

@Suite("A new master key in the place of the present one")
struct MasterKeyRotationTests {
    private static let other = PhoneNumber("13900000002")!
    private static let clock = TestClock()

    /// A store that an installation without ids of keys has left, and the file of its key.
    private struct Place {
        let keys: KeyFolder
        let store: SQLiteStore
        var file: MasterKeyFile { keys.file }
        var first: MasterKey { keys.first }

        init() throws {
            keys = try KeyFolder()
            store = try keys.store()
        }

        /// The vault of another process.
        func vault() async throws -> Vault {
            try #require(
                try await MasterKeyVerification.tie(
                    file.keys(), of: file, to: store, at: clock.now, random: SystemRandomSource()))
        }

        func register(_ vault: Vault) -> Register { Register(store: store, vault: vault, clock: clock) }

        func apps(_ vault: Vault) -> Apps {
            Apps(store: store, vault: vault, clock: clock, random: SystemRandomSource())
        }

        func rotation(_ vault: Vault, discardsFormer: Bool = false) -> MasterKeyRotation {
            MasterKeyRotation(
                vault: vault, store: store, clock: clock, random: SystemRandomSource(), discardsFormer: discardsFormer)
        }

        /// Everything in the file that is no text and no number, by its column.
        func blobs() throws -> [(column: String, bytes: [UInt8])] {
            let queue = try DatabaseQueue(path: keys.database)
            return try queue.read { db in
                let tables = try String.fetchAll(
                    db, sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'")
                return try tables.flatMap { table in
                    try Row.fetchAll(db, sql: "SELECT * FROM \(table)").flatMap { row in
                        row.compactMap { column, value in
                            guard case .blob(let data) = value.storage else { return nil }
                            return ("\(table).\(column)", Array(data))
                        }
                    }
                }
            }
        }

        func run(_ sql: String, _ arguments: StatementArguments) throws {
            try DatabaseQueue(path: keys.database).write { try $0.execute(sql: sql, arguments: arguments) }
        }

        func end() async {
            await store.close()
            keys.remove()
        }
    }

    private func withPlace(_ body: (Place) async throws -> Void) async throws {
        let place = try Place()
        do { try await body(place) } catch {
            await place.end()
            throw error
        }
        await place.end()
    }

    private static func observation(
        _ number: PhoneNumber, imsi: String? = "460000000000001", at moment: Timestamp? = nil
    ) -> SubscriberObservation {
        SubscriberObservation(number: number, imsi: imsi, carrier: .mobile, eventTime: moment ?? clock.now)
    }

    /// Writes the rows of an older version: version 1 of the envelope, and the SIM's hash itself.
    private func older(_ place: Place) throws {
        let (number, owner) = (AuthorityWorld.number, WorkingKey(place.first).index(of: AuthorityWorld.number).bytes)
        let sealing = place.first.derived("seal")
        let sealed = try Envelope.seal(Array(number.e164.utf8), under: sealing, purpose: "number", owner: owner)
        let sim = Vault.code(place.first.derived("index"), "imsi", [Array("460000000000001".utf8)])
        try place.run(
            "INSERT INTO subscription VALUES (1, ?, ?, 'mobile', 1, zeroblob(16), 1, ?, ?, ?, ?)",
            [
                Data(owner), Data(sealed.bytes), Data(sim), Self.clock.now.milliseconds, Self.clock.now.milliseconds,
                Self.clock.now.milliseconds,
            ])
        // As the schema's step leaves it: with zeros for the id.
        let face = try Envelope.seal(
            Array(repeating: 5, count: 32), under: sealing, purpose: "face-key",
            owner: Vault.faceKeyOwner(subscription: 1, epoch: 1))
        try place.run(
            """
            INSERT INTO face_account
                (id, subscription, epoch, sealed_template, sealed_profile, terms, frozen, created_at)
            VALUES (1, 1, 1, x'00', x'00', 't', 0, 0)
            """, [])
        try place.run(
            "INSERT INTO face_key VALUES (1, ?), (2, zeroblob(69))",
            [Data(face.bytes + Array(repeating: 0, count: MasterKeyID.length))])
    }

    @Test("after it nothing is under the former key or found by it, and everybody is who they were")
    func everything() async throws {
        try await withPlace { place in
            try older(place)
            let legacy = Vault(masterKey: place.first)
            let app = try await place.apps(legacy).register(Apps.Registration(name: "Shop"), by: .test).record.id
            let vault = try await place.vault()
            _ = try await place.register(vault).observe([Self.observation(Self.other, imsi: "460000000000002")])
            let key = OpenIDKeyRecord(
                id: "key", algorithm: .es256, publicKey: nil,
                sealedKey: try vault.seal([1, 2, 3], purpose: "openid-key", owner: Array("key".utf8)),
                createdAt: Self.clock.now, publishedUntil: nil)
            try await place.store.addOpenIDKeys([key], publicKeys: [:], othersPublishedUntil: nil, audit: nil)
            let people = try await self.people(place, vault, app)
            #expect(try await self.people(place, legacy, app) == people, "what the first key made openIds with stays")
            let receiptKey = vault.receiptKey
            #expect(receiptKey == legacy.receiptKey)
            let note = OrderNote(actor: "a", role: "operator", origin: "test", order: "keys.rotate", reason: "yearly")

            let outcome = try await place.rotation(vault).run(by: note)

            #expect(outcome.retired == [place.first.id] && !outcome.resumed && !outcome.leftToRemove)
            let new = try #require(try place.file.keys().first)
            #expect(try place.file.keys().count == 1 && new.id == outcome.current && new.id != place.first.id)
            let former = WorkingKey(place.first)
            let indices = [AuthorityWorld.number, Self.other].map { former.index(of: $0).bytes }
            let sims = ["460000000000001", "460000000000002"].map { vault.sim($0).bytes }
            for (column, bytes) in try place.blobs() where column != "master_key.check_value" {
                #expect(!indices.contains(bytes) && !sims.contains(bytes), "\(column) is found by the former key")
                #expect(!bytes.starts(with: [2] + place.first.id.bytes), "\(column) is under the former key")
                #expect(
                    bytes.first != 1 || !column.contains("sealed") || column.contains("template"), "\(column) has no id"
                )
            }
            let opened = try #require(try place.blobs().first { $0.column == "face_key.sealed_key" })
            #expect(opened.bytes.count == 69)
            let face = try vault.open(
                Sealed(bytes: opened.bytes), purpose: "face-key",
                owner: Vault.faceKeyOwner(subscription: 1, epoch: 1))
            #expect(face == Array(repeating: 5, count: 32))
            #expect(try place.blobs().contains { $0.bytes == Array(repeating: 0, count: 69) }, "an erased face's row")

            // A process that begins now, and one that has not heard of it.
            let sealed = try await self.key(place)
            for process in [try await place.vault(), vault] {
                #expect(try await self.people(place, process, app) == people)
                #expect(process.receiptKey == receiptKey)
                #expect(try process.open(sealed, purpose: "openid-key", owner: Array("key".utf8)) == [1, 2, 3])
            }
            #expect(try await MasterKeyVerification.judge([place.first], store: place.store) == .doesNotFit)
            let lines = try await place.store.auditEntries(AuditFilter(order: "keys.rotate"), before: nil, limit: 9)
            #expect(lines.count == 2 && lines.allSatisfy { $0.reason == "yearly" })
            #expect(lines[0].after?.contains("retired") == true && lines[1].after?.contains(new.id.text) == true)
        }
    }

    private func key(_ place: Place) async throws -> Sealed {
        try #require(try await place.store.openIDKeys(at: Timestamp(milliseconds: 0)).first?.sealedKey)
    }

    /// Returns an app's names for the two subscribers, found by their SIM. Throws if the app's key does not open.
    private func people(_ place: Place, _ vault: Vault, _ app: AppID) async throws -> [String] {
        _ = try await place.apps(vault).find(app)
        var people: [String] = []
        for (number, imsi) in [(AuthorityWorld.number, "460000000000001"), (Self.other, "460000000000002")] {
            let seen = try await place.register(vault).observe([Self.observation(number, imsi: imsi)])[0]
            guard let row = try await place.register(vault).subscription(of: number) else { continue }
            #expect(try vault.number(of: row) == number)
            #expect(seen == row.reference, "the same card")
            people.append("\(row.reference) \(vault.openID(row, app: app)) \(vault.pseudonym(row, app: app))")
        }
        return people
    }

    @Test(
        """
        a process that has not heard of it makes no second row of a number, notices a new SIM, and seals under the new \
        key
        """
    )
    func unheard() async throws {
        try await withPlace { place in
            let (vault, unheard) = (try await place.vault(), try await place.vault())
            let before = try await place.register(unheard).observe([Self.observation(AuthorityWorld.number)])[0]
            let outcome = try await place.rotation(vault).run(by: .test)
            let later = Self.clock.now + .seconds(60)
            let after = try await place.register(unheard).observe([
                Self.observation(AuthorityWorld.number, imsi: "460000000000009", at: later),
                Self.observation(Self.other, at: later),
            ])
            #expect(after[0]?.subscription == before?.subscription)
            #expect(after[0]?.simGeneration == (before?.simGeneration ?? 0) + 1)
            let counts = try await place.store.sealedCounts()
            #expect(counts.first { $0.kind == .numbers } == SealedCount(kind: .numbers, key: outcome.current, count: 2))
            #expect(counts.allSatisfy { $0.key == outcome.current })
            let row = try #require(try await place.register(try await place.vault()).subscription(of: Self.other))
            #expect(try unheard.number(of: row) == Self.other)
            // A vault from before a rotation also opens a row that is read by its id.
            let third = try await place.vault()
            _ = try await place.rotation(vault).run(by: .test)
            let again = try #require(try await place.store.subscription(row.id))
            #expect(try third.number(of: again) == Self.other)
        }
    }

    @Test("one that breaks off anywhere is finished by the next, to the same key")
    func broken() async throws {
        for failure in BrokenStore.Failure.allCases {
            try await withPlace { place in
                let vault = try await place.vault()
                _ = try await place.register(vault).observe([Self.observation(AuthorityWorld.number)])
                let broken = MasterKeyRotation(
                    vault: vault, store: BrokenStore(store: place.store, failure: failure), clock: Self.clock,
                    random: SystemRandomSource())
                await #expect(throws: Refusal.self, "\(failure)") { try await broken.run(by: .test) }
                let begun = try place.file.keys()
                #expect(begun.count == 2, "\(failure)")
                // Another process works in between.
                let between = try await place.vault()
                #expect(
                    try await place.register(between).observe([Self.observation(AuthorityWorld.number)])[0] != nil)
                let outcome = try await place.rotation(try await place.vault()).run(by: .test)
                #expect(outcome.current == begun[1].id && outcome.retired == [begun[0].id], "\(failure)")
                #expect(outcome.resumed == (failure != .begin), "\(failure)")
                #expect(try place.file.keys().map(\.id) == [begun[1].id])
                #expect(try await place.store.sealedCounts().allSatisfy { $0.key == begun[1].id })
            }
        }
    }

    @Test("a former key that is in the file again goes with the next rotation, which makes a new key all the same")
    func left() async throws {
        try await withPlace { place in
            let vault = try await place.vault()
            let text = try String(contentsOfFile: place.file.path, encoding: .utf8)
            let outcome = try await place.rotation(vault).run(by: .test)
            let now = try String(contentsOfFile: place.file.path, encoding: .utf8)
            try Data((text + now).utf8).write(to: URL(fileURLWithPath: place.file.path))
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: place.file.path)
            let second = try await place.rotation(vault).run(by: .test)
            #expect(second.current != outcome.current && !second.resumed && !second.leftToRemove)
            #expect(Set(second.retired) == [place.first.id, outcome.current])
            #expect(try place.file.keys().map(\.id) == [second.current])
            #expect(try await place.store.masterKeyRing().current?.check.id == second.current)
        }
    }

    @Test(
        "the former key lies in a file of its own afterwards, and opens what was sealed before; discarded, it does not")
    func former() async throws {
        try await withPlace { place in
            let vault = try await place.vault()
            let sealed = try vault.seal([1, 2, 3], purpose: "openid-key", owner: [])
            let outcome = try await place.rotation(vault).run(by: .test)
            #expect(
                outcome.formerKeyFiles == place.file.formerKeyFiles()
                    && outcome.formerKeyFiles.map(\.id) == [place.first.id])
            let kept = try MasterKeyFile(path: try #require(outcome.formerKeyFiles.first).path).keys()
            #expect(try Vault(masterKey: kept[0]).open(sealed, purpose: "openid-key", owner: []) == [1, 2, 3])
            let urgent = try await place.rotation(vault, discardsFormer: true).run(by: .test)
            #expect(urgent.retired == [outcome.current] && urgent.formerKeyFiles.isEmpty)
            #expect(place.file.formerKeyFiles().map(\.id) == [place.first.id], "another one's file is left alone")
        }
    }

    @Test("one that broke off is finished with the former key kept or discarded, as whoever finishes it says")
    func formerOfBroken() async throws {
        for discards in [false, true] {
            try await withPlace { place in
                let vault = try await place.vault()
                let broken = MasterKeyRotation(
                    vault: vault, store: BrokenStore(store: place.store, failure: .end), clock: Self.clock,
                    random: SystemRandomSource(), discardsFormer: !discards)
                await #expect(throws: Refusal.self) { try await broken.run(by: .test) }
                #expect(try place.file.formerKeyFiles().isEmpty && place.file.keys().count == 2)
                let outcome = try await place.rotation(vault, discardsFormer: discards).run(by: .test)
                #expect(outcome.resumed && place.file.formerKeyFiles().map(\.id) == (discards ? [] : [place.first.id]))
            }
        }
    }

    @Test("the place of the keys is read once before a rotation begins, so that it judges one state of it")
    func readOnce() async throws {
        try await withPlace { place in
            let counting = CountingKeeper(file: place.file)
            let vault = try #require(
                try await MasterKeyVerification.tie(
                    place.file.keys(), of: counting, to: place.store, at: Self.clock.now, random: SystemRandomSource()))
            let broken = MasterKeyRotation(
                vault: vault, store: BrokenStore(store: place.store, failure: .begin), clock: Self.clock,
                random: SystemRandomSource())
            await #expect(throws: Refusal.self) { try await broken.run(by: .test) }
            #expect(try counting.readings.withLock { $0 } == 1 && place.file.keys().count == 2)
        }
    }

    @Test("two do not run at once")
    func hold() async throws {
        try await withPlace { place in
            let vault = try await place.vault()
            let hold = try place.file.hold()
            #expect(hold != nil)
            let refusal = await #expect(throws: Refusal.self) { try await place.rotation(vault).run(by: .test) }
            #expect(refusal?.situation == .overloaded)
            #expect(try place.file.keys().count == 1)
            withExtendedLifetime(hold) {}
        }
    }

    @Test("keys that are given from outside are changed only to one that stands beside the present one")
    func given() async throws {
        try await withPlace { place in
            let (old, new) = (
                MasterKey.make(random: SystemRandomSource()), MasterKey.make(random: SystemRandomSource())
            )
            func vault(_ text: String) async throws -> Vault? {
                let given = try GivenMasterKeys(name: "BENJI_MASTER_KEY", text: text)
                return try await MasterKeyVerification.tie(
                    given.keys(), of: given, to: place.store, at: Self.clock.now, random: SystemRandomSource())
            }
            let alone = try #require(try await vault(MasterKey.text(of: old.bytes)))
            let refusal = await #expect(throws: Refusal.self) { try await place.rotation(alone).run(by: .test) }
            #expect(refusal?.detail.contains("benji keys new") == true)
            #expect(try await place.store.masterKeyRing().keys.count == 1)
            let both = try #require(
                try await vault(MasterKey.text(of: old.bytes) + "\n" + MasterKey.text(of: new.bytes)))
            let outcome = try await place.rotation(both).run(by: .test)
            #expect(outcome.current == new.key.id && outcome.leftToRemove)
            #expect(try await vault(MasterKey.text(of: new.bytes)) != nil)
            #expect(try await vault(MasterKey.text(of: old.bytes)) == nil)
            // With the retired key still there a rotation needs a new one, and says which can go.
            let still = await #expect(throws: Refusal.self) { try await place.rotation(both).run(by: .test) }
            #expect(still?.detail.contains(old.key.id.text) == true)
            let third = MasterKey.make(random: SystemRandomSource())
            let all = try #require(
                try await vault([old, new, third].map { MasterKey.text(of: $0.bytes) }.joined(separator: "\n")))
            let urgent = try await place.rotation(all).run(by: .test)
            #expect(urgent.current == third.key.id && Set(urgent.retired) == [old.key.id, new.key.id])
        }
    }

    @Test(
        """
        a key in clear goes for a wrapped one, and a process that knows the wrapping key follows; without the HSM \
        nothing begins
        """
    )
    func wrapping() async throws {
        try await withPlace { place in
            let hsm = PuppetWrappingKey()
            let path = place.file.path
            func vault() async throws -> Vault {
                let file = MasterKeyFile(path: path, wrapping: WrappingKeys(current: hsm))
                return try #require(
                    try await MasterKeyVerification.tie(
                        file.keys(), of: file, to: place.store, at: Self.clock.now, random: SystemRandomSource()))
            }
            let (rotating, other, unknowing) = (try await vault(), try await vault(), try await place.vault())
            _ = try await place.register(other).observe([Self.observation(AuthorityWorld.number)])
            let outcome = try await place.rotation(rotating).run(by: .test)
            #expect(outcome.retired == [place.first.id])
            #expect(try !MasterKeyFile(path: path).holdsClearKey())
            let row = try #require(try await place.register(other).subscription(of: AuthorityWorld.number))
            #expect(try other.number(of: row) == AuthorityWorld.number)
            let error = await #expect(throws: StoreError.self) { try await unknowing.follow() }
            #expect(error?.code == .keyNotAtHand && error?.detail.contains("set master-key.wrapping-key") == true)

            hsm.takeAway()
            let refusal = await #expect(throws: Refusal.self) { try await place.rotation(rotating).run(by: .test) }
            #expect(refusal?.detail.contains("no such token") == true)
            #expect(try await place.store.masterKeyRing().keys.count == 2, "nothing began")
            #expect(try rotating.number(of: row) == AuthorityWorld.number)
        }
    }

    /// A vault whose keys are kept as these wrapping keys say.
    private func vault(_ place: Place, _ wrapping: WrappingKeys) async throws -> (Vault, MasterKeyFile) {
        let file = MasterKeyFile(path: place.file.path, wrapping: wrapping)
        let vault = try await MasterKeyVerification.tie(
            file.keys(), of: file, to: place.store, at: Self.clock.now, random: SystemRandomSource())
        return (try #require(vault), file)
    }

    @Test("a rotation into an HSM does not end with a key that waited in clear, which it leaves and names")
    func waitingInClear() async throws {
        try await withPlace { place in
            let waiting = try place.file.add(random: SystemRandomSource())
            let (vault, file) = try await vault(place, WrappingKeys(current: PuppetWrappingKey()))
            let outcome = try await place.rotation(vault).run(by: .test)
            let kept = try file.kept()
            #expect(kept.map(\.key.id) == [waiting.id, outcome.current] && kept.map(\.isKeptAsNew) == [false, true])
            #expect(outcome.retired == [place.first.id] && outcome.passedOver == [waiting.id])
        }
    }

    @Test("a rotation to another HSM does not end with a key that the former one wrapped, which it leaves and names")
    func waitingForTheFormer() async throws {
        try await withPlace { place in
            let (first, second) = (PuppetWrappingKey("pkcs11:token=first"), PuppetWrappingKey("pkcs11:token=second"))
            let (before, former) = try await vault(place, WrappingKeys(current: first))
            let present = try await place.rotation(before).run(by: .test).current
            let waiting = try former.add(random: SystemRandomSource())
            let (vault, file) = try await vault(place, WrappingKeys(current: second, former: first))
            let outcome = try await place.rotation(vault).run(by: .test)
            #expect(try file.kept().map(\.wrappedBy) == [first.name, second.name])
            #expect(outcome.retired == [present] && outcome.passedOver == [waiting.id])
            // Once it is taken out, nothing needs the former one.
            #expect(try file.remove([waiting], discarding: true))
            let (alone, _) = try await self.vault(place, WrappingKeys(current: second))
            #expect(alone.masterKey.id == outcome.current)
            // And back into the file.
            let stray = try file.add(random: SystemRandomSource())
            let (back, clear) = try await self.vault(place, WrappingKeys(former: second))
            #expect(try await place.rotation(back).run(by: .test).passedOver == [stray.id])
            #expect(try clear.kept().map(\.wrappedBy) == [second.name, nil])
        }
    }

    @Test("a key that lies wrapped and in clear is in clear, and no rotation into an HSM takes it")
    func wrappedAndInClear() async throws {
        try await withPlace { place in
            let wrapping = WrappingKeys(current: PuppetWrappingKey())
            let both = MasterKey.make(random: SystemRandomSource())
            let wrapped = try #require(try wrapping.current?.wrap(both.bytes))
            let clear = try String(contentsOfFile: place.file.path, encoding: .utf8)
            let lines = [MasterKey.text(of: both.bytes), WrappingKeys.prefix + Base64URL.encode(wrapped)]
            try Data((clear + lines.joined(separator: "\n")).utf8).write(to: URL(fileURLWithPath: place.file.path))
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: place.file.path)
            let (vault, _) = try await vault(place, wrapping)
            let outcome = try await place.rotation(vault).run(by: .test)
            #expect(outcome.current != both.key.id && outcome.passedOver == [both.key.id])
        }
    }

    @Test("one that broke off before it began is taken up with its wrapped key, whatever else waits beside it")
    func brokenBesideOthers() async throws {
        try await withPlace { place in
            let wrapping = WrappingKeys(current: PuppetWrappingKey())
            let (vault, file) = try await vault(place, wrapping)
            let broken = MasterKeyRotation(
                vault: vault, store: BrokenStore(store: place.store, failure: .begin), clock: Self.clock,
                random: SystemRandomSource())
            await #expect(throws: Refusal.self) { try await broken.run(by: .test) }
            let begun = try #require(try file.kept().last)
            #expect(begun.isKeptAsNew)
            let stray = try place.file.add(random: SystemRandomSource())
            let outcome = try await place.rotation(vault).run(by: .test)
            #expect(outcome.current == begun.key.id && outcome.passedOver == [stray.id])
        }
    }

    @Test("one that broke off on its way to a key in clear is finished, and another brings the keys into the HSM")
    func brokenInClear() async throws {
        try await withPlace { place in
            let clear = try await place.vault()
            _ = try await place.register(clear).observe([Self.observation(AuthorityWorld.number)])
            let broken = MasterKeyRotation(
                vault: clear, store: BrokenStore(store: place.store, failure: .numbers), clock: Self.clock,
                random: SystemRandomSource())
            await #expect(throws: Refusal.self) { try await broken.run(by: .test) }
            let begun = try place.file.keys()
            let (vault, file) = try await vault(place, WrappingKeys(current: PuppetWrappingKey()))
            let outcome = try await place.rotation(vault).run(by: .test)
            #expect(outcome.resumed && outcome.retired == begun.map(\.id) && outcome.passedOver.isEmpty)
            #expect(outcome.sealed == 2 * 3, "the number, the data secrets and the receipt key, to either key")
            #expect(Set(outcome.formerKeyFiles.map(\.id)) == Set(begun.map(\.id)) && outcome.formerKeyFiles.count == 2)
            let kept = try file.kept()
            #expect(kept.map(\.key.id) == [outcome.current] && kept.allSatisfy(\.isKeptAsNew))
            #expect(try await place.store.sealedCounts().allSatisfy { $0.key == outcome.current })
        }
    }

    @Test("of keys that are given from outside none is taken that only the former wrapping key opens")
    func givenWrapped() async throws {
        try await withPlace { place in
            let (first, second) = (PuppetWrappingKey("pkcs11:token=first"), PuppetWrappingKey("pkcs11:token=second"))
            let made = try WrappingKeys(current: first).makeKey(random: SystemRandomSource())
            let text = try String(contentsOfFile: place.file.path, encoding: .utf8) + made.line
            func vault(_ wrapping: WrappingKeys) async throws -> Vault {
                let given = try GivenMasterKeys(name: "BENJI_MASTER_KEY", text: text, wrapping: wrapping)
                return try #require(
                    try await MasterKeyVerification.tie(
                        given.keys(), of: given, to: place.store, at: Self.clock.now, random: SystemRandomSource()))
            }
            for wrapping in [WrappingKeys(current: second, former: first), WrappingKeys(former: first)] {
                let rotation = place.rotation(try await vault(wrapping))
                let refusal = await #expect(throws: Refusal.self) { try await rotation.run(by: .test) }
                #expect(refusal?.detail.contains("benji keys new") == true)
                #expect(refusal?.detail.contains("\(made.key.id.text) waits there and was not taken") == true)
            }
            let outcome = try await place.rotation(try await vault(WrappingKeys(current: first))).run(by: .test)
            #expect(outcome.current == made.key.id && outcome.passedOver.isEmpty)
        }
    }

    @Test("a process that has not heard of it registers an app and gives it another key, both under the new key")
    func unheardApp() async throws {
        try await withPlace { place in
            let (vault, unheard) = (try await place.vault(), try await place.vault())
            _ = try await place.rotation(vault).run(by: .test)
            let apps = place.apps(unheard)
            let app = try await apps.register(Apps.Registration(name: "Shop"), by: .test).record.id
            let third = try await place.vault()
            _ = try await place.rotation(third).run(by: .test)
            _ = try await apps.rotateKey(.server, of: app, by: .test)
            let found = try await place.apps(try await place.vault()).find(app)
            #expect(found.serverKeys.count == 2)
        }
    }

    @Test("whoever read the keys before a rotation and the ring after it reads the keys again")
    func readBefore() async throws {
        try await withPlace { place in
            let vault = try await place.vault()
            let before = try place.file.keys()
            _ = try await place.rotation(vault).run(by: .test)
            let random = SystemRandomSource()
            #expect(try await MasterKeyVerification.judge(before, of: place.file, store: place.store) == .fits)
            let late = try await MasterKeyVerification.tie(
                before, of: place.file, to: place.store, at: Self.clock.now, random: random)
            #expect(late?.masterKey.id == vault.masterKey.id)
            let look = try await MasterKeyVerification.look(before, of: place.file, at: place.store)
            #expect(look.masterKey.id == vault.masterKey.id)
        }
    }
}

/// A file of keys that counts how often it is read.
private final class CountingKeeper: MasterKeyKeeper {
    let file: MasterKeyFile
    let readings = Mutex(0)
    var name: String { file.name }

    init(file: MasterKeyFile) { self.file = file }

    func kept() throws(MasterKeyError) -> [KeptMasterKey] {
        readings.withLock { $0 += 1 }
        return try file.kept()
    }
    func add(random: any RandomSource) throws(MasterKeyError) -> MasterKey { try file.add(random: random) }
    func remove(_ keys: [MasterKey], discarding: Bool) throws(MasterKeyError) -> Bool {
        try file.remove(keys, discarding: discarding)
    }
    func formerKeyFiles() -> [FormerKeyFile] { file.formerKeyFiles() }
    func hold() throws(MasterKeyError) -> RotationLock? { try file.hold() }
}

/// Fails at one of the steps of a rotation, as if the process had ended there.
private struct BrokenStore: MasterKeyStore, AuditStore {
    enum Failure: CaseIterable { case begin, numbers, values, end }

    let store: SQLiteStore
    let failure: Failure

    private func fail(_ failure: Failure) throws(StoreError) {
        if failure == self.failure { throw StoreError(.unavailable, "the process ends here") }
    }

    func appendAudit(_ entry: AuditEntry) async throws(StoreError) { try await store.appendAudit(entry) }
    func auditEntries(
        _ filter: AuditFilter, before: Int64?, limit: Int
    ) async throws(StoreError) -> [AuditEntry] {
        try await store.auditEntries(filter, before: before, limit: limit)
    }
    func auditLines(after line: Int64, limit: Int) async throws(StoreError) -> [AuditEntry] {
        try await store.auditLines(after: line, limit: limit)
    }
    func lastAuditLine() async throws(StoreError) -> Int64 { try await store.lastAuditLine() }
    func auditEntry(actor: String, requestKey: String) async throws(StoreError) -> AuditEntry? {
        try await store.auditEntry(actor: actor, requestKey: requestKey)
    }

    func masterKeyRing() async throws(StoreError) -> MasterKeyRing { try await store.masterKeyRing() }
    func receiptKeys() async throws(StoreError) -> [ReceiptKeyRecord] { try await store.receiptKeys() }
    func tie(
        to key: MasterKeyRecord, dataSecrets: Sealed, receiptKey: ReceiptKeyRecord
    ) async throws(StoreError) -> MasterKeyRing {
        try await store.tie(to: key, dataSecrets: dataSecrets, receiptKey: receiptKey)
    }
    func beginRotation(
        from current: MasterKeyCheck, to check: MasterKeyCheck, at moment: Timestamp, audit: AuditEntry?
    ) async throws(StoreError) {
        try fail(.begin)
        try await store.beginRotation(from: current, to: check, at: moment, audit: audit)
    }
    func endRotation(at moment: Timestamp, audit: AuditEntry?) async throws(StoreError) -> Bool {
        try fail(.end)
        return try await store.endRotation(at: moment, audit: audit)
    }
    func subscriptions(
        notUnder key: MasterKeyID, after row: Int64, limit: Int
    ) async throws(StoreError) -> [SubscriptionRecord] {
        try await store.subscriptions(notUnder: key, after: row, limit: limit)
    }
    func sealedValues(notUnder key: MasterKeyID, limit: Int) async throws(StoreError) -> [SealedValue] {
        try await store.sealedValues(notUnder: key, limit: limit)
    }
    func reseal(_ changes: [(old: SubscriptionRecord, new: SubscriptionRecord)]) async throws(StoreError) -> Int {
        try fail(.numbers)
        return try await store.reseal(changes)
    }
    func reseal(_ changes: [(old: SealedValue, new: Sealed)]) async throws(StoreError) -> Int {
        try fail(.values)
        return try await store.reseal(changes)
    }
    func sealedCounts() async throws(StoreError) -> [SealedCount] { try await store.sealedCounts() }
    func forgetReplaced() async { await store.forgetReplaced() }
    func addReceiptKey(
        _ key: ReceiptKeyRecord, othersUntil until: Timestamp, audit: AuditEntry?
    ) async throws(StoreError) { try await store.addReceiptKey(key, othersUntil: until, audit: audit) }
}

extension MasterKeyRotationTests {
    @Test(
        "a new receipt key signs from then on, and what the former one signed still counts, until its end and not after"
    )
    func receiptKeys() async throws {
        try await withPlace { place in
            let vault = try await place.vault()
            let authority = Authority(
                configuration: .init(gateways: [:]), store: place.store, vault: vault, clock: Self.clock,
                logger: Logger(label: "test"))
            let unheard = try await place.vault()
            let former = vault.receiptKey
            let new = try await authority.rotateReceiptKey(by: .test)
            #expect(vault.receiptKey == new && unheard.receiptKey == former)
            try await unheard.follow()
            #expect(unheard.receiptKey == new)
            let end = Self.clock.now + .seconds(600)
            let published = try await authority.receiptKeys()
            #expect(published.map(\.key) == [new, former] && published.map(\.until) == [nil, end])
            // A rotation of the master key leaves them as they are.
            _ = try await place.rotation(vault).run(by: .test)
            #expect(try await place.vault().receiptKey == new)
            #expect(try await authority.receiptKeys() == published)
        }
    }
}

@_spi(Server) import BenjiProtocol
import Foundation
import GRDB
import ServerTestKit
import Sightings
import Store
import StoreSQLite
import Synchronization
import Testing

@testable import Authority
@testable import Requests

/// A store that keeps the steps of a rotation, and lets a test come before each of them.
private final class SteppedStore: MasterKeyStore {
    private let store: SQLiteStore
    private let kept = Mutex<[String]>([])
    /// Called before each step with the number of earlier calls for it. If it returns `false`, the step has no effect:
    /// nothing is replaced, or the rotation is not over.
    private let before: @Sendable (_ step: String, _ times: Int) throws(StoreError) -> Bool

    init(
        _ store: SQLiteStore,
        before: @escaping @Sendable (_ step: String, _ times: Int) throws(StoreError) -> Bool = { _, _ in true }
    ) {
        self.store = store
        self.before = before
    }

    var steps: [String] { kept.withLock { $0 } }

    @discardableResult private func take(_ step: String) throws(StoreError) -> Bool {
        let times = kept.withLock { kept in
            defer { kept.append(step) }
            return kept.count(where: { $0 == step })
        }
        return try before(step, times)
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
        try take("begin")
        try await store.beginRotation(from: current, to: check, at: moment, audit: audit)
    }
    func endRotation(at moment: Timestamp, audit: AuditEntry?) async throws(StoreError) -> Bool {
        guard try take("end") else { return false }
        return try await store.endRotation(at: moment, audit: audit)
    }
    func subscriptions(
        notUnder key: MasterKeyID, after row: Int64, limit: Int
    ) async throws(StoreError) -> [SubscriptionRecord] {
        try take("numbers after \(row)")
        return try await store.subscriptions(notUnder: key, after: row, limit: limit)
    }
    func sealedValues(notUnder key: MasterKeyID, limit: Int) async throws(StoreError) -> [SealedValue] {
        try take("values")
        return try await store.sealedValues(notUnder: key, limit: limit)
    }
    func reseal(_ changes: [(old: SubscriptionRecord, new: SubscriptionRecord)]) async throws(StoreError) -> Int {
        guard try take("seal \(changes.count) numbers") else { return 0 }
        return try await store.reseal(changes)
    }
    func reseal(_ changes: [(old: SealedValue, new: Sealed)]) async throws(StoreError) -> Int {
        guard try take("seal \(changes.count) values") else { return 0 }
        return try await store.reseal(changes)
    }
    func sealedCounts() async throws(StoreError) -> [SealedCount] { try await store.sealedCounts() }
    func forgetReplaced() async {
        kept.withLock { $0.append("forget") }
        await store.forgetReplaced()
    }
    func addReceiptKey(
        _ key: ReceiptKeyRecord, othersUntil until: Timestamp, audit: AuditEntry?
    ) async throws(StoreError) { try await store.addReceiptKey(key, othersUntil: until, audit: audit) }
}

/// A place of keys that holds others at each reading.
private final class ChangingKeeper: MasterKeyKeeper {
    let name = "a place of keys"
    private let count = Mutex(0)
    private let answer: @Sendable (_ reading: Int) -> [MasterKey]

    init(_ answer: @escaping @Sendable (_ reading: Int) -> [MasterKey]) { self.answer = answer }

    var readings: Int { count.withLock { $0 } }

    func kept() -> [KeptMasterKey] {
        let reading = count.withLock { count in
            count += 1
            return count
        }
        return answer(reading).map { KeptMasterKey(key: $0, wrappedBy: nil, isKeptAsNew: true) }
    }
    func add(random: any RandomSource) throws(MasterKeyError) -> MasterKey { throw MasterKeyError("is given") }
    func remove(_ keys: [MasterKey], discarding: Bool) -> Bool { false }
    func formerKeyFiles() -> [FormerKeyFile] { [] }
    func hold() -> RotationLock? { RotationLock(descriptor: nil) }
}

@Suite("A rotation of the master key, step by step")
struct RotationStepTests {
    private static let clock = TestClock()

    /// Two subscribers with their cards, data secrets and a receipt key, and the vault of the process that rotates.
    private struct Place {
        let keys: KeyFolder
        let store: SQLiteStore
        let vault: Vault

        func rotation(_ stepped: SteppedStore) -> MasterKeyRotation {
            MasterKeyRotation(vault: vault, store: stepped, clock: clock, random: SystemRandomSource())
        }

        func counts() async throws -> [MasterKeyID?: Int] {
            try await store.sealedCounts().reduce(into: [:]) { $0[$1.key, default: 0] += $1.count }
        }

        func row(_ sql: String) throws -> Row {
            let queue = try DatabaseQueue(path: keys.database)
            let row = try queue.read { try Row.fetchOne($0, sql: sql) }
            try queue.close()
            return try #require(row)
        }
    }

    /// As another process writes, which has not heard of the rotation.
    private static func write(_ path: String, _ sql: String, _ arguments: StatementArguments) {
        do {
            let queue = try DatabaseQueue(path: path)
            try queue.write { try $0.execute(sql: sql, arguments: arguments) }
            try queue.close()
        } catch { Issue.record(error) }
    }

    private func withPlace(_ body: (Place) async throws -> Void) async throws {
        let keys = try KeyFolder()
        defer { keys.remove() }
        let store = try keys.store()
        do {
            let vault = try #require(
                try await MasterKeyVerification.tie(
                    keys.file.keys(), of: keys.file, to: store, at: Self.clock.now, random: SystemRandomSource()))
            let numbers = [AuthorityWorld.number, AuthorityWorld.otherNumber]
            _ = try await Register(store: store, vault: vault, clock: Self.clock).observe(
                numbers.map {
                    SubscriberObservation(
                        number: $0, imsi: "460000000000001", carrier: .mobile, eventTime: Self.clock.now)
                })
            try await body(Place(keys: keys, store: store, vault: vault))
        } catch {
            await store.close()
            throw error
        }
        await store.close()
    }

    private let plain = [
        "begin", "numbers after 0", "seal 2 numbers", "numbers after 2", "values", "seal 2 values", "values",
        "numbers after 0", "values", "end", "forget",
    ]

    @Test("a rotation goes over numbers and values until it finds nothing to seal, and only then ends")
    func order() async throws {
        try await withPlace { place async throws in
            let stepped = SteppedStore(place.store)
            let outcome = try await place.rotation(stepped).run(by: .test)
            #expect(stepped.steps == plain)
            let (first, files) = (place.keys.first.id, place.keys.file.formerKeyFiles())
            #expect(
                outcome
                    == MasterKeyRotation.Outcome(
                        current: place.vault.masterKey.id, retired: [first], sealed: 4, resumed: false,
                        leftToRemove: false, formerKeyFiles: files, passedOver: []))
            #expect(files.map(\.id) == [first])
            #expect(try await place.counts() == [outcome.current: 6], "the two cards, too")
        }
    }

    @Test("how far it has come is told after each slice, out of what was under another key when the run began")
    func progress() async throws {
        typealias Progress = MasterKeyRotation.Progress
        try await withPlace { place async throws in
            func told(_ stepped: SteppedStore) async -> (told: [Progress], outcome: MasterKeyRotation.Outcome?) {
                let told = Mutex<[Progress]>([])
                let outcome = await MasterKeyRotation.$observer.withValue({ one in told.withLock { $0.append(one) } }) {
                    try? await place.rotation(stepped).run(by: .test)
                }
                return (told.withLock { $0 }, outcome)
            }
            let broken = await told(
                SteppedStore(place.store) { step, _ throws(StoreError) in
                    if step == "seal 2 values" { throw StoreError(.unavailable, "the process ends here") }
                    return true
                })
            #expect(broken.outcome == nil && broken.told == [Progress(sealed: 2, total: 4)])
            let rest = await told(SteppedStore(place.store))
            #expect(rest.told == [Progress(sealed: 2, total: 2)])
            #expect(rest.outcome?.sealed == 2 && rest.outcome?.resumed == true)
        }
    }

    @Test("what others changed while it was sealed is sealed in another round")
    func changedMeanwhile() async throws {
        try await withPlace { place async throws in
            let stepped = SteppedStore(place.store) { step, times in !step.hasPrefix("seal") || times > 0 }
            let outcome = try await place.rotation(stepped).run(by: .test)
            #expect(
                stepped.steps == [
                    "begin", "numbers after 0", "seal 2 numbers", "numbers after 2", "values", "seal 2 values",
                    "values", "seal 2 values", "values", "numbers after 0", "seal 2 numbers", "numbers after 2",
                    "values", "numbers after 0", "values", "end", "forget",
                ])
            #expect(outcome.sealed == 4)
            #expect(try await place.counts() == [outcome.current: 6])
        }
    }

    @Test("a number that another process writes under the former key while values are sealed is sealed before the end")
    func numberMeanwhile() async throws {
        try await withPlace { place async throws in
            let row = try place.row("SELECT number_index, sealed_number, sealed_sim FROM subscription WHERE id = 1")
            let values: [Data] = [row["number_index"], row["sealed_number"], row["sealed_sim"]]
            let path = place.keys.database
            let stepped = SteppedStore(place.store) { step, times in
                if step == "seal 2 values", times == 0 {
                    Self.write(
                        path,
                        "UPDATE subscription SET number_index = ?, sealed_number = ?, sealed_sim = ? WHERE id = 1",
                        StatementArguments(values))
                }
                return true
            }
            let outcome = try await place.rotation(stepped).run(by: .test)
            #expect(
                stepped.steps == Array(plain.dropLast(4)) + [
                    "numbers after 0", "seal 1 numbers", "numbers after 1", "values", "numbers after 0", "values",
                    "end", "forget",
                ])
            #expect(outcome.sealed == 5)
            #expect(try await place.counts() == [outcome.current: 6])
        }
    }

    @Test("a value that another process writes under the former key at the end is sealed, and the end comes then")
    func valueAtTheEnd() async throws {
        try await withPlace { place async throws in
            let sealed: Data = try place.row("SELECT sealed FROM data_secrets")["sealed"]
            let path = place.keys.database
            let stepped = SteppedStore(place.store) { step, times in
                if step == "end", times == 0 { Self.write(path, "UPDATE data_secrets SET sealed = ?", [sealed]) }
                return true
            }
            let outcome = try await place.rotation(stepped).run(by: .test)
            #expect(
                stepped.steps == Array(plain.dropLast()) + [
                    "numbers after 0", "values", "seal 1 values", "values", "numbers after 0", "values", "end",
                    "forget",
                ])
            #expect(try await place.counts() == [outcome.current: 6])
            #expect(try await place.store.masterKeyRing().outgoing == nil)
        }
    }

    @Test("a rotation that others disturb at its end a hundred times gives up, and the next one finishes it")
    func givesUp() async throws {
        try await withPlace { place async throws in
            let stepped = SteppedStore(place.store) { step, _ in step != "end" }
            let refusal = await #expect(throws: Refusal.self) { try await place.rotation(stepped).run(by: .test) }
            #expect(refusal?.situation == .overloaded)
            #expect(stepped.steps.count(where: { $0 == "end" }) == 100 && !stepped.steps.contains("forget"))
            let next = SteppedStore(place.store)
            #expect(try await place.rotation(next).run(by: .test).resumed)
            #expect(next.steps == ["numbers after 0", "values", "end", "forget"])
        }
    }

    @Test("the lines of a rotation in the audit log bear no request's name, so that the request can be sent again")
    func request() async throws {
        try await withPlace { place async throws in
            let note = OrderNote(
                actor: "a", role: "operator", origin: "test", order: "keys.rotate",
                request: OrderRequest(key: "key", digest: [1]))
            _ = try await place.rotation(SteppedStore(place.store)).run(by: note)
            let lines = try await place.store.auditEntries(AuditFilter(order: "keys.rotate"), before: nil, limit: 9)
            #expect(lines.map(\.request) == [nil, nil])
        }
    }

    // MARK: who reads the keys meanwhile

    @Test("keys that are not the store's are read again, and the store's ring with them, three times at the most")
    func readAgain() async throws {
        try await withPlace { place async throws in
            let first = place.keys.first
            _ = try await place.rotation(SteppedStore(place.store)).run(by: .test)
            let new = try place.keys.file.keys()
            func judged(
                _ keys: [MasterKey], _ answer: @escaping @Sendable (_ reading: Int) -> [MasterKey]
            ) async throws -> String {
                let keeper = ChangingKeeper(answer)
                let fit = try await MasterKeyVerification.judge(keys, of: keeper, store: place.store)
                return "\(fit) after \(keeper.readings)"
            }
            #expect(try await judged(new) { _ in [first] } == "fits after 0")
            #expect(try await judged([first]) { $0 == 3 ? new : [first] } == "fits after 3")
            #expect(try await judged([]) { _ in [first] } == "doesNotFit after 3")
            let ring = try await place.store.masterKeyRing()
            #expect(MasterKeyVerification.retired(among: [first] + new, ring) == [first.id])
            // The store goes back to the first key between the reading of its ring and that of the keys.
            let (path, check) = (place.keys.database, Data(first.check.bytes))
            let changed = try await judged([]) { reading in
                if reading == 1 {
                    Self.write(path, "UPDATE master_key SET state = 'retired'", [])
                    Self.write(path, "UPDATE master_key SET state = 'current' WHERE check_value = ?", [check])
                }
                return [first]
            }
            #expect(changed == "fits after 1")
        }
    }
}

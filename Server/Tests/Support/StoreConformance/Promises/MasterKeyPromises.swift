import BenjiProtocol
import Store

extension StoreConformance {
    private static func record(_ byte: UInt8) -> MasterKeyRecord {
        MasterKeyRecord(check: check(byte), state: .current, since: Scenario.now)
    }

    private static func check(_ byte: UInt8) -> MasterKeyCheck {
        MasterKeyCheck(bytes: Array(repeating: byte, count: 32))
    }

    /// Something under a master key.
    private static func sealed(_ text: String, under byte: UInt8) -> Sealed {
        Sealed(bytes: [Sealed.version] + Array(repeating: byte, count: MasterKeyID.length) + Array(text.utf8))
    }

    private static func receiptKey(_ id: String, under byte: UInt8) -> ReceiptKeyRecord {
        ReceiptKeyRecord(id: id, publicKey: "{}", sealedKey: sealed(id, under: byte), from: Scenario.now)
    }

    private static func tie(_ store: any Store, to byte: UInt8) async throws -> MasterKeyRing {
        try await store.tie(
            to: record(byte), dataSecrets: sealed("secrets", under: byte), receiptKey: receiptKey("r", under: byte))
    }

    private static func index(_ number: Int, under byte: UInt8, former: [BlindIndex] = []) -> NumberIndex {
        NumberIndex(
            Scenario.numberIndex(number), former: former,
            key: MasterKeyID(bytes: Array(repeating: byte, count: MasterKeyID.length)))
    }

    private static func expectKeyChanged(
        _ what: String, _ body: () async throws -> Void
    ) async throws {
        do { try await body() } catch let error as StoreError where error.code == .keyChanged { return }
        throw PromiseBroken("\(what) is not refused", #fileID)
    }

    static let masterKey: [StorePromise] = [
        StorePromise("the check value of the first master key stays, whatever key is shown later") { scenario in
            try expect(try await scenario.store.masterKeyRing(), is: MasterKeyRing(), "a new store's ring")
            let first = try await tie(scenario.store, to: 1)
            try expect(first.keys, is: [record(1)], "what the first is told")
            try expect(first.dataSecrets, is: sealed("secrets", under: 1), "its secrets")
            try expect(first.receiptKeys, is: [receiptKey("r", under: 1)], "its receipt keys")
            try expect(try await tie(scenario.store, to: 2), is: first, "what the second is told")
            try await scenario.withAnother { another in
                try expect(try await another.masterKeyRing(), is: first, "what another process reads")
                try expect(try await tie(another, to: 2), is: first, "what it is told")
            }
        },
        StorePromise("of 16 master keys that are shown to a new store at once, all are told the same one") { scenario in
            let told = try await race(16) { position in
                try await tie(scenario.store, to: UInt8(position) + 1)
            }
            try expect(Set(told).count, is: 1, "rings")
            try expect(try await scenario.store.masterKeyRing(), is: told[0], "what is kept")
        },
        StorePromise("of 16 rotations that begin at once, one begins, and a second one not before its end") {
            scenario in
            _ = try await tie(scenario.store, to: 1)
            let began = try await race(16) { position in
                do throws(StoreError) {
                    try await scenario.store.beginRotation(
                        from: check(1), to: check(UInt8(position) + 2), at: Scenario.now + .seconds(1), audit: nil)
                    return true
                } catch { return false }
            }
            try expect(began.count { $0 }, is: 1, "rotations")
            let ring = try await scenario.store.masterKeyRing()
            try expect(ring.outgoing?.check, is: check(1), "the outgoing key")
            try expect(began.firstIndex(of: true).map { check(UInt8($0) + 2) }, is: ring.current?.check, "the current")
        },
        StorePromise("a key under which something is sealed is not retired; once nothing is, it is") { scenario in
            _ = try await tie(scenario.store, to: 1)
            let store = scenario.store
            try await store.beginRotation(from: check(1), to: check(2), at: Scenario.now, audit: nil)
            try expect(try await store.endRotation(at: Scenario.now, audit: nil), is: false, "an early end")
            try expect(try await store.masterKeyRing().outgoing?.check, is: check(1), "the outgoing key")
            let key = MasterKeyID(bytes: Array(repeating: 2, count: MasterKeyID.length))!
            let values = try await store.sealedValues(notUnder: key, limit: 9)
            try expect(values.count, is: 2, "values under the outgoing key")
            let count = try await store.reseal(values.map { (old: $0, new: sealed("anew", under: 2)) })
            try expect(count, is: 2, "values that were replaced")
            try expect(try await store.sealedValues(notUnder: key, limit: 9).isEmpty, is: true, "nothing is left")
            let end = Scenario.now + .seconds(9)
            try expect(try await store.endRotation(at: end, audit: nil), is: true, "the end")
            let retired = MasterKeyRecord(check: check(1), state: .retired, since: Scenario.now, retiredAt: end)
            try expect(try await store.masterKeyRing().keys.contains(retired), is: true, "the retired key")
            try expect(try await store.masterKeyRing().current?.check, is: check(2), "the current key")
        },
        StorePromise("a value under a retired key, or one that the store does not know, is refused") { scenario in
            _ = try await tie(scenario.store, to: 1)
            let store = scenario.store
            var key = scenario.key("first", createdAt: Scenario.now)
            key.sealedKey = sealed("key", under: 1)
            try await store.addOpenIDKey(key, othersPublishedUntil: Scenario.now)
            try await store.beginRotation(from: check(1), to: check(2), at: Scenario.now, audit: nil)
            key.id = "second"
            try await store.addOpenIDKey(key, othersPublishedUntil: Scenario.now)
            let new = MasterKeyID(bytes: Array(repeating: 2, count: MasterKeyID.length))!
            let values = try await store.sealedValues(notUnder: new, limit: 9)
            _ = try await store.reseal(values.map { (old: $0, new: sealed("anew", under: 2)) })
            try expect(try await store.endRotation(at: Scenario.now, audit: nil), is: true, "the end")
            for byte: UInt8 in [1, 3] {
                key.id = "third"
                let value = sealed("key", under: byte)
                key.sealedKey = value
                try await expectKeyChanged("a signing key under key \(byte)") {
                    try await store.addOpenIDKey(key, othersPublishedUntil: Scenario.now)
                }
                var app = AppRecord(
                    id: Scenario.app, name: "app", keys: [], capabilities: [], bundleIDs: [], serverAddresses: [],
                    createdAt: Scenario.now)
                app.keys = [AppKeyRecord(use: .package, sealed: value, createdAt: Scenario.now)]
                try await expectKeyChanged("an app's key under key \(byte)") {
                    try await store.createApp(app, audit: nil)
                }
                try expect(try await store.app(Scenario.app) == nil, "a refused app is there")
            }
        },
        StorePromise("a search by another key than the current one is refused, and so is a change of the register") {
            scenario in
            _ = try await tie(scenario.store, to: 1)
            let store = scenario.store
            let record = Scenario.newSubscription(1)
            _ = try await store.changeSubscriptions([index(1, under: 1)], audit: nil) { _, _ in record }
            try await store.beginRotation(from: check(1), to: check(2), at: Scenario.now, audit: nil)
            try await expectKeyChanged("a search") {
                _ = try await store.subscription(numberIndex: index(1, under: 1))
            }
            try await expectKeyChanged("a change") {
                _ = try await store.changeSubscriptions([index(2, under: 1)], audit: nil) { _, _ in record }
            }
            try expect(
                try await store.subscription(numberIndex: index(2, under: 2)) == nil, "a refused change has made a row")
        },
        StorePromise("a number is found by its former index until its row has the new one, and is never there twice") {
            scenario in
            _ = try await tie(scenario.store, to: 1)
            let store = scenario.store
            let record = Scenario.newSubscription(1)
            let made = try await store.changeSubscriptions([index(1, under: 1)], audit: nil) { _, _ in record }[0]
            try await store.beginRotation(from: check(1), to: check(2), at: Scenario.now, audit: nil)
            let both = index(101, under: 2, former: [Scenario.numberIndex(1)])
            try expect(try await store.subscription(numberIndex: both), is: made, "by its former index")
            let seen = try await store.changeSubscriptions([both], audit: nil) { _, present in
                var row = present ?? Scenario.newSubscription(9)
                row.lastSeenAt = Scenario.now + .seconds(60)
                return row
            }[0]
            try expect(seen?.id, is: made?.id, "the row that was changed")
            try expect(seen?.numberIndex, is: Scenario.numberIndex(1), "its index")
            guard let old = seen else { throw PromiseBroken("the row is not there", #fileID) }
            var new = old
            new.numberIndex = both.current
            new.sealedNumber = sealed("anew", under: 2)
            try expect(try await store.reseal([(old: old, new: new)]), is: 1, "rows that were sealed anew")
            try expect(try await store.subscription(numberIndex: both), is: new, "by its new index")
            try expect(try await store.subscription(old.id), is: new, "the one row")
        },
        StorePromise("what changed since it was read is not sealed over") { scenario in
            _ = try await tie(scenario.store, to: 1)
            let store = scenario.store
            let key = MasterKeyID(bytes: Array(repeating: 2, count: MasterKeyID.length))!
            let read = try await scenario.subscription()
            try await scenario.change { $0.sealedSIM = sealed("another card", under: 1) }
            try await store.beginRotation(from: check(1), to: check(2), at: Scenario.now, audit: nil)
            var new = read
            new.sealedNumber = sealed("anew", under: 2)
            try expect(try await store.reseal([(old: read, new: new)]), is: 0, "rows that were sealed anew")
            let left = try await store.subscriptions(notUnder: key, after: 0, limit: 9)
            try expect(left.map(\.sealedSIM), is: [sealed("another card", under: 1)], "what is left to be sealed anew")
            try expect(try await store.subscriptions(notUnder: key, after: read.id, limit: 9).isEmpty, "a row twice")
            let values = try await store.sealedValues(notUnder: key, limit: 9)
            _ = try await store.reseal(values.map { (old: $0, new: sealed("anew", under: 2)) })
            let again = try await store.reseal(values.map { (old: $0, new: sealed("older", under: 2)) })
            try expect(again, is: 0, "values that were replaced twice")
        },
        StorePromise("a new receipt key signs alone; those before stay with their end and without their private half") {
            scenario in
            _ = try await tie(scenario.store, to: 1)
            let end = Scenario.now + .seconds(600)
            let second = receiptKey("second", under: 1)
            try await scenario.store.addReceiptKey(second, othersUntil: end, audit: nil)
            let ended = ReceiptKeyRecord(id: "r", publicKey: "{}", sealedKey: nil, from: Scenario.now, until: end)
            try expect(try await scenario.store.masterKeyRing().receiptKeys, is: [second, ended], "the receipt keys")
            try expect(try await scenario.store.receiptKeys(), is: [second, ended], "the receipt keys alone")
        },
        StorePromise("any subscription is found if there is one, and none if there is none") { scenario in
            try expect(try await scenario.store.anySubscription() == nil, "an empty register has one")
            let only = try await scenario.subscription(3)
            try expect(try await scenario.store.anySubscription(), is: only, "the only one")
            let other = try await scenario.subscription(4)
            let found = try await scenario.store.anySubscription()
            try expect(found == only || found == other, "what is found is neither of the two")
        },
    ]
}

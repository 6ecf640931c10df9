import BenjiProtocol
import Store

extension StoreConformance {
    static let attestedKeys: [StorePromise] = [
        StorePromise("an attested key is kept once for each app, and a revoked one never again") { scenario in
            let store = scenario.store
            let key = Scenario.attestedKey("one")
            try expect(try await store.insertAttestedKey(key), is: true, "a new key")
            try expect(try await store.attestedKey("one", of: Scenario.app), is: key, "reading it")
            try expect(try await store.attestedKey("one", of: Scenario.otherApp), is: nil, "of another app")
            var other = key
            other.publicKey = [9]
            try expect(try await store.insertAttestedKey(other), is: false, "another one of its name")
            try expect(try await store.attestedKey("one", of: Scenario.app), is: key, "which stays as it was")
            other.appID = Scenario.otherApp
            try expect(try await store.insertAttestedKey(other), is: true, "the same name at another app")
            let line = AuditEntry(
                at: Scenario.now, actor: "a", role: "operator", origin: "o", order: "app.attested-key.revoke")
            let later = Scenario.now + .seconds(1)
            try expect(
                try await store.revokeAttestedKey("one", of: Scenario.app, at: later, audit: line), is: true,
                "revoking")
            try expect(
                try await store.revokeAttestedKey("one", of: Scenario.app, at: later, audit: line), is: false,
                "a second time")
            try expect(
                try await store.revokeAttestedKey("two", of: Scenario.app, at: later, audit: line), is: false,
                "one that is unknown")
            try expect(try await store.auditEntries(AuditFilter(), before: nil, limit: 9).count, is: 1, "lines")
            try expect(
                try await store.advanceAttestedKey("one", of: Scenario.app, to: 1, now: later), is: false,
                "counting with it then")
            try expect(try await store.insertAttestedKey(key), is: false, "registering it again")
            try expect(
                try await store.attestedKey("one", of: Scenario.app)?.revokedAt, is: later, "since when it is revoked")
            try expect(
                try await store.advanceAttestedKey("one", of: Scenario.otherApp, to: 1, now: later), is: true,
                "counting with the other app's")
        },
        StorePromise(
            "a device key has one attested key that counts: a new one ends the one before, which never comes back"
        ) {
            scenario in
            let store = scenario.store
            for (name, device, second) in [("a", "d1", 1), ("b", "d1", 2), ("c", "d2", 3)] {
                var key = Scenario.attestedKey(name, device: device)
                key.createdAt = Scenario.now + .seconds(Int64(second))
                _ = try await store.insertAttestedKey(key)
                if name == "a" {
                    _ = try await store.revokeAttestedKey("a", of: Scenario.app, at: Scenario.now, audit: nil)
                }
            }
            _ = try await store.insertAttestedKey(Scenario.attestedKey("d", device: "d2"))
            let names = try await store.attestedKeys(of: Scenario.app, deviceKey: nil, limit: 9).map(\.id)
            try expect(names, is: ["c", "b", "a", "d"], "all of them, the newest first")
            try expect(
                try await store.attestedKey("c", of: Scenario.app)?.revokedAt, is: Scenario.now,
                "when the one before ended")
            try expect(
                try await store.attestedKey("b", of: Scenario.app)?.revokedAt, is: nil, "another device key's")
            try expect(
                try await store.insertAttestedKey(Scenario.attestedKey("c", device: "d2")), is: false,
                "registering the one before again")
            try expect(try await store.attestedKey("d", of: Scenario.app)?.revokedAt, is: nil, "the one that counts")
            try expect(
                try await store.attestedKeys(of: Scenario.app, deviceKey: "d1", limit: 1).map(\.id), is: ["b"],
                "of one device key")
            try expect(
                try await store.attestedKeys(of: Scenario.otherApp, deviceKey: nil, limit: 9).count, is: 0,
                "of another app")
        },
        StorePromise("a key's counter is taken once, and none that is not above all before it") { scenario in
            let store = scenario.store
            _ = try await store.insertAttestedKey(Scenario.attestedKey("one"))
            func advance(_ counter: Int64, _ name: String = "one") async throws -> Bool {
                try await store.advanceAttestedKey(name, of: Scenario.app, to: counter, now: Scenario.now)
            }
            try expect(try await advance(0), is: false, "the counter of its attestation")
            try expect(try await advance(5), is: true, "five")
            try expect(try await advance(5), is: false, "five again")
            try expect(try await advance(4), is: false, "four after it")
            try expect(try await advance(1 << 32 - 1), is: true, "the highest that there is")
            try expect(try await advance(7, "unknown"), is: false, "a key that is unknown")
            let found = try await store.attestedKey("one", of: Scenario.app)
            try expect(found?.counter, is: 1 << 32 - 1, "how far it has counted")
            try expect(found?.usedAt, is: Scenario.now, "when it was used")
        },
        StorePromise("of 64 that show one counter at two processes at once, one is taken") { scenario in
            _ = try await scenario.store.insertAttestedKey(Scenario.attestedKey("one"))
            try await scenario.withAnother { another in
                let stores = [scenario.store, another]
                let taken = try await race(64) { place in
                    try await stores[place % 2].advanceAttestedKey(
                        "one", of: Scenario.app, to: 1, now: Scenario.now)
                }
                try expect(taken.count { $0 }, is: 1, "taken")
            }
        },
        StorePromise("erasing an app takes its phones' attested keys") { scenario in
            let store = scenario.store
            let app = Scenario.bareApp(1)
            try await store.createApp(app, audit: nil)
            var key = Scenario.attestedKey("one")
            key.appID = app.id
            _ = try await store.insertAttestedKey(key)
            guard var erased = try await store.app(app.id) else { throw PromiseBroken("no app", #fileID) }
            erased.keys = []
            try await store.eraseApp(erased, audit: nil)
            try expect(try await store.attestedKey("one", of: app.id), is: nil, "its key")
        },
    ]
}

extension Scenario {
    static func attestedKey(_ id: String, device: String = "device") -> AttestedKeyRecord {
        AttestedKeyRecord(
            appID: app, id: id, publicKey: Array(repeating: 4, count: 65), deviceKey: device,
            bundleID: "com.example.shop", isDevelopment: false, createdAt: now)
    }
}

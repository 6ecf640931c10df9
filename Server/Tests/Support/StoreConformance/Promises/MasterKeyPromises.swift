import BenjiProtocol
import Store

extension StoreConformance {
    static let masterKey: [StorePromise] = [
        StorePromise("the check value of the first master key stays, whatever key is shown later") { scenario in
            let first = MasterKeyCheck(bytes: Array(0..<32))
            let second = MasterKeyCheck(bytes: Array(repeating: 7, count: 32))
            try expect(try await scenario.store.masterKeyCheck() == nil, "a new store has a check value")
            try expect(try await scenario.store.keepMasterKeyCheck(first), is: first, "what the first is told")
            try expect(try await scenario.store.keepMasterKeyCheck(second), is: first, "what the second is told")
            try expect(try await scenario.store.masterKeyCheck(), is: first, "what is kept")
            try await scenario.withAnother { another in
                try expect(try await another.masterKeyCheck(), is: first, "what another process reads")
                try expect(try await another.keepMasterKeyCheck(second), is: first, "what it is told")
            }
        },
        StorePromise("of 16 master keys that are shown to a new store at once, all are told the same one") { scenario in
            let told = try await race(16) { position in
                try await scenario.store.keepMasterKeyCheck(MasterKeyCheck(bytes: [UInt8(position)]))
            }
            try expect(Set(told).count, is: 1, "check values")
            try expect(try await scenario.store.masterKeyCheck(), is: told.first, "what is kept")
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

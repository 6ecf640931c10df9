import BenjiProtocol
import Store

extension StoreConformance {
    static let loginCounts: [StorePromise] = [
        StorePromise("steps of logins are counted by app and hour, told oldest first, and forgotten hour by hour") {
            scenario in
            let store = scenario.store
            func count(
                _ count: Int, app: AppID = Scenario.app, hour: Int64 = 10, carrier: Carrier? = .mobile,
                situation: Situation = .success
            ) -> LoginCount {
                LoginCount(
                    app: app, hour: hour, carrier: carrier, party: .authority, step: "prefetch", situation: situation,
                    count: count)
            }
            try await store.addLoginCounts([])
            try await store.addLoginCounts([
                count(2, hour: 11), count(3), count(5, carrier: nil, situation: .addressUnknown),
                count(7, app: Scenario.otherApp),
            ])
            try await store.addLoginCounts([count(1), count(4, hour: 12)])
            let all = [
                count(5, carrier: nil, situation: .addressUnknown), count(4), count(2, hour: 11), count(4, hour: 12),
            ]
            func told(_ hours: Range<Int64>) async throws -> [LoginCount] {
                try await store.loginCounts(of: Scenario.app, hours: hours)
            }
            try expect(try await told(0..<100), is: all, "what is counted")
            try expect(try await told(11..<12), is: [count(2, hour: 11)], "what is counted of one hour")
            try expect(try await store.deleteLoginCounts(before: 11, limit: 2), is: 2, "deleted at the most")
            try expect(try await store.deleteLoginCounts(before: 11, limit: 9), is: 1, "the rest")
            try expect(try await told(0..<100), is: Array(all.suffix(2)), "hours from then on")
        },
        StorePromise("counts of all apps are summed over units of time, each app's apart, and no hour beside them") {
            scenario in
            let store = scenario.store
            func count(_ count: Int, _ app: AppID, _ hour: Int64, _ carrier: Carrier? = .mobile) -> LoginCount {
                LoginCount(
                    app: app, hour: hour, carrier: carrier, party: .authority, step: "prefetch", situation: .success,
                    count: count)
            }
            let (one, other) = (Scenario.bareApp(1), Scenario.bareApp(2))
            for app in [one, other] { try await store.createApp(app, audit: nil) }
            try await store.addLoginCounts([
                count(1, one.id, 15), count(2, one.id, 16), count(4, one.id, 39),
                count(8, one.id, 40), count(16, other.id, 16), count(32, other.id, 17, nil),
                count(64, other.id, 64),
            ])
            func told(_ hours: Range<Int64>, _ unit: Int64, _ offset: Int64) async throws -> Set<LoginCount> {
                Set(try await store.loginCounts(hours: hours, unit: unit, offset: offset))
            }
            try expect(
                try await told(16..<64, 24, -8),
                is: [
                    count(6, one.id, 16), count(8, one.id, 40), count(16, other.id, 16),
                    count(32, other.id, 16, nil),
                ], "days that begin eight hours before those of UTC")
            try expect(
                try await told(15..<17, 1, 0),
                is: [count(1, one.id, 15), count(2, one.id, 16), count(16, other.id, 16)], "hours")
            try expect(try await told(100..<200, 1, 0), is: [], "hours without logins")
        },
    ]
}

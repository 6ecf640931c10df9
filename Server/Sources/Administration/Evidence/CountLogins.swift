package import Authority
package import BenjiProtocol
package import Requests
import Store

/// How an app's logins went: how many came how far, and how each step ended, by carrier, hour or day.
package struct CountLogins: Order {
    package static let name = "login.count"
    package static let route = OrderRoute.get("/apps/{id}/logins")
    package static let summary = "How an app's logins went, by hour or by day of UTC+8."
    package static let answer = "LoginCounts"
    package static let fields: [OrderField] = [
        .id,
        OrderField("unit", .words(Unit.self)),
        OrderField("last", .integer(1...400), "How many of them, the present one included."),
    ]
    package static let roles = Set(Role.allCases)
    package static let changes = false

    package enum Unit: String, Codable, Sendable, CaseIterable {
        case hour
        /// Of UTC+8.
        case day

        /// In hours.
        var length: Int64 { self == .hour ? 1 : 24 }
        /// Where a unit begins, in hours from the begin of a day of UTC.
        var offset: Int64 { self == .hour ? 0 : -8 }

        func begin(_ hour: Int64) -> Int64 { (hour - offset) / length * length + offset }

        /// The hours of the last units, the one that is under way included.
        func hours(last: Int, at now: Timestamp) -> Range<Int64> {
            let present = begin(LoginCount.hour(of: now))
            return (present - Int64(last - 1) * length)..<(present + length)
        }
    }

    package var id: AppID
    package var unit: Unit
    /// How many units, the one that is under way included.
    package var last: Int
    package var app: AppID? { id }
    package static let usual = [JSON.Member("unit", "day"), JSON.Member("last", 7)]
    package static let limits = 1...400

    package init(_ id: AppID, by unit: Unit = .day, last: Int = 7) {
        self.id = id
        self.unit = unit
        self.last = last
    }

    package func carryOut(_ context: OrderContext) async throws(Refusal) -> JSON {
        guard Self.limits.contains(last) else {
            throw Refusal(.parameterInvalid, "last: \(Self.limits.lowerBound) to \(Self.limits.upperBound)")
        }
        try await context.checkExists(id)
        let hours = unit.hours(last: last, at: context.now)
        let tally = LoginTally(try await context.authority.loginCounts(of: id, hours: hours), by: unit)
        return .object([JSON.Member("app", .string(id.rawValue))] + tally.members(of: hours))
    }
}

/// Counts the logins of all apps, together and app by app, for callers who may see all of them.
package struct CountAllLogins: Order {
    package static let name = "login.count-all"
    package static let route = OrderRoute.get("/logins")
    package static let summary =
        "How the logins of all apps went, together and app by app, by hour or by day of UTC+8. No developer may ask."
    package static let answer = "AllLoginCounts"
    package static let fields: [OrderField] = [
        OrderField("unit", .words(CountLogins.Unit.self)),
        OrderField("last", .integer(1...744), "How many of them, the present one included. 31 days at most."),
    ]
    package static let roles: Set<Role> = [.operator, .support, .auditor]
    package static let changes = false
    package static let usual = CountLogins.usual
    /// In days. The counts of each app are read, so that a year of many apps would take long.
    package static let longest = 31

    package var unit: CountLogins.Unit
    /// How many units, the one that is under way included; 31 days at most.
    package var last: Int

    package init(by unit: CountLogins.Unit = .day, last: Int = 7) {
        self.unit = unit
        self.last = last
    }

    package func carryOut(_ context: OrderContext) async throws(Refusal) -> JSON {
        let most = Self.longest * 24 / Int(unit.length)
        guard (1...most).contains(last) else {
            throw Refusal(.parameterInvalid, "last: 1 to \(most) for all apps together")
        }
        let hours = unit.hours(last: last, at: context.now)
        let counts = try await context.authority.loginCounts(hours: hours, unit: unit.length, offset: unit.offset)
        let names = try await context.stored { store throws(StoreError) in try await store.apps() }
            .reduce(into: [AppID: String]()) { $0[$1.id] = $1.shownName }
        let apps = Dictionary(grouping: counts, by: \.app).map { app, counts in
            (app: app, tally: LoginTally(counts, by: unit))
        }
        // The most first, and those with as many in the order of their ids.
        let ordered = apps.sorted {
            ($0.tally.reached(.asked), $1.app.rawValue) > ($1.tally.reached(.asked), $0.app.rawValue)
        }
        let listed: [JSON] = ordered.map { app, tally in
            .object([
                "app": .string(app.rawValue), "name": names[app].map { .string($0) }, "stages": tally.stages,
                "refused": .integer(tally.refused),
            ])
        }
        return .object(LoginTally(counts, by: unit).members(of: hours) + [JSON.Member("apps", .array(listed))])
    }
}

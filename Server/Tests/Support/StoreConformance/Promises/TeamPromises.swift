import BenjiProtocol
import Store

extension StoreConformance {
    static let teams: [StorePromise] = [
        StorePromise("an app's team is invited, added and taken off with a line each, and nobody's other apps change") {
            scenario in
            let store = scenario.store
            try await scenario.developer("ana", 1, [Scenario.app, Scenario.otherApp])
            try await scenario.developer("ben", 2, [Scenario.otherApp])
            try await scenario.developer("cat", 3, [])
            try await scenario.invite("ops", 4)
            try expect(try await scenario.team(), is: ["ana"], "those who have the app")
            // A developer who invites must have the app, and one who is added must share an app with them.
            for (change, outcome) in [
                (Scenario.change(.invite(Scenario.invited("dan", 5)), by: "ben"), .notOnTeam),
                (Scenario.change(.add("cat"), by: "nobody"), .notOnTeam), (Scenario.change(.add("cat")), .nobody),
                (Scenario.change(.add("ops"), by: nil), .nobody), (Scenario.change(.add("nobody"), by: nil), .nobody),
                (Scenario.change(.add("ana")), .isThere), (Scenario.change(.remove("ben")), .nobody),
                (Scenario.change(.remove("ana")), .last),
            ] as [(TeamChange, TeamOutcome)] {
                try expect(
                    try await scenario.order(change), is: outcome, "\(change.kind) by \(change.developer ?? "-")")
            }
            try expect(try await store.auditEntries(AuditFilter(), before: nil, limit: 9), is: [], "lines of refusals")
            try expect(try await scenario.order(Scenario.change(.add("ben"))), is: .done, "one of another app")
            try expect(
                try await scenario.order(Scenario.change(.invite(Scenario.invited("dan", 5)))), is: .done,
                "somebody new")
            try expect(try await scenario.team(), is: ["ana", "ben", "dan"], "the three")
            try expect(try await store.team(of: Scenario.app).map(\.hasAccount), is: [false, false, false], "accounts")
            try expect(
                try await store.team(of: Scenario.otherApp).map(\.admin.name), is: ["ana", "ben"], "the other app's")
            try await expectFailure(.alreadyExists, "somebody of a name that there is") {
                _ = try await scenario.order(Scenario.change(.invite(Scenario.invited("dan", 6))))
            }
            // Two invitations are allowed, and one was sent before.
            for (number, outcome) in [(7, TeamOutcome.done), (8, .tooManyInvitations)] {
                let change = Scenario.change(.invite(Scenario.invited("eve-\(number)", number)))
                try expect(try await scenario.order(change), is: outcome, "invitation \(number)")
            }
            try expect(try await scenario.order(Scenario.change(.remove("ben"))), is: .done, "taken off")
            try expect(try await store.admin(named: "ben")?.apps, is: [Scenario.otherApp], "what they keep")
            let lines = try await store.auditEntries(AuditFilter(app: Scenario.app), before: nil, limit: 9)
            try expect(
                lines.map(\.order), is: ["team.remove", "team.invite", "team.invite", "team.add"], "lines")
            try expect(try await scenario.order(Scenario.change(.remove("ana"), by: nil)), is: .done, "by an operator")
        },
        StorePromise("of 16 developers of an app who take each other off at once one who can sign in stays") {
            scenario in
            for position in 0..<16 {
                try await scenario.developer("dev-\(10 + position)", position, [Scenario.app], kind: .token)
            }
            _ = try await race(16) { position in
                let (own, next) = ("dev-\(10 + position)", "dev-\(10 + (position + 1) % 16)")
                let outcome = try await scenario.order(Scenario.change(.remove(next), by: own))
                return outcome == .done
                    ? outcome : try await scenario.order(Scenario.change(.remove(own), by: own))
            }
            let left = try await scenario.team()
            try expect(left.isEmpty, is: false, "nobody is left")
        },
    ]
}

extension Scenario {
    fileprivate func developer(
        _ name: String, _ number: Int, _ apps: Set<AppID>, kind: AdminRecord.CredentialKind = .token
    ) async throws {
        var record = Self.invited(name, number)
        record.kind = kind
        record.apps = apps
        try await store.createAdmin(record, audit: nil)
    }

    fileprivate static func invited(_ name: String, _ number: Int) -> AdminRecord {
        AdminRecord(
            name: name, role: "developer", apps: [app], kind: .invitation, credential: hash("developer \(number)"),
            createdAt: now, expiresAt: now + .seconds(86400))
    }

    fileprivate static func change(_ kind: TeamChange.Kind, by developer: String? = "ana") -> TeamChange {
        TeamChange(
            app: app, kind, by: developer, seesNumbers: false, at: now, seats: 9, role: "developer",
            invitations: (order: "team.invite", since: now - .seconds(60), limit: 2))
    }

    fileprivate func order(_ change: TeamChange) async throws(StoreError) -> TeamOutcome {
        let order =
            switch change.kind {
            case .invite: "team.invite"
            case .add: "team.add"
            case .remove: "team.remove"
            }
        return try await store.changeTeam(
            change,
            audit: AuditEntry(
                at: Self.now, actor: change.developer ?? "ops", role: "developer", origin: "127.0.0.1", order: order,
                app: change.app))
    }

    fileprivate func team() async throws -> [String] { try await store.team(of: Self.app).map(\.admin.name) }
}

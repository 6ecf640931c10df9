import BenjiProtocol
import Store

extension StoreConformance {
    static let console: [StorePromise] = [
        StorePromise(
            "of 16 apps that an admin makes at once there are no more than they may have, each with its line, and all "
                + "are theirs"
        ) {
            scenario in
            let store = scenario.store
            try await scenario.invite("ana", 1)
            try await scenario.invite("ben", 2)
            let made = try await race(16) { position in
                try await store.createApp(
                    Scenario.bareApp(position), of: "ana", atMost: 5,
                    audit: AuditEntry(
                        at: Scenario.now, actor: "ana", role: "developer", origin: "127.0.0.1", order: "app.create"))
            }
            try expect(made.count { $0 }, is: 5, "apps")
            let ids = try await store.apps().map(\.id)
            try expect(ids.count, is: 5, "apps in the store")
            try expect(try await store.admin(named: "ana")?.apps, is: Set(ids), "their apps")
            try expect(try await store.admin(named: "ben")?.apps, is: [], "somebody else's")
            try expect(
                try await store.auditEntries(AuditFilter(), before: nil, limit: 99).count, is: 5, "lines")
            // One that is gone takes no place.
            try await scenario.invite("cat", 3)
            for (position, isGone) in [(50, true), (51, false), (52, false)] {
                var app = Scenario.bareApp(position)
                if isGone { app.deletedAfter = Scenario.now }
                try expect(
                    try await store.createApp(app, of: "cat", atMost: 1, audit: nil), is: position < 52,
                    "app \(position)")
            }
            // A change that was read before the app was made does not take it away.
            guard let before = try await store.admin(named: "cat") else { throw PromiseBroken("no admin", #fileID) }
            var early = before
            early.apps = []
            early.seesNumbers = true
            _ = try await store.updateAdmin(early, audit: nil)
            try expect(try await store.admin(named: "cat")?.apps, is: before.apps, "apps after a change")
            guard var record = try await store.admin(named: "ben") else { throw PromiseBroken("no admin", #fileID) }
            record.revokedAt = Scenario.now
            _ = try await store.updateAdmin(record, audit: nil)
            for name in ["ben", "nobody"] {
                try expect(
                    try await store.createApp(
                        Scenario.bareApp(99), of: name, atMost: 5, audit: nil), is: false,
                    "an app of \(name)")
            }
            try expect(try await store.apps().count, is: 7, "apps after those that were refused")
        },
        StorePromise("of 16 that accept an invitation at once one has the account, and none by another credential") {
            scenario in
            try await scenario.invite("ana", 1)
            for (kind, credential) in [(2, 9), (3, 1)] {
                // A credential that is not ana's, and a token.
                if kind == 3 { try await scenario.invite("bot", 3, kind: .token) }
                try expect(
                    try await scenario.accept(kind == 3 ? "bot" : "ana", by: kind == 3 ? 3 : credential, 50), is: false,
                    "an account by what is no invitation")
            }
            let won = try await race(16) { position in
                try await scenario.accept("ana", by: 1, 100 + position)
            }
            try expect(won.count { $0 }, is: 1, "accounts")
            let place = won.firstIndex(of: true) ?? 0
            for position in 0..<16 {
                try expect(
                    try await scenario.whose(100 + position), is: position == place ? "ana" : nil, "session \(position)"
                )
            }
            try expect(try await scenario.accept("ana", by: 1, 200), is: false, "an account by a spent invitation")
            let lines = try await scenario.store.auditEntries(AuditFilter(), before: nil, limit: 99)
            try expect(lines.map(\.order), is: ["console.accept"], "the lines")
            try await scenario.invite("late", 4, expiresAt: Scenario.now)
            try expect(try await scenario.accept("late", by: 4, 300), is: false, "an account at the very end")
        },
        StorePromise("of 32 attempts to sign in at once no more are let through than may fail, until the pause is over")
        {
            scenario in
            try await scenario.invite("ana", 1)
            _ = try await scenario.accept("ana", by: 1, 1)
            @Sendable func attempt(after seconds: Int64 = 0, admin: String = "ana") async throws -> SignInAttempt {
                try await scenario.store.beginSignIn(
                    admin, at: Scenario.now + .seconds(seconds), limit: 5, pause: .seconds(60),
                    audit: Scenario.consoleLine("console.pause"))
            }
            func pauses() async throws -> Int {
                try await scenario.store.auditEntries(AuditFilter(), before: nil, limit: 99)
                    .count { $0.order == "console.pause" }
            }
            let account = Scenario.account("ana")
            let attempts = try await race(32) { _ in try await attempt() }
            try expect(attempts.count { $0 == .open(account) }, is: 5, "attempts that were let through")
            let blocked = SignInAttempt.blocked(until: Scenario.now + .seconds(60))
            try expect(attempts.count { $0 == blocked }, is: 27, "attempts that were not")
            try expect(try await pauses(), is: 1, "lines of the pause")
            try expect(try await attempt(after: 59), is: blocked, "a moment before the end of the pause")
            for number in 1...5 {
                try expect(try await attempt(after: 60), is: .open(account), "attempt \(number) after the pause")
            }
            try expect(
                try await attempt(after: 60), is: .blocked(until: Scenario.now + .seconds(120)), "and the next pause")
            try expect(try await pauses(), is: 2, "lines of both pauses")
            try expect(try await attempt(admin: "nobody"), is: .nobody, "a name that nobody has")
            try await scenario.invite("ben", 2)
            try expect(try await attempt(admin: "ben"), is: .nobody, "somebody who has not accepted")
            try expect(
                try await scenario.store.signIn(
                    Scenario.session("ana", 7), account: account, by: .code(step: 11), pending: nil,
                    audit: nil),
                is: true,
                "an attempt that was right")
            try expect(try await attempt(), is: .open(Scenario.account("ana", step: 11)), "the count begins anew")
        },
        StorePromise("a code signs in once, however many bring it at once, and not under a password that was changed") {
            scenario in
            try await scenario.invite("ana", 1)
            _ = try await scenario.accept("ana", by: 1, 1)
            let account = Scenario.account("ana")
            let won = try await race(16) { position in
                try await scenario.store.signIn(
                    Scenario.session("ana", 100 + position), account: account, by: .code(step: 11), pending: nil,
                    audit: Scenario.consoleLine("console.sign-in"))
            }
            try expect(won.count { $0 }, is: 1, "sessions by one code")
            let lines = try await scenario.store.auditEntries(AuditFilter(), before: nil, limit: 99)
            try expect(lines.count { $0.order == "console.sign-in" }, is: 1, "their line")
            for step in [10, 11] as [Int64] {
                try expect(
                    try await scenario.store.signIn(
                        Scenario.session("ana", 200), account: account, by: .code(step: step), pending: nil,
                        audit: nil),
                    is: false, "a session by the code of step \(step)")
            }
            var other = account
            other.password.hash = [9]
            try expect(
                try await scenario.store.signIn(
                    Scenario.session("ana", 300), account: other, by: .code(step: 12), pending: nil, audit: nil),
                is: false,
                "a session by another password")
        },
        StorePromise(
            "what a right password began is finished once, by the admin's own phone or a code, before its end and "
                + "while the password holds"
        ) { scenario in
            let store = scenario.store
            for (place, name) in ["ana", "ben"].enumerated() {
                try await scenario.invite(name, place)
                _ = try await scenario.accept(name, by: place, place)
                try await scenario.bind(name, in: place)
            }
            let account = Scenario.account("ana")
            func finish(
                _ pending: Int, by factor: SecondFactor, session: Int, _ admin: String = "ana"
            ) async throws -> Bool {
                try await store.signIn(
                    Scenario.session(admin, session), account: Scenario.account(admin), by: factor,
                    pending: Scenario.hash("pending \(pending)"), audit: Scenario.consoleLine("console.sign-in"))
            }
            var other = account
            other.password.hash = [9]
            try expect(
                try await store.beginPending(Scenario.pending("ana", 1), account: other), is: false,
                "what another password began")
            for number in 1...5 {
                try expect(
                    try await store.beginPending(Scenario.pending("ana", number), account: account), is: true,
                    "what a password began")
            }
            try expect(
                try await finish(1, by: .phone(Scenario.hash("phone of ben")), session: 20), is: false,
                "a session by somebody else's phone")
            try expect(
                try await finish(1, by: .phone(Scenario.hash("phone of ben")), session: 21, "ben"), is: false,
                "a session of somebody else by what ana's password began")
            try expect(
                try await finish(9, by: .phone(Scenario.hash("phone of ana")), session: 22), is: false,
                "a session by what nobody began")
            let won = try await race(16) { position in
                try await store.signIn(
                    Scenario.session("ana", 100 + position), account: account,
                    by: .phone(Scenario.hash("phone of ana")), pending: Scenario.hash("pending 1"),
                    audit: Scenario.consoleLine("console.sign-in"))
            }
            try expect(won.count { $0 }, is: 1, "sessions by one pending sign-in")
            try expect(
                try await finish(2, by: .code(step: 11), session: 23), is: true, "a session by a code instead")
            try expect(
                try await finish(2, by: .code(step: 12), session: 24), is: false, "another by the same")
            let end = Scenario.pending("ana", 3).endsAt
            try expect(
                try await store.pendingSignIn(Scenario.hash("pending 3"), at: end - .seconds(1))?.admin, is: "ana",
                "a moment before its end")
            try expect(
                try await store.pendingSignIn(Scenario.hash("pending 3"), at: end), is: nil, "at its end")
            var late = Scenario.session("ana", 25)
            late.beganAt = end
            try expect(
                try await store.signIn(
                    late, account: account, by: .phone(Scenario.hash("phone of ana")),
                    pending: Scenario.hash("pending 3"), audit: nil), is: false, "a session at its end")
            try expect(
                try await store.consolePhones(),
                is: [
                    ConsolePhone(admin: "ana", boundAt: Scenario.now, usedAt: Scenario.now),
                    ConsolePhone(admin: "ben", boundAt: Scenario.now),
                ], "phones")
            _ = try await store.beginPending(Scenario.pending("ana", 7, session: 0), account: account)
            try expect(try await store.removePhone(of: "ana", audit: nil), is: true, "a phone is removed")
            try expect(
                try await store.pendingSignIn(Scenario.hash("pending 7"), at: Scenario.now), is: nil,
                "a binding that was begun before")
            try expect(try await store.removePhone(of: "ana", audit: nil), is: false, "none is left to remove")
            try expect(
                try await finish(4, by: .phone(Scenario.hash("phone of ana")), session: 26), is: false,
                "a session by a phone that was removed")
            try expect(
                try await finish(4, by: .code(step: 13), session: 27), is: true, "a session by a code afterwards")
            guard var record = try await store.admin(named: "ana") else { throw PromiseBroken("no admin", #fileID) }
            record.credential = Scenario.hash("invitation 7")
            _ = try await store.updateAdmin(record, audit: nil)
            try expect(
                try await store.pendingSignIn(Scenario.hash("pending 5"), at: Scenario.now), is: nil,
                "what a former password began")
            _ = try await store.beginPending(Scenario.pending("ben", 6), account: Scenario.account("ben"))
            _ = try await store.deleteConsoleSessions(before: end + .seconds(1), limit: 9)
            try expect(
                try await store.pendingSignIn(Scenario.hash("pending 6"), at: Scenario.now), is: nil,
                "what was deleted after its end")
        },
        StorePromise("a phone is bound in the session in which that was begun, while it lives, and once") { scenario in
            let store = scenario.store
            try await scenario.invite("ana", 1)
            _ = try await scenario.accept("ana", by: 1, 1)
            let account = Scenario.account("ana")
            func bind(_ pending: PendingSignIn, at moment: Timestamp = Scenario.now) async throws -> Bool {
                try await store.bindPhone(
                    Scenario.hash("phone"), pending: pending, at: moment,
                    audit: Scenario.consoleLine("console.bind-phone"))
            }
            let signIn = Scenario.pending("ana", 1)
            let foreign = Scenario.pending("ana", 2, session: 2)
            let own = Scenario.pending("ana", 3, session: 1)
            let never = Scenario.pending("ana", 4, session: 1)
            for each in [signIn, foreign, own] { _ = try await store.beginPending(each, account: account) }
            for (what, pending) in [
                ("a sign-in", signIn), ("a session that there is not", foreign), ("nothing", never),
            ] {
                try expect(try await bind(pending), is: false, "a phone bound by \(what)")
            }
            try expect(try await bind(own, at: own.endsAt), is: false, "a phone bound at its end")
            let won = try await race(16) { _ in
                try await store.bindPhone(
                    Scenario.hash("phone"), pending: own, at: Scenario.now,
                    audit: Scenario.consoleLine("console.bind-phone"))
            }
            try expect(won.count { $0 }, is: 1, "bound phones")
            let lines = try await store.auditEntries(AuditFilter(), before: nil, limit: 99)
            try expect(lines.count { $0.order == "console.bind-phone" }, is: 1, "their line")
            try expect(
                try await store.signIn(
                    Scenario.session("ana", 9), account: account, by: .phone(Scenario.hash("phone")),
                    pending: own.hash, audit: nil), is: false, "a sign-in by what bound a phone")
            guard
                case .open(let kept) = try await store.beginSignIn(
                    "ana", at: Scenario.now, limit: 5, pause: .seconds(60), audit: nil)
            else { throw PromiseBroken("no account", #fileID) }
            try expect(kept.phone, is: Scenario.hash("phone"), "the account's phone")
            let ended = Scenario.pending("ana", 5, session: 1)
            _ = try await store.beginPending(ended, account: account)
            try await store.endConsoleSession(Scenario.hash("session 1"))
            try expect(try await bind(ended), is: false, "a phone bound after the session's end")
        },
        StorePromise("an admin's sessions end with their time, when they rest, are revoked or get another credential") {
            scenario in
            let store = scenario.store
            try await scenario.invite("ana", 1)
            try await scenario.invite("ben", 2)
            _ = try await scenario.accept("ana", by: 1, 1)
            _ = try await scenario.accept("ben", by: 2, 2)
            let end = Scenario.session("ana", 1).endsAt
            try expect(try await scenario.whose(1, at: end - .seconds(1)), is: "ana", "a moment before its end")
            try expect(try await scenario.whose(1, at: end), is: nil, "at its end")
            let later = Scenario.now + .seconds(100)
            func rested(_ at: Timestamp) async throws -> String? {
                try await store.consoleSession(Scenario.hash("session 1"), at: at, usedSince: at - .seconds(60))?.name
            }
            try expect(try await rested(later), is: nil, "one that rested")
            try await store.noteConsoleUse(Scenario.hash("session 1"), at: later)
            try expect(try await rested(later + .seconds(60)), is: "ana", "one that was used")
            try await store.endConsoleSession(Scenario.hash("session 2"))
            try expect(try await scenario.whose(2), is: nil, "one that was ended")
            try expect(try await scenario.whose(1), is: "ana", "another's")
            guard var record = try await store.admin(named: "ana") else { throw PromiseBroken("no admin", #fileID) }
            record.seesNumbers = true
            try expect(try await store.updateAdmin(record, audit: nil), is: true, "a change")
            try expect(try await scenario.whose(1), is: "ana", "after a change that keeps the credential")
            record.revokedAt = Scenario.now
            _ = try await store.updateAdmin(record, audit: nil)
            try expect(try await scenario.whose(1), is: nil, "after it is revoked")
            record.revokedAt = nil
            record.credential = Scenario.hash("invitation 7")
            _ = try await store.updateAdmin(record, audit: nil)
            try expect(try await scenario.whose(1), is: nil, "after it is renewed")
            try expect(
                try await store.beginSignIn("ana", at: Scenario.now, limit: 5, pause: .seconds(60), audit: nil),
                is: .nobody,
                "the former password")
            _ = try await scenario.accept("ana", by: 7, 3)
            try expect(try await store.deleteConsoleSessions(before: end, limit: 9), is: 0, "sessions before their end")
            try expect(
                try await store.deleteConsoleSessions(before: end + .seconds(1), limit: 9), is: 1, "ended sessions")
        },
    ]
}

extension Scenario {
    static func account(_ admin: String, step: Int64 = 10) -> ConsoleAccount {
        ConsoleAccount(
            admin: admin, password: PasswordHash(salt: [1, 2, 3], cost: 14, hash: [4, 5, 6]), lastStep: step)
    }

    static func pending(_ admin: String, _ number: Int, session: Int? = nil) -> PendingSignIn {
        PendingSignIn(
            hash: hash("pending \(number)"), admin: admin, session: session.map { hash("session \($0)") },
            endsAt: now + .seconds(600))
    }

    /// Binds "phone of NAME" in a session.
    func bind(_ admin: String, in session: Int) async throws {
        let pending = Self.pending(admin, 1000 + session, session: session)
        _ = try await store.beginPending(pending, account: Self.account(admin))
        let isBound = try await store.bindPhone(
            Self.hash("phone of \(admin)"), pending: pending, at: Self.now, audit: nil)
        try expect(isBound, is: true, "a phone of \(admin)")
    }

    static func consoleLine(_ order: String) -> AuditEntry {
        AuditEntry(at: now, actor: "ana", role: "support", origin: "127.0.0.1", order: order)
    }

    static func bareApp(_ number: Int) -> AppRecord {
        AppRecord(
            id: appID(1000 + number), name: "app \(number)", keys: [], capabilities: [.login], bundleIDs: [],
            serverAddresses: [], createdAt: now)
    }

    static func session(_ admin: String, _ number: Int) -> ConsoleSession {
        ConsoleSession(
            hash: hash("session \(number)"), admin: admin, beganAt: now, endsAt: now + .seconds(3600))
    }

    func invite(
        _ name: String, _ number: Int, kind: AdminRecord.CredentialKind = .invitation,
        expiresAt: Timestamp = now + .seconds(86400)
    ) async throws {
        try await store.createAdmin(
            AdminRecord(
                name: name, role: "support", kind: kind, credential: Self.hash("invitation \(number)"),
                createdAt: Self.now, expiresAt: expiresAt), audit: nil)
    }

    func accept(_ admin: String, by number: Int, _ session: Int) async throws -> Bool {
        try await store.acceptInvitation(
            Self.hash("invitation \(number)"), spent: Self.hash("spent \(session)"), account: Self.account(admin),
            session: Self.session(admin, session),
            audit: AuditEntry(
                at: Self.now, actor: admin, role: "support", origin: "127.0.0.1", order: "console.accept"))
    }

    /// The admin of a session.
    func whose(_ session: Int, at moment: Timestamp = now) async throws -> String? {
        try await store.consoleSession(Self.hash("session \(session)"), at: moment, usedSince: Self.now)?.name
    }
}

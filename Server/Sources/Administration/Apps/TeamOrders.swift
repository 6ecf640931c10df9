package import Authority
package import BenjiProtocol
package import Requests
import Store

/// Lists the developers of an app and when their credentials end. A developer also sees the people of their other apps
/// who could be added.
package struct ListTeam: Order {
    package static let name = "app.team.list"
    package static let route = OrderRoute.get("/apps/{id}/team")
    package static let summary = "Which developers have an app, and until when their credentials count."
    package static let answer = "Team"
    package static let fields: [OrderField] = [.id]
    package static let roles: Set<Role> = [.operator, .auditor, .developer]
    package static let changes = false

    package var id: AppID
    package var app: AppID? { id }

    package init(_ id: AppID) { self.id = id }

    package func carryOut(_ context: OrderContext) async throws(Refusal) -> JSON {
        try await context.checkExists(id)
        return try await context.team(of: id)
    }
}

/// Lets somebody new in, as a developer who has this app alone. Answers their invitation to the console, this once.
///
/// Five letters and digits are appended to the given name, so that no caller learns which names exist. The new
/// developer never sees numbers. A developer invites for no longer than their own credential lasts.
package struct InviteToTeam: Order {
    package static let name = "app.team.invite"
    package static let route = OrderRoute.post("/apps/{id}/team/invite")
    package static let summary =
        "Let in somebody new, a developer who has this app alone; their invitation to the console is shown this once."
    package static let answer = "Admin"
    package static let fields: [OrderField] = [
        .id,
        OrderField(
            "name", .text(pattern: #"^[a-z0-9._-]{1,58}$"#), isRequired: true,
            "How their name begins. Five letters and digits are put behind it, so that nobody learns which names there "
                + "are."
        ),
        OrderField(
            "days", .integer(1...366),
            "Until their credential ends, and never beyond that of a developer who "
                + "invites."),
    ]
    package static let roles: Set<Role> = [.operator, .developer]
    package static let usual = [JSON.Member("days", .integer(GrantAdmin.usualDays))]
    /// How many people an app can have at once.
    package static let seats = 20
    /// How many people can be invited to an app in 30 days, also those who were taken off again.
    package static let invitations = 20
    static let invitationDays: Int64 = 30

    package var id: AppID
    /// How their name begins: 1 to 58 lower-case letters, digits, dots, hyphens and underscores.
    package var name: String
    /// Until the credential ends.
    package var days: Int
    package var app: AppID? { id }

    package init(_ id: AppID, _ name: String, days: Int = GrantAdmin.usualDays) {
        self.id = id
        self.name = name
        self.days = days
    }

    package func carryOut(_ context: OrderContext) async throws(Refusal) -> JSON {
        try Admins.check(name: name)
        guard name.utf8.count <= 58 else { throw Refusal(.parameterInvalid, "name: 1 to 58 characters") }
        var end = try Admins.end(days, from: context.now)
        // An app must be allowed first, so that developers cannot make many accounts through apps without review.
        let app = try await context.apps.find(id).record
        if let developer = try await context.developer() {
            guard app.allowed, !app.suspended, app.deletedAfter == nil else {
                throw Refusal(
                    .appNotAllowed,
                    "people can be invited once an operator has allowed the app; those who are here already can be "
                        + "added now"
                )
            }
            end = min(end, developer.expiresAt)
        }
        // An existing name is drawn again, and the caller does not learn of it.
        for _ in 0..<4 {
            let credential = try AdminCredential(certificate: nil, toConsole: true, random: context.authority.random)
            let record = AdminRecord(
                name: "\(name)-\(Self.ending(context.authority.random))", role: Role.developer.rawValue, apps: [id],
                kind: credential.kind, credential: credential.hash, createdAt: context.now, expiresAt: end)
            let line = context.note.entry(at: context.now, app: id, subject: "admin \(record.name)", to: record.json)
            let outcome: TeamOutcome
            do throws(StoreError) {
                outcome = try await context.store.changeTeam(context.change(of: id, .invite(record)), audit: line)
            } catch {
                guard error.code == .alreadyExists else { throw Refusal(error) }
                continue
            }
            try context.check(outcome)
            return record.json(with: credential.token)
        }
        throw Refusal(.internalError, "no name could be drawn")
    }

    /// Without letters and digits that look alike.
    private static func ending(_ random: any RandomSource) -> String {
        let letters = Array("abcdefghjkmnpqrstuvwxyz23456789")
        return String(random.bytes(5).map { letters[Int($0) % letters.count] })
    }
}

/// Gives an app to a developer who is here already. Another developer does it for people of their other apps alone.
package struct AddToTeam: Order {
    package static let name = "app.team.add"
    package static let route = OrderRoute.post("/apps/{id}/team/add")
    package static let summary =
        "Give an app to a developer who is here already; a developer does it for people of their other apps alone."
    package static let answer = "Team"
    package static let fields: [OrderField] = [
        .id,
        OrderField("name", .text(pattern: #"^[a-z0-9._-]{1,64}$"#), isRequired: true, "The developer."),
    ]
    package static let roles: Set<Role> = [.operator, .developer]

    package var id: AppID
    package var name: String
    package var app: AppID? { id }

    package init(_ id: AppID, _ name: String) {
        self.id = id
        self.name = name
    }

    package func carryOut(_ context: OrderContext) async throws(Refusal) -> JSON {
        _ = try await context.apps.find(id)
        return try await context.changeTeam(of: id, .add(name), name)
    }
}

/// Takes an app away from a developer at once. What else they have stays, their account too.
package struct RemoveFromTeam: Order {
    package static let name = "app.team.remove"
    package static let route = OrderRoute.post("/apps/{id}/team/remove")
    package static let summary = "Take an app away from a developer at once. What else they have stays."
    package static let answer = "Team"
    package static let fields: [OrderField] = [
        .id,
        OrderField("name", .text(pattern: #"^[a-z0-9._-]{1,64}$"#), isRequired: true, "The developer."),
    ]
    package static let roles: Set<Role> = [.operator, .developer]

    package var id: AppID
    package var name: String
    package var app: AppID? { id }

    package init(_ id: AppID, _ name: String) {
        self.id = id
        self.name = name
    }

    package func carryOut(_ context: OrderContext) async throws(Refusal) -> JSON {
        try await context.checkExists(id)
        return try await context.changeTeam(of: id, .remove(name), name)
    }
}

extension OrderContext {
    /// The record of the developer who gives the order; `nil` for another role.
    fileprivate func developer() async throws(Refusal) -> AdminRecord? {
        guard caller.role == .developer else { return nil }
        guard let found = try await stored({ store throws(StoreError) in try await store.admin(named: caller.name) })
        else { throw Self.notOnTeam }
        return found
    }

    fileprivate func change(of id: AppID, _ kind: TeamChange.Kind) -> TeamChange {
        TeamChange(
            app: id, kind, by: caller.role == .developer ? caller.name : nil, seesNumbers: caller.seesNumbers, at: now,
            seats: InviteToTeam.seats, role: Role.developer.rawValue,
            invitations: (
                InviteToTeam.name, now - .seconds(InviteToTeam.invitationDays * 86400), InviteToTeam.invitations
            ))
    }

    /// - Parameter name: the person who is added or removed.
    fileprivate func changeTeam(
        of id: AppID, _ kind: TeamChange.Kind, _ name: String
    ) async throws(Refusal) -> JSON {
        // An invalid name is not looked up: databases differ in what a text may hold.
        guard (try? Admins.check(name: name)) != nil else { throw Self.nobody }
        let line = note.entry(at: now, app: id, subject: "admin \(name)")
        try check(
            try await stored { store throws(StoreError) in
                try await store.changeTeam(change(of: id, kind), audit: line)
            })
        return try await team(of: id, isLeft: caller.role == .developer && name == caller.name)
    }

    private static let nobody = Refusal(.notFound, "name: none of your apps' people has this name")
    private static let notOnTeam = Refusal(.appUnknown, "this app is none of yours any more")

    /// Refuses what changed nothing.
    fileprivate func check(_ outcome: TeamOutcome) throws(Refusal) {
        switch outcome {
        case .done: return
        case .notOnTeam: throw Self.notOnTeam
        case .nobody: throw Self.nobody
        case .isThere: throw Refusal(.parameterInvalid, "name: they have this app already")
        case .seesNumbers: throw Refusal(.orderNotPermitted, "they see numbers, and you do not; an operator adds them")
        case .isFull:
            throw Refusal(.tooManyRequests, "an app has \(InviteToTeam.seats) people at most; take somebody off first")
        case .tooManyInvitations:
            throw Refusal(
                .tooManyRequests,
                "\(InviteToTeam.invitations) people can be invited to an app in \(InviteToTeam.invitationDays) days")
        case .last:
            throw Refusal(
                .parameterInvalid, "name: nobody who can sign in would be left; an operator can take the last one off")
        }
    }

    /// - Parameter isLeft: whether the caller has just left the app and no longer sees who remains.
    fileprivate func team(of id: AppID, isLeft: Bool = false) async throws(Refusal) -> JSON {
        guard !isLeft else { return .object(["app": .string(id.rawValue), "people": .array([])]) }
        let team = try await stored { store throws(StoreError) in try await store.team(of: id) }
        return .object([
            "app": .string(id.rawValue), "seats": .integer(InviteToTeam.seats),
            "people": .array(team.map { $0.json(at: now) }), "colleagues": try await colleagues(beside: team),
        ])
    }

    /// The names of the people whom a developer can add.
    private func colleagues(beside team: [TeamMember]) async throws(Refusal) -> JSON? {
        guard caller.role == .developer else { return nil }
        let there = Set(team.map(\.admin.name))
        let all = try await stored { store throws(StoreError) in try await store.admins() }
        let others = all.filter { admin in
            admin.role == Role.developer.rawValue && admin.isValid(at: now) && !there.contains(admin.name)
                && !admin.apps.isDisjoint(with: caller.apps)
        }
        return .array(others.map { .string($0.name) })
    }
}

extension TeamMember {
    /// The members that other people of the app see: none of the person's other apps.
    fileprivate func json(at now: Timestamp) -> JSON {
        .object([
            "name": .string(admin.name), "role": .string(admin.role), "credential": .string(admin.kind.rawValue),
            "state": .string(isIn(at: now) ? "active" : admin.isValid(at: now) ? "invited" : "ended"),
            "lastUsed": admin.lastUsedDay.map { .string(CalendarDay(number: $0).description) },
            "expiresAt": .integer(admin.expiresAt.milliseconds),
        ])
    }
}

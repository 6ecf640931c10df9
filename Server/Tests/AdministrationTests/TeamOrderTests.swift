import Administration
import Authority
import BenjiProtocol
import Requests
import ServerTestKit
import Store
import StoreSQLite
import Testing

@Suite("Who has an app, and who decides about it")
struct TeamOrderTests {
    private let everywhere = "10.0.0.7"

    private func developer(_ name: String, _ apps: Set<AppID>, seesNumbers: Bool = false) -> Caller {
        Caller(name: name, role: .developer, apps: apps, seesNumbers: seesNumbers, origin: everywhere)
    }

    /// A world with a developer of its app, who has a token.
    private func world() async throws -> (world: AdministrationWorld, ana: Caller) {
        let world = try await AdministrationWorld()
        try await world.order(GrantAdmin("ana", .developer, apps: [world.app]))
        return (world, developer("ana", [world.app]))
    }

    private func names(_ team: JSON) -> [String] {
        (team["people"]?.arrayValue ?? []).compactMap { $0["name"]?.stringValue }
    }

    private func newApp(_ world: AdministrationWorld, _ name: String = "Zebra Market") async throws -> AppID {
        try await world.authority.apps.register(Apps.Registration(name: name)).record.id
    }

    @Test("a developer invites a colleague, who has this app alone, sees no numbers and ends no later than they do")
    func invite() async throws {
        let (world, ana) = try await world()
        try await world.order(
            GrantAdmin("eve", .developer, apps: [world.app], seesNumbers: true, days: 5),
            by: world.caller(seesNumbers: true))
        let eve = developer("eve", [world.app], seesNumbers: true)
        let answer = try await world.order(InviteToTeam(world.app, "ben"), by: eve)
        let name = try #require(answer["name"]?.stringValue)
        #expect(name.hasPrefix("ben-") && name.utf8.count == 9 && answer["invitation"] != nil)
        let record = try #require(try await world.world.store.admin(named: name))
        #expect(record.apps == [world.app] && record.role == "developer" && !record.seesNumbers)
        #expect(record.expiresAt == world.clock.now + .seconds(5 * 86400), "eve has five days herself")
        #expect(try await world.administration.invited(by: answer["invitation"]?.stringValue ?? "") == name)
        let team = try await world.order(ListTeam(world.app), by: ana)
        #expect(names(team) == ["ana", name, "eve"])
        #expect(team["people"]?.arrayValue?.map { $0["state"] } == ["active", "invited", "active"])
        #expect(!team.text.contains(answer["invitation"]?.stringValue ?? "-") && !team.text.contains("seesNumbers"))
        let line = try #require(try await world.lines().first)
        #expect(line.order == "app.team.invite" && line.app == world.app && line.subject == "admin \(name)")
        #expect(line.after?.contains(answer["invitation"]?.stringValue ?? "-") == false)
        for bad in ["Ben", "13800000001", "", "ben ben", String(repeating: "b", count: 59)] {
            #expect(try await world.refused(InviteToTeam(world.app, bad), by: ana) == .parameterInvalid, "\(bad)")
        }
        await world.end()
    }

    @Test(
        """
        nobody learns by inviting or adding whether somebody is there who shares no app with them; a naive list tells it
        """
    )
    func hidden() async throws {
        let (world, ana) = try await world()
        let other = try await newApp(world)
        try await world.order(GrantAdmin("zoe", .developer, apps: [other]))
        try await world.order(GrantAdmin("boss", .operator))
        // Names that there are, and one that there is not.
        var told: Set<String> = []
        for name in ["zoe", "boss", "nobody", "Not A Name", "13800000001"] {
            for order in [AddToTeam(world.app, name), RemoveFromTeam(world.app, name)] as [any Order] {
                do throws(Refusal) { _ = try await world.order(order, by: ana) } catch {
                    told.insert("\(error.situation) \(error.detail)")
                }
            }
        }
        #expect(told.count == 1, "each is refused in the same words: \(told)")
        #expect(told.first?.hasPrefix("\(Situation.notFound)") == true)
        // A caller who chooses names freely learns which are taken.
        #expect(try await world.refused(GrantAdmin("zoe", .support)) == .parameterInvalid)
        #expect(try await world.refused(GrantAdmin("nobody", .support)) == nil)
        for name in ["zoe", "boss", "nobody"] {
            #expect(try await world.refused(InviteToTeam(world.app, name), by: ana) == nil, "\(name)")
        }
        // Another developer's app and its team are refused like an unknown app.
        for app in [other, world.unknown] {
            for order in [
                ListTeam(app), InviteToTeam(app, "ben"), AddToTeam(app, "ana"), RemoveFromTeam(app, "zoe"),
            ] as [any Order] {
                #expect(try await world.refused(order, by: ana) == .orderNotPermitted, "\(type(of: order).name)")
            }
        }
        #expect(try await world.world.store.team(of: other).map(\.admin.name) == ["zoe"])
        await world.end()
    }

    @Test("a developer adds people of their other apps alone, and who sees no numbers adds nobody who does")
    func add() async throws {
        let (world, _) = try await world()
        let other = try await newApp(world)
        try await world.order(GrantAdmin("bea", .developer, apps: [world.app, other]))
        try await world.order(GrantAdmin("zoe", .developer, apps: [other]))
        try await world.order(
            GrantAdmin("max", .developer, apps: [other], seesNumbers: true), by: world.caller(seesNumbers: true))
        let bea = developer("bea", [world.app, other])
        let before = try await world.order(ListTeam(world.app), by: bea)
        #expect(before["colleagues"]?.arrayValue == ["max", "zoe"])
        #expect(names(try await world.order(AddToTeam(world.app, "zoe"), by: bea)) == ["ana", "bea", "zoe"])
        #expect(try await world.world.store.admin(named: "zoe")?.apps == [world.app, other])
        #expect(try await world.refused(AddToTeam(world.app, "zoe"), by: bea) == .parameterInvalid, "once")
        #expect(try await world.refused(AddToTeam(world.app, "max"), by: bea) == .orderNotPermitted)
        let line = try #require(try await world.lines().first { $0.order == "app.team.add" && $0.outcome == .success })
        #expect(line.subject == "admin zoe" && line.before == nil && line.after == nil, "no word of their other apps")
        // A revoked admin is unknown.
        try await world.order(RevokeAdmin("max"))
        #expect(try await world.refused(AddToTeam(world.app, "max"), by: bea) == .notFound)
        #expect(try await world.order(ListTeam(world.app), by: bea)["colleagues"]?.arrayValue == [])
        await world.end()
    }

    @Test("who is taken off has every other app still, gives no order about this one, and the last one stays")
    func remove() async throws {
        let (world, ana) = try await world()
        let other = try await newApp(world)
        let token = try await world.order(GrantAdmin("zoe", .developer, apps: [world.app, other]))["token"]?.stringValue
        let invited = try await world.order(InviteToTeam(world.app, "ben"), by: ana)["name"]?.stringValue ?? ""
        #expect(names(try await world.order(RemoveFromTeam(world.app, "zoe"), by: ana)) == ["ana", invited])
        let zoe = try await world.administration.caller(token: try #require(token), from: everywhere)
        #expect(zoe.apps == [other], "the same token, at once")
        #expect(try await world.refused(ListTeam(world.app), by: zoe) == .orderNotPermitted)
        // A request that began before finds the app gone when it writes.
        let late = developer("zoe", [world.app, other])
        #expect(try await world.refused(AddToTeam(world.app, "zoe"), by: late) == .appUnknown)
        #expect(try await world.refused(InviteToTeam(world.app, "accomplice"), by: late) == .appUnknown)
        // The team's last developer cannot leave the app to an admin who has not accepted the invitation.
        #expect(try await world.refused(RemoveFromTeam(world.app, "ana"), by: ana) == .parameterInvalid)
        try await world.order(AddToTeam(world.app, "zoe"))
        let left = try await world.order(RemoveFromTeam(world.app, "ana"), by: ana)
        #expect(names(left) == [], "whoever has left is told of nobody")
        #expect(try await world.refused(RemoveFromTeam(world.app, "ana")) == .notFound)
        try await world.order(RemoveFromTeam(world.app, "zoe"))
        #expect(try await world.world.store.team(of: world.app).map(\.admin.name) == [invited], "an operator may")
        await world.end()
    }

    @Test(
        "nobody invites without end: no crowd in an app that no operator allowed, no more than its seats and its month")
    func limits() async throws {
        let (world, ana) = try await world()
        // Each of a crowd makes apps and would invite the next.
        let made = try await world.order(CreateApp(Apps.Registration(name: "own")), by: ana)
        let own = try #require(made["id"]?.stringValue.flatMap { AppID(rawValue: $0) })
        let anaNow = developer("ana", [world.app, own])
        #expect(try await world.refused(InviteToTeam(own, "ben"), by: anaNow) == .appNotAllowed)
        try await world.order(SuspendApp(world.app))
        #expect(try await world.refused(InviteToTeam(world.app, "ben"), by: ana) == .appNotAllowed)
        try await world.order(ResumeApp(world.app))
        var invited: [String] = []
        for number in 1..<InviteToTeam.seats {
            let answer = try await world.order(InviteToTeam(world.app, "ben-\(number)"), by: ana)
            invited.append(answer["name"]?.stringValue ?? "")
        }
        #expect(try await world.refused(InviteToTeam(world.app, "ben"), by: ana) == .tooManyRequests, "no seat")
        // Taking people off makes room, and the month's number goes on.
        try await world.order(RemoveFromTeam(world.app, invited[0]), by: ana)
        try await world.order(InviteToTeam(world.app, "last"), by: ana)
        try await world.order(RemoveFromTeam(world.app, invited[1]), by: ana)
        #expect(try await world.refused(InviteToTeam(world.app, "more"), by: ana) == .tooManyRequests, "no invitation")
        world.clock.advance(by: .seconds(31 * 86400))
        #expect(try await world.refused(InviteToTeam(world.app, "more"), by: ana) == nil)
        await world.end()
    }

    /// A team page without the rules: a developer of one app decides about any admin and any app.
    private func naive(_ world: AdministrationWorld, invite name: String, to app: AppID) async throws {
        try await world.order(GrantAdmin(name, .developer, apps: [app], console: true))
    }

    @Test("an accomplice grows no crowd and reaches no other app; by a naive team page they do")
    func crowd() async throws {
        let (world, ana) = try await world()
        let other = try await newApp(world)
        // Two steps of a crowd: who is invited makes an app and invites the next there.
        let first = try #require(try await world.order(InviteToTeam(world.app, "one"), by: ana)["name"]?.stringValue)
        let one = developer(first, [world.app])
        let made = try await world.order(CreateApp(Apps.Registration(name: "mine")), by: one)
        let mine = try #require(made["id"]?.stringValue.flatMap { AppID(rawValue: $0) })
        let oneNow = developer(first, [world.app, mine])
        #expect(try await world.refused(InviteToTeam(mine, "two"), by: oneNow) == .appNotAllowed)
        #expect(try await world.refused(InviteToTeam(other, "two"), by: oneNow) == .orderNotPermitted)
        #expect(try await world.refused(AddToTeam(other, first), by: oneNow) == .orderNotPermitted)
        try await naive(world, invite: "two", to: mine)
        try await naive(world, invite: "three", to: other)
        #expect(try await world.world.store.team(of: other).map(\.admin.name) == ["three"])
        await world.end()
    }
}

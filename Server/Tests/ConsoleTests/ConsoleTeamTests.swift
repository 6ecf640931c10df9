import Administration
import Authority
import BenjiProtocol
import Foundation
import HTTPTypes
import ServerTestKit
import Store
import Testing

@Suite("An app's team in the console")
struct ConsoleTeamTests {
    /// The values that a page shows after a word, marked to be copied.
    private func values(_ page: String) -> [String] {
        page.components(separatedBy: #"<code class="value">"#).dropFirst().map { String($0.prefix { $0 != "<" }) }
    }

    @Test("a developer invites a colleague, who signs in and sees this app alone, and takes them off again")
    func invite() async throws {
        let world = try await ConsoleWorld()
        var ana = try await world.browser(of: "ana", .developer, apps: [world.app])
        let team = "/console/apps/\(world.app)/team"
        let page = try await ana.get(team)
        #expect(page.status == .ok && page.body.contains("(you)") && page.body.contains("can sign in"))
        #expect(page.body.contains("Your other apps have nobody"))
        let shown = try await ana.post("\(team)/invite", ["name": "ben"])
        #expect(shown.status == .ok && shown.headers[.cacheControl] == "no-store")
        let told = values(shown.body)
        try #require(told.count == 3)
        #expect(told[0] == "https://\(ConsoleWorld.host)/console/invitation" && told[2].hasPrefix("ben-"))
        let again = try await ana.get(team).body
        #expect(again.contains(told[2]) && again.contains("not accepted") && !again.contains(told[1]), "shown once")
        var ben = ConsoleBrowser(world)
        #expect(try await ben.accept(told[1]).status == .seeOther)
        #expect(try await ben.get(team).status == .ok)
        let list = try await ben.get("/console").body
        #expect(list.contains("/console/apps/\(world.app)") && !list.contains("Zebra Market"))
        #expect(try await ben.get("/console/apps/\(world.other)/team").status == .forbidden)
        #expect(try await ben.get("/console/people").status == .forbidden)
        let off = try await ana.post("\(team)/remove", ["person": told[2]])
        #expect(off.headers[.location] == "\(team)?done=1")
        #expect(try await ben.get(team).status == .forbidden, "at once")
        #expect(try await ben.get("/console").status == .ok, "their account stays")
        // The last member cannot leave.
        _ = try await ana.get(team)
        let stays = try await ana.post("\(team)/remove", ["person": "ana"])
        #expect(stays.status == .badRequest && stays.body.contains("an operator can take the last one off"))
        await world.end()
    }

    @Test(
        """
        an operator adds any developer to an app, a developer those of their other apps, and whoever leaves is sent to \
        their apps
        """
    )
    func add() async throws {
        let world = try await ConsoleWorld()
        var ops = try await world.browser(of: "ops-1", .operator)
        var bea = try await world.browser(of: "bea", .developer, apps: [world.app, world.other])
        _ = try await world.browser(of: "zoe", .developer, apps: [world.other])
        _ = try await world.invite("dan", .developer)
        let team = "/console/apps/\(world.app)/team"
        let page = try await bea.get(team).body
        #expect(page.contains("<option>zoe</option>") && !page.contains(">dan<"))
        #expect(try await bea.post("\(team)/add", ["person": "dan"]).status == .notFound)
        #expect(try await bea.post("\(team)/add", ["person": "zoe"]).headers[.location] == "\(team)?done=1")
        _ = try await ops.get(team)
        #expect(try await ops.post("\(team)/add", ["person": "dan"]).headers[.location] == "\(team)?done=1")
        #expect(try await ops.post("\(team)/add", ["person": "ops-1"]).status == .notFound, "operators are in no team")
        #expect(try await bea.post("\(team)/remove", ["person": "bea"]).headers[.location] == "/console?done=1")
        #expect(try await world.store.team(of: world.app).map(\.admin.name) == ["dan", "zoe"])
        #expect(try await world.store.admin(named: "bea")?.apps == [world.other])
        await world.end()
    }

    @Test("what is typed as a name is text, an app that waits invites nobody, and a reader sees no button")
    func edges() async throws {
        let world = try await ConsoleWorld()
        var ben = try await world.browser(of: "ben", .developer)
        _ = try await ben.get("/console")
        _ = try await ben.post("/console/apps", ["name": "Waits"])
        let waiting = try #require(try await world.store.apps().first { $0.name == "Waits" }).id
        let page = try await ben.get("/console/apps/\(waiting)/team").body
        #expect(page.contains("once an operator has allowed the app") && !page.contains("team/invite"))
        #expect(try await ben.post("/console/apps/\(waiting)/team/invite", ["name": "eve"]).status != .ok)
        #expect(try await world.store.team(of: waiting).map(\.admin.name) == ["ben"])
        try await world.order(AllowApp(waiting))
        let script = #""><script>alert(1)</script>"#
        for action in ["invite", "add", "remove", "erase"] {
            let answer = try await ben.post(
                "/console/apps/\(waiting)/team/\(action)", ["name": script, "person": script])
            #expect(answer.status != .ok && !answer.body.contains("<script>alert"), "\(action)")
        }
        var auditor = try await world.browser(of: "auditor", .auditor)
        let read = try await auditor.get("/console/apps/\(waiting)/team")
        #expect(read.status == .ok && read.body.contains("ben") && !read.body.contains("team/remove"))
        await world.end()
    }

    @Test("by carrier, those with most requests come first, and what nobody recognised last, however much it is")
    func carriers() async throws {
        let world = try await ConsoleWorld()
        let hour = LoginCount.hour(of: world.clock.now)
        let asked: [(Carrier?, Situation, Int)] = [
            (nil, .addressUnknown, 30), (.telecom, .success, 4), (.mobile, .success, 4), (.unicom, .success, 9),
        ]
        try await world.store.addLoginCounts(
            asked.map { carrier, situation, count in
                LoginCount(
                    app: world.app, hour: hour, carrier: carrier, party: .authority, step: "prefetch",
                    situation: situation, count: count)
            })
        var ops = try await world.browser(of: "ops-1", .operator)
        let page = try await ops.get("/console/apps/\(world.app)/logins").body
        let table = page.components(separatedBy: #"id="carriers""#).last ?? ""
        let places = ["China Unicom", "China Mobile", "China Telecom", "not recognised"].map {
            table.range(of: $0)?.lowerBound
        }
        #expect(!places.contains(nil) && places.compactMap(\.self) == places.compactMap(\.self).sorted())
        await world.end()
    }

    @Test(
        """
        the charts of all apps are an operator's, support's and an auditor's, and no developer sees which apps there are
        """
    )
    func allLogins() async throws {
        let world = try await ConsoleWorld()
        let hour = LoginCount.hour(of: world.clock.now)
        try await world.store.addLoginCounts([
            LoginCount(
                app: world.other, hour: hour, carrier: .unicom, party: .authority, step: "prefetch",
                situation: .success, count: 40),
            LoginCount(
                app: world.other, hour: hour, carrier: .unicom, party: .authority, step: "authorize",
                situation: .success, count: 10),
            LoginCount(
                app: world.other, hour: hour, carrier: .unicom, party: .appServer, step: "loginTokenValidate",
                situation: .success, count: 5),
        ])
        var ops = try await world.browser(of: "ops-1", .operator)
        for span in ["", "?span=24h", "?span=30d", "?span=365d", "?span=x"] {
            let page = try await ops.get("/console/logins/all\(span)")
            #expect(page.status == .ok && page.body.contains("Zebra Market"), "\(span)")
            #expect(page.body.contains("/console/apps/\(world.other)/logins?span="), "\(span)")
            // Each stage beside the first: 40, 40, 10 and 5.
            for figure in ["100 %", "25 %", "13 %"] { #expect(page.body.contains(figure), "\(span) \(figure)") }
        }
        #expect(try await ops.get("/console/logins").body.contains("/console/logins/all"))
        var dev = try await world.browser(of: "dev", .developer, apps: [world.app])
        let refused = try await dev.get("/console/logins/all")
        #expect(refused.status == .forbidden && !refused.body.contains("Zebra"))
        #expect(try await !dev.get("/console/logins?app=\(world.app)").body.contains("/console/logins/all"))
        await world.end()
    }
}

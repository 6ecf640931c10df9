import Administration
import Authority
import BenjiProtocol
import Console
import HTTPTypes
import ServerTestKit
import Store
import Testing

@testable import ServerHTTP

@Suite("Other people's apps in the console")
struct ConsoleTenantTests {
    /// A developer and an app of theirs with all that an app can have.
    private struct Tenant {
        var name: String
        var app: AppID
        /// Submissions that wait.
        var pages: (Int64, Int64)
        /// A login's.
        var trace: TraceID
        /// The texts that only users who may see the app can read.
        var secrets: [String]

        var colleague: String { "\(name)-colleague" }

        /// Whatever can be sent about it, also with the name of another app.
        func forms(_ other: Tenant) -> [ConsoleForm] {
            var forms: [ConsoleForm] = []
            for person in [colleague, other.name] {
                let all = ConsoleForms(app: app, pages: pages, person: person).all
                forms += all.filter { $0.route.contains("{id}") || $0.route.contains("{number}") }
            }
            for form in forms where form.route.contains("{number}") {
                for named in [other.app.rawValue, ""] {
                    forms.append(form)
                    forms[forms.count - 1].fields["app"] = named
                }
            }
            return forms
        }

        /// Pages by the number of something of the app's.
        /// - Parameter app: the one that the address names.
        func numbered(naming app: AppID?) -> [String] {
            let query = app.map { "?app=\($0)" } ?? ""
            let also = app.map { "&app=\($0)" } ?? ""
            return ["/console/pages/\(pages.0)\(query)", "/console/drawn/\(pages.0)\(query)"]
                + ["/console/logins?trace=\(trace)\(also)"]
        }

        /// Pages by the app's id.
        func addresses(_ world: ConsoleWorld) -> [String] {
            let routes = world.routes.filter { $0.method == .get && $0.path.contains("{id}") }
            return routes.map {
                $0.path.replacing("{id}", with: app.rawValue).replacing("{trace}", with: trace.rawValue)
            } + ["audit", "pages", "logins"].map { "/console/\($0)?app=\(app)" }
        }
    }

    private func tenant(_ name: String, _ app: AppID, _ host: String, _ world: ConsoleWorld) async throws -> Tenant {
        try await world.order(SetCallback(app, url: "https://\(host)/events"))
        var client = OpenIDClientChanges()
        client.redirectURIs = ListChange(["https://\(host)/callback"])
        client.page = StartPage.fullScreen.text(agreement: "https://\(host)/a", privacy: "https://\(host)/p")
        try await world.order(ChangeOpenIDClient(app, client))
        let pages = try await (world.submitPage(of: app, "a.\(host)"), world.submitPage(of: app, "b.\(host)"))
        let trace = TraceID(random: SystemRandomSource())
        try await world.store.appendTraceEvents([
            TraceEvent(
                trace: trace, at: world.clock.now, party: .authority, step: "prefetch", situation: .success,
                detail: host, login: TraceEvent.Login(app: app, subscription: 1, epoch: 1))
        ])
        let record = try #require(try await world.store.app(app))
        let tenant = Tenant(
            name: name, app: app, pages: pages, trace: trace, secrets: [record.name, host, "\(name)-colleague"])
        _ = try await world.browser(of: tenant.colleague, .developer, apps: [app])
        return tenant
    }

    /// Returns the tables that changed, except the audit log. Refused orders change none.
    private func changes(_ world: ConsoleWorld, since before: [String: [String]]) async throws -> [String] {
        try await world.tables(changedSince: before).filter { $0 != "audit" }
    }

    @Test(
        """
        with another developer's ids and numbers no page answers or changes anything, on every route and in both \
        directions
        """
    )
    func tenants() async throws {
        let world = try await ConsoleWorld(offersOneTap: true)
        let ben = try await tenant("ben", world.app, "shop.example", world)
        let cat = try await tenant("cat", world.other, "zebra.example", world)
        for (mine, theirs) in [(ben, cat), (cat, ben)] {
            var browser = try await world.browser(of: mine.name, .developer, apps: [mine.app])
            let list = try await browser.get("/console").body
            #expect(!theirs.secrets.contains { list.contains($0) })
            let before = try await world.contents()
            func judge(_ answer: Exchange, _ place: String, isThere: Bool = true) {
                #expect(answer.status == .forbidden || (!isThere && answer.status == .badRequest), "\(place)")
                #expect(!theirs.secrets.contains { answer.body.contains($0) }, "\(place)")
            }
            let forms = theirs.forms(mine)
            #expect(forms.count > 50)
            for form in forms {
                let isNumbered = form.route.contains("{number}")
                judge(try await browser.send(form), "\(form.path) \(form.fields)", isThere: !isNumbered)
                #expect(try await changes(world, since: before) == [], "\(form.path) \(form.fields)")
            }
            for path in theirs.addresses(world) + theirs.numbered(naming: theirs.app) {
                judge(try await browser.get(path), path)
            }
            // With an app of one's own it is as if there were none.
            for app in [mine.app, nil] {
                for path in theirs.numbered(naming: app) {
                    judge(try await browser.get(path), path, isThere: false)
                }
                let unknown = TraceID(random: SystemRandomSource())
                for path in theirs.numbered(naming: app) + ["/console/apps/\(mine.app)/logins/\(theirs.trace)"] {
                    let answer = try await browser.get(path)
                    func renamed(_ text: String) -> String {
                        var text = text.replacing(theirs.trace.rawValue, with: unknown.rawValue)
                        for word in ["/pages/", "/drawn/", "the number "] {
                            text = text.replacing("\(word)\(theirs.pages.0)", with: "\(word)987654")
                        }
                        return text
                    }
                    let absent = try await browser.get(renamed(path))
                    #expect(answer.status == absent.status && renamed(answer.body) == absent.body, "\(path)")
                }
            }
            #expect(try await changes(world, since: before) == [])
            // The same addresses are there for their own app, and the same form takes their own page back.
            for path in mine.addresses(world) where !path.hasSuffix("benji-page.wasm") {
                #expect(try await browser.get(path).status == .ok, "\(path)")
            }
            for path in mine.numbered(naming: mine.app) + mine.numbered(naming: nil) {
                let answer = try await browser.get(path)
                #expect(answer.status == .ok || answer.headers[.location]?.hasSuffix(mine.trace.rawValue) == true)
            }
            let taken = try await browser.post("/console/pages/\(mine.pages.1)/withdraw", ["app": "\(mine.app)"])
            #expect(taken.status == .seeOther)
            #expect(try await changes(world, since: before) == ["page_submission"])
        }
        await world.end()
    }

    @Test("no role does more in the console than its orders give, on every route")
    func roles() async throws {
        let world = try await ConsoleWorld(offersOneTap: true)
        let tenant = try await tenant("ben", world.app, "shop.example", world)
        let forms = ConsoleForms(app: world.app, pages: tenant.pages, person: tenant.colleague).all
        for role in Role.allCases where role != .operator {
            var browser = try await world.browser(
                of: role.rawValue, role, apps: role == .developer ? [world.app] : [])
            _ = try await browser.get("/console")
            let before = try await world.contents()
            let beyond = forms.filter { form in form.order.map { !$0.roles.contains(role) } ?? false }
            #expect(beyond.count > 10)
            for form in beyond {
                #expect(try await browser.send(form).status == .forbidden, "\(role) \(form.path)")
                #expect(try await changes(world, since: before) == [], "\(role) \(form.path)")
            }
            #expect(try await browser.get("/console/people").status == (role == .auditor ? .ok : .forbidden))
        }
        await world.end()
    }
}

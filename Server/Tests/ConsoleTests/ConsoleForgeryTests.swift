import Administration
import BenjiProtocol
import Console
import HTTPTypes
import Hummingbird
import ServerHTTP
import ServerTestKit
import Store
import Testing

@Suite("Forms that pages of other sites have a browser send to the console")
struct ConsoleForgeryTests {
    private static let own = "https://\(ConsoleWorld.host)"

    /// The headers that browsers send from a page of another site. Old browsers send few of them.
    private static let foreign: [(origin: String?, site: String?)] = [
        ("https://evil.example", "cross-site"), ("https://evil.example", nil), ("null", nil), (nil, nil),
        ("null", "cross-site"), (own, "cross-site"), (own, "same-site"), (own, "none"),
        ("http://\(ConsoleWorld.host)", nil),
    ]

    /// An operator with a phone bound, and what there is to press for each route.
    private static func victim(_ world: ConsoleWorld) async throws -> (browser: ConsoleBrowser, forms: ConsoleForms) {
        try await world.world.change { app in app.keys.removeAll { $0.use == .server } }
        let pages = try await (world.submitPage(of: world.app, "a"), world.submitPage(of: world.app, "b"))
        try await world.administration.notePolicy(
            by: Caller(name: "root", role: .operator, origin: "command line"), from: "here")
        var cat = try await world.browser(of: "cat", .developer, apps: [world.other])
        try #require(try await cat.bind("cat's").status == .ok)
        var ana = try await world.browser(of: "ana", .operator)
        try #require(try await ana.bind("ana's").status == .ok)
        _ = try await ana.get("/console")
        return (ana, ConsoleForms(app: world.app, pages: pages, person: "cat"))
    }

    /// Sends one form in each way open to another site. Returns the answers without a refusal, and the changed tables.
    private func forge(
        _ form: ConsoleForm, by victim: ConsoleBrowser, tokens: [String?]
    ) async throws -> [String] {
        let before = try await victim.world.contents()
        var faults: [String] = []
        func judge(_ answer: Exchange, _ way: String, saying words: String) {
            guard answer.status != .forbidden || !answer.body.contains(words) else { return }
            faults.append("\(form.path), \(way): \(answer.status)")
        }
        for (origin, site) in Self.foreign {
            var browser = victim
            judge(
                try await browser.send(form, origin: origin, site: site), "\(origin ?? "-") \(site ?? "-")",
                saying: "a page of another site")
        }
        for token in form.json == nil ? tokens : [] {
            var browser = victim
            browser.token = token
            judge(try await browser.send(form), "token \(token ?? "-")", saying: "this form is from another session")
        }
        // A link or an image can hold the fields too.
        var browser = victim
        let fields = form.fields.merging(["form": victim.token ?? ""]) { $1 }
        _ = try await browser.get("\(form.path)?\(ConsoleBrowser.encode(fields))")
        faults += try await victim.world.tables(changedSince: before).map { "\(form.path) changed \($0)" }
        return faults
    }

    @Test(
        """
        without the token of the session, with another's, or from another site no form changes anything, on any route; \
        the console's own does
        """
    )
    func everyRoute() async throws {
        let world = try await ConsoleWorld(offersOneTap: true)
        let (victim, forms) = try await Self.victim(world)
        var ana = victim
        let all = forms.all
        #expect(
            Set(all.map(\.route) + ConsoleForms.strangers)
                == Set(world.routes.filter { $0.method != .get }.map(\.path)),
            "each route has its forms in ConsoleForms, and the other way round")
        #expect(world.routes.allSatisfy { [.get, .post].contains($0.method) })
        var others = try await world.browser(of: "ben", .operator)
        _ = try await others.get("/console")
        let tokens = [nil, "", others.token]
        #expect(others.token != ana.token)
        for form in all {
            #expect(try await forge(form, by: ana, tokens: tokens) == [])
            let before = try await world.contents()
            let done = try await ana.send(form)
            // The order for another master key is admitted. This process has none, and records that in the audit log.
            let isDone = [.ok, .seeOther, .noContent].contains(done.status)
            #expect(isDone == (form.order != RotateMasterKey.self), "\(form.path): \(done.body)")
            #expect(try await world.tables(changedSince: before).isEmpty == !form.changes, "\(form.path)")
        }
        await world.end()
    }

    @Test("a route that asks for the session alone is found: by every forged form an app is suspended")
    func naive() async throws {
        var world = try await ConsoleWorld(offersOneTap: true)
        let (administration, app) = (world.administration, world.app)
        world.routes.append(
            EndpointRoute(.post, "/console/naive") { request, _ in
                let session = request.cookie("__Host-benji-console") ?? ""
                guard let caller = try await administration.caller(session: session, from: "10.0.0.7") else {
                    return Response(status: .forbidden)
                }
                _ = try await administration.perform(SuspendApp(app), by: caller)
                return Response(status: .ok)
            })
        let ana = try await world.browser(of: "ana", .operator)
        let form = ConsoleForm(route: "/console/naive", path: "/console/naive", order: SuspendApp.self)
        let faults = try await forge(form, by: ana, tokens: [nil])
        #expect(faults.count > Self.foreign.count)
        #expect(faults.contains("/console/naive changed app"))
        await world.end()
    }

    @Test("a page is handed in as JSON by the console's own page alone, whatever else a browser can send")
    func designer() async throws {
        let world = try await ConsoleWorld()
        var ben = try await world.browser(of: "ben", .developer, apps: [world.app])
        let forms = ConsoleForms(app: world.app, pages: (1, 2), person: "cat").all
        let form = try #require(forms.first { $0.json != nil })
        let before = try await world.contents()
        // Content types that a browser sends from another site's page without a preflight.
        let simple: [String?] = [
            nil, "text/plain", "text/plain; charset=UTF-8", "text/plain; application/json",
            "text/plain, application/json", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x",
        ]
        let ways = Self.foreign + [("null", "same-origin"), (Self.own, "same-origin"), (Self.own, nil)]
        for type in simple {
            for (origin, site) in ways {
                let answer = try await ben.send(form, origin: origin, site: site, type: type)
                let isForeign = Self.foreign.contains { $0 == (origin, site) }
                #expect(answer.status == (isForeign ? .forbidden : .badRequest), "\(type ?? "-") \(origin ?? "-")")
            }
        }
        for (origin, site) in Self.foreign {
            #expect(try await ben.send(form, origin: origin, site: site).status == .forbidden)
        }
        // JSON needs a preflight, and no origin is allowed.
        let asked = try await Exchange.send(
            world.router, .options, form.path,
            headers: [
                .origin: "https://evil.example", .accessControlRequestMethod: "POST",
                HTTPField.Name("Access-Control-Request-Headers")!: "content-type",
            ], authority: ConsoleWorld.host)
        #expect(asked.status != .ok && asked.status != .noContent)
        #expect(!asked.headers.contains { $0.name.canonicalName.hasPrefix("access-control-") })
        #expect(try await world.tables(changedSince: before) == [])
        #expect(try await ben.send(form, origin: Self.own, site: nil).status == .noContent)
        #expect(try await world.tables(changedSince: before).contains("page_submission"))
        await world.end()
    }

    @Test("from another site nobody is signed in, and no invitation is taken; the console's own form does both")
    func strangers() async throws {
        let world = try await ConsoleWorld(offersOneTap: true)
        var ana = try await world.browser(of: "ana", .operator)
        try #require(try await ana.bind("ana's").status == .ok)
        var bob = try await world.browser(of: "bob", .operator)
        try #require(try await bob.bind("bob's").status == .ok)
        world.clock.advance(by: .seconds(30))
        let invitation = try await world.invite("eve", .developer)
        var (eve, pending, fresh) = (ConsoleBrowser(world), ConsoleBrowser(world), ConsoleBrowser(world))
        let page = try await eve.post("/console/invitation", ["invitation": invitation])
        let salt = try #require(ConsoleBrowser.value(of: "salt", in: page.body))
        eve.codes = world.administration.oneTimePassword(of: "eve", salt: try #require(Base64URL.decode(salt)))
        (pending.codes, fresh.codes) = (ana.codes, bob.codes)
        try #require(try await pending.beginSignIn("ana").status == .ok)
        let account = ["invitation": invitation, "salt": salt, "password": ConsoleWorld.password, "code": eve.code]
        let signIn = ["name": "bob", "password": ConsoleWorld.password]
        for (path, fields, browser, status) in [
            ("invitation", ["invitation": invitation], eve, .ok), ("account", account, eve, .seeOther),
            ("second", ["code": pending.code], pending, .seeOther), ("sign-in", signIn, fresh, .ok),
            ("sign-in", signIn.merging(["code": fresh.code]) { $1 }, fresh, .seeOther),
        ] as [(String, [String: String], ConsoleBrowser, HTTPResponse.Status)] {
            let form = ConsoleForm(route: "/console/\(path)", path: "/console/\(path)", order: nil, fields: fields)
            #expect(ConsoleForms.strangers.contains(form.route))
            #expect(try await forge(form, by: browser, tokens: []) == [])
            var own = browser
            let before = try await world.contents()
            let done = try await own.send(form)
            #expect(done.status == status, "\(path): \(done.body)")
            #expect(try await world.tables(changedSince: before).isEmpty == (path == "invitation"), "\(path)")
        }
        await world.end()
    }
}

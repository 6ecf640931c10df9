import Administration
import Authority
import BenjiProtocol
import Console
import Endpoints
import Foundation
import HTTPTypes
import ServerTestKit
import Store
import Testing

@Suite("What can be set in the console")
struct ConsoleSettingsTests {
    /// The names of the fields that a page lets somebody change.
    private func fields(_ page: String) -> Set<String> {
        Set(page.matches(of: /name="was\.([A-Za-z0-9]+)"/).map { String($0.output.1) })
    }

    @Test("an operator has a field for each setting of an app, and a developer for those that are theirs to decide")
    func complete() async throws {
        let world = try await ConsoleWorld()
        var ana = try await world.browser(of: "ana", .operator)
        let page = try await ana.get("/console/apps/\(world.app)/settings")
        #expect(fields(page.body) == Set(AppSetting.all.map(\.name)))
        var ben = try await world.browser(of: "ben", .developer, apps: [world.app])
        let own = fields(try await ben.get("/console/apps/\(world.app)/settings").body)
        #expect(own.isSuperset(of: ["bundles", "serverAddresses", "sign", "rsaPublicKey", "scripLifetime"]))
        #expect(own.isDisjoint(with: ["name", "owner", "dailyQuota", "capabilities", "workflow", "leastAssurance"]))
        await world.end()
    }

    @Test("what a form changes is changed, what it does not is not, and a value that is emptied is taken away")
    func change() async throws {
        let world = try await ConsoleWorld()
        var ana = try await world.browser(of: "ana", .operator)
        let path = "/console/apps/\(world.app)/settings"
        _ = try await ana.get(path)
        let before = try #require(try await world.store.app(world.app))
        let done = try await ana.post(
            path,
            [
                "was.name": before.name, "name": "Renamed", "was.owner": "", "owner": "Shop Ltd",
                "was.bundles": before.bundleIDs.joined(separator: "\r\n"), "bundles": "com.example.a\r\ncom.example.b",
                "was.dailyQuota": "", "dailyQuota": "5000", "was.leastAssurance": "net", "leastAssurance": "net+app",
                "was.requiresPageReview": "", "requiresPageReview": "true", "was.sign": "md5", "sign": "md5",
                "reason": "asked for by mail",
            ])
        #expect(done.headers[.location] == "\(path)?done=1", "\(done.body.suffix(900))")
        var after = try #require(try await world.store.app(world.app))
        #expect(after.name == "Renamed" && after.owner == "Shop Ltd" && after.dailyQuota == 5000)
        #expect(after.bundleIDs == ["com.example.a", "com.example.b"] && after.requiresPageReview)
        #expect(after.leastAssurance == .netApp && after.serverAddresses == before.serverAddresses)
        let cleared = try await ana.post(
            path,
            ["was.dailyQuota": "5000", "dailyQuota": "", "was.owner": "Shop Ltd", "was.requiresPageReview": "true"])
        #expect(cleared.status == .seeOther)
        after = try #require(try await world.store.app(world.app))
        #expect(after.dailyQuota == nil && after.owner == nil && !after.requiresPageReview && after.name == "Renamed")
        let line = try await world.store.auditEntries(AuditFilter(order: "app.set"), before: nil, limit: 9)
        #expect(line.last?.reason == "asked for by mail" && line.count == 2)
        await world.end()
    }

    @Test("a form that was open while somebody else changed a list keeps what they changed")
    func stale() async throws {
        let world = try await ConsoleWorld()
        var ana = try await world.browser(of: "ana", .operator)
        let path = "/console/apps/\(world.app)/settings"
        _ = try await ana.get(path)
        let was = try #require(try await world.store.app(world.app)).serverAddresses
        var others = AppChanges()
        others[list: .serverAddresses] = ListChange(adding: ["203.0.113.77"])
        try await world.order(ChangeApp(world.app, others))
        let typed = was + ["203.0.113.78"]
        let done = try await ana.post(
            path,
            ["was.serverAddresses": was.joined(separator: "\n"), "serverAddresses": typed.joined(separator: "\n")])
        #expect(done.status == .seeOther)
        #expect(try await world.store.app(world.app)?.serverAddresses == was + ["203.0.113.77", "203.0.113.78"])
        await world.end()
    }

    @Test("a refused form keeps what was typed, as text, and a developer's extra field is refused by the order")
    func refused() async throws {
        let world = try await ConsoleWorld()
        var ben = try await world.browser(of: "ben", .developer, apps: [world.app])
        let path = "/console/apps/\(world.app)/settings"
        _ = try await ben.get(path)
        let script = "<script>alert(1)</script>"
        let bad = try await ben.post(
            path, ["group": "groupServer", "was.serverAddresses": "", "serverAddresses": "\(script)\n203.0.113.9"])
        #expect(bad.status == .badRequest && !bad.body.contains(script) && bad.body.contains("203.0.113.9"))
        for (name, value) in [
            ("owner", "Other Ltd"), ("dailyQuota", "9"), ("workflow", "one-tap-then-sms"), ("name", "Other"),
            ("phonesWithoutKey", "true"), ("numberWithoutPage", "true"), ("scripLifetime", "999999"),
        ] {
            let before = try await world.store.app(world.app)
            let answer = try await ben.post(path, ["was.\(name)": "", name: value])
            #expect(answer.status != .seeOther || name == "scripLifetime", "\(name)")
            if name != "scripLifetime" { #expect(try await world.store.app(world.app) == before, "\(name)") }
        }
        for (name, value) in [("dailyQuota", "many"), ("dailyQuota", "0"), ("tokenLifetime", "1e3")] {
            var ana = try await world.browser(of: "ana-\(value)", .operator)
            _ = try await ana.get(path)
            #expect(try await ana.post(path, ["was.\(name)": "", name: value]).status == .badRequest, "\(value)")
        }
        await world.end()
    }

    @Test(
        """
        an operator makes an app a client with the app's own terms, whose secret is shown once; its developer moves \
        the redirect URI
        """
    )
    func webLogin() async throws {
        let world = try await ConsoleWorld()
        var ana = try await world.browser(of: "ana", .operator)
        let path = "/console/apps/\(world.app)/login"
        #expect(try await ana.get(path).body.contains("agreement"))
        var form = [
            "was.redirectURIs": "", "redirectURIs": "https://shop.example/callback",
            "agreement": #"https://shop.example/a?"b""#, "privacy": "javascript:alert(1)",
        ]
        #expect(try await ana.post(path, form).status == .badRequest, "terms are at https addresses")
        form["privacy"] = "https://shop.example/privacy"
        form["agreement"] = "https://shop.example/agreement"
        let made = try await ana.post(path, form)
        #expect(made.status == .ok && made.body.contains("client_id"), "\(made.body.suffix(1500))")
        let client = try #require(try await world.store.openIDClient(world.app))
        #expect(client.page.contains("https://shop.example/privacy"))
        #expect(client.redirectURIs == ["https://shop.example/callback"] && client.secrets.count == 1)
        var ben = try await world.browser(of: "ben", .developer, apps: [world.app])
        let page = try await ben.get(path)
        #expect(fields(page.body).contains("redirectURIs") && !fields(page.body).contains("color"))
        let moved = try await ben.post(
            path, ["was.redirectURIs": "https://shop.example/callback", "redirectURIs": "https://shop.example/new"])
        #expect(moved.status == .seeOther)
        #expect(try await world.store.openIDClient(world.app)?.redirectURIs == ["https://shop.example/new"])
        #expect(try await ben.post(path, ["was.color": "", "color": "#ff0000"]).status == .forbidden)
        let svg = Data("<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>".utf8).base64EncodedString()
        let logo = try await ben.post(path, ["was.logo": "", "logo": svg])
        #expect(logo.status == .badRequest && logo.body.contains("logo:"), "a picture that is a program is none")
        let rotated = try await ben.post("\(path)/rotate-secret", ["overlap": "7"])
        #expect(rotated.status == .ok && rotated.body.contains("class=\"card once\""))
        #expect(try await ana.post("\(path)/remove").status == .seeOther)
        #expect(try await world.store.openIDClient(world.app) == nil)
        await world.end()
    }

    @Test("a callback is set, tried and replayed by buttons, and its secret is shown once")
    func callback() async throws {
        let world = try await ConsoleWorld()
        var ben = try await world.browser(of: "ben", .developer, apps: [world.app])
        let path = "/console/apps/\(world.app)/callback"
        #expect(try await ben.get(path).status == .ok)
        let set = try await ben.post("\(path)/set", ["url": "https://shop.example/events", "events": "login.released"])
        #expect(set.status == .ok && set.body.contains("card once"), "\(set.body.suffix(900))")
        #expect(try await world.store.app(world.app)?.callback?.events == [.loginReleased])
        #expect(!(try await ben.get(path).body.contains("card once")))
        #expect(try await ben.post("\(path)/test").headers[.location] == "\(path)?done=1")
        let tried = try await ben.get(path)
        #expect(tried.body.contains("callback.test") && tried.body.contains("waiting"))
        for url in ["http://shop.example/", "javascript:alert(1)", "https://10.0.0.1/"] {
            let bad = try await ben.post("\(path)/set", ["url": url, "events": "login.released"])
            #expect(bad.status == .badRequest, "\(url)")
        }
        #expect(try await ben.post("\(path)/remove").status == .seeOther)
        #expect(try await world.store.app(world.app)?.callback == nil)
        await world.end()
    }

    @Test("an operator lets people in by an invitation that is shown once, and ends it")
    func people() async throws {
        let world = try await ConsoleWorld()
        var ana = try await world.browser(of: "ana", .operator)
        _ = try await ana.get("/console/people")
        let invited = try await ana.post(
            "/console/people", ["name": "dora", "role": "developer", "apps": "\(world.app)"])
        let found = try #require(invited.body.firstMatch(of: /class="value">([A-Za-z0-9_-]{43})</))
        var dora = ConsoleBrowser(world)
        #expect(try await dora.accept(String(found.output.1)).status == .seeOther)
        #expect(try await dora.get("/console/people").status == .forbidden)
        let list = try await ana.get("/console/people")
        #expect(list.body.contains("dora") && !list.body.contains(String(found.output.1)))
        #expect(try await ana.post("/console/people/dora/revoke").status == .seeOther)
        #expect(try await dora.get("/console").headers[.location] == "/console/sign-in")
        let bad = try await ana.post("/console/people", ["name": "<b>eve</b>", "role": "operator"])
        #expect(bad.status == .badRequest && !bad.body.contains("<b>eve"))
        await world.end()
    }

    @Test("a submitted page is looked at, approved and withdrawn by an operator, and by nobody else")
    func pages() async throws {
        let world = try await ConsoleWorld()
        let submitted = try await world.order(
            SubmitPage(world.app, StartPage.fullScreen.text, note: "<i>our first</i>"))
        let number = try #require(submitted["id"]?.integerValue)
        var ben = try await world.browser(of: "ben", .developer, apps: [world.app])
        #expect(try await ben.get("/console/pages").body.contains("/console/pages/\(number)"))
        #expect(try await ben.get("/console/pages/\(number)").body.contains("&lt;i&gt;our first"))
        #expect(try await ben.post("/console/pages/\(number)/approve").status == .forbidden)
        var cat = try await world.browser(of: "cat", .developer, apps: [world.other])
        #expect(try await !cat.get("/console/pages").body.contains("/console/pages/\(number)"))
        #expect(try await cat.get("/console/pages/\(number)").status != .ok)
        #expect(try await cat.get("/console/pages/\(number)?app=\(world.app)").status == .forbidden)
        var ana = try await world.browser(of: "ana", .operator)
        #expect(try await ana.get("/console/pages/\(number)").body.contains("/approve"))
        #expect(try await ana.post("/console/pages/\(number)/approve", ["reason": "looks right"]).status == .seeOther)
        #expect(try await world.store.app(world.app)?.approvedContent.isEmpty == false)
        #expect(try await ana.post("/console/pages/\(number)/withdraw", ["reason": "offends"]).status == .seeOther)
        #expect(try await world.store.app(world.app)?.approvedContent.isEmpty == true)
        await world.end()
    }
}

import Administration
import Authority
import BenjiProtocol
import Console
import HTTPTypes
import ServerTestKit
import Store
import Testing

@testable import ServerHTTP

@Suite("Apps in the console")
struct ConsoleAppTests {
    @Test("a developer makes an app, sees its keys once, and an operator allows it")
    func create() async throws {
        let world = try await ConsoleWorld()
        var developer = try await world.browser(of: "ben", .developer)
        #expect(try await developer.get("/console").body.contains("No apps yet"))
        let made = try await developer.post(
            "/console/apps",
            ["name": "Shop & Co", "bundles": "com.example.shop", "addresses": "203.0.113.7, 203.0.113.8"])
        #expect(made.status == .ok && made.headers[.cacheControl] == "no-store")
        let app = try #require(try await world.store.apps().first { $0.name == "Shop & Co" })
        #expect(app.bundleIDs == ["com.example.shop"] && app.serverAddresses == ["203.0.113.7", "203.0.113.8"])
        #expect(!app.allowed, "an operator allows it")
        let registered = try await world.world.authority.registeredApp(app.id)
        for key in [registered.key.reveal(), registered.serverSecret.reveal()] {
            #expect(made.body.contains(">\(key)<"))
        }
        #expect(made.body.contains("base64") && made.body.contains("https://api.example/v1/tokens/redeem"))
        let again = try await developer.get("/console/apps/\(app.id)")
        #expect(again.status == .ok && again.body.contains("Shop &amp; Co"))
        #expect(!again.body.contains(registered.serverSecret.reveal()) && !again.body.contains(registered.key.reveal()))
        var ana = try await world.browser(of: "ana", .operator)
        _ = try await ana.get("/console/apps/\(app.id)")
        let allowed = try await ana.post("/console/apps/\(app.id)/orders/allow", ["reason": "ordered by contract 7"])
        #expect(allowed.headers[.location] == "/console/apps/\(app.id)?done=1")
        #expect(try await world.store.app(app.id)?.allowed == true)
        let line = try await world.store.auditEntries(AuditFilter(app: app.id), before: nil, limit: 9)
        #expect(line.map(\.order) == ["app.allow", "app.create"] && line.map(\.actor) == ["ana", "ben"])
        #expect(line.first?.reason == "ordered by contract 7")
        await world.end()
    }

    @Test(
        """
        a developer gets no more from the form than the order gives: no second app over the limit, nothing of an \
        operator's
        """
    )
    func createRefused() async throws {
        let world = try await ConsoleWorld()
        var developer = try await world.browser(of: "ben", .developer)
        _ = try await developer.get("/console")
        for number in 0..<CreateApp.appsOfADeveloper {
            #expect(try await developer.post("/console/apps", ["name": "app \(number)"]).status == .ok)
        }
        let over = try await developer.post("/console/apps", ["name": "one too many"])
        #expect(over.status == .tooManyRequests && over.body.contains("one too many"))
        #expect(try await !world.store.apps().contains { $0.name == "one too many" })
        let caller = Caller(name: "ben", role: .developer, origin: "10.0.0.7")
        for change in [
            { $0.owner = "Shop Ltd" }, { $0.workflow = .oneTapThenSMS }, { $0.leastAssurance = .smsUpstream },
            { $0.dailyQuota = 1_000_000 }, { $0.phonesWithoutKey = true }, { $0.capabilities = [.simSwap] },
            { $0.openIDFromAnywhere = true }, { $0.id = AppID(rawValue: "300000000055") },
        ] as [(inout Apps.Registration) -> Void] {
            var registration = Apps.Registration(name: "x")
            change(&registration)
            let situation = try await refusal {
                _ = try await world.administration.perform(CreateApp(registration), by: caller)
            }
            #expect(situation == .orderNotPermitted)
        }
        let bad = try await developer.post("/console/apps", ["name": "x", "addresses": "<script>alert(1)</script>"])
        #expect(bad.status != .ok && !bad.body.contains("<script>alert"))
        await world.end()
    }

    @Test("an app is found by words of its name, its id or how it is, in each language, and a long list by pages")
    func search() async throws {
        let world = try await ConsoleWorld()
        for number in 0..<110 {
            var registration = Apps.Registration(name: "Shop \(number) 商店")
            registration.id = AppID(rawValue: "\(700_000_000_000 + number)")
            _ = try await world.world.authority.apps.register(registration)
        }
        let (frozen, gone) = (AppID(rawValue: "700000000107")!, AppID(rawValue: "700000000108")!)
        try await world.order(SuspendApp(frozen))
        try await world.order(DeleteApp(gone))
        var ben = try await world.browser(of: "ben", .developer)
        _ = try await ben.get("/console")
        _ = try await ben.post("/console/apps", ["name": "Waiting"])
        let waiting = try #require(try await world.store.apps().first { $0.name == "Waiting" }?.id)
        var ana = try await world.browser(of: "ana", .operator)
        func found(_ query: String) async throws -> [String] {
            try await ana.get("/console?\(query)").body.matches(of: /<td><a href="\/console\/apps\/(\w+)">/)
                .map { String($0.output.1) }
        }
        #expect(try await found("words=sho+107") == [frozen.rawValue])
        #expect(try await found("words=%E5%95%86%E5%BA%97+42") == ["700000000042"])
        #expect(try await found("words=700000000099") == ["700000000099"])
        #expect(try await found("words=zebra") == [world.other.rawValue])
        #expect(try await found("state=suspended") == [frozen.rawValue])
        #expect(try await found("state=deleted") == [gone.rawValue])
        #expect(try await found("state=waiting") == [waiting.rawValue])
        #expect(try await found("state=suspended&words=zebra") == [])
        let none = try await ana.get("/console?words=%3Cb%3E&lang=zh").body
        #expect(none.contains("没有符合条件的应用") && none.contains(#"value="&lt;b&gt;""#) && none.contains("等待运营者允许"))
        #expect(!(try await ana.get("/console?words=zzz&lang=en").body.contains("No apps yet")))
        var (next, all): (String?, [[String]]) = ("words=%E5%95%86%E5%BA%97&state=in-service", [])
        while let query = next {
            all.append(try await found(query))
            next = try await ana.get("/console?\(query)").body
                .firstMatch(of: /href="\/console\?((?!lang=)[^"]*after=\w+)"/).map {
                    String($0.output.1).replacing("&amp;", with: "&")
                }
        }
        let expected = (0..<110).map { "\(700_000_000_000 + $0)" }.filter {
            ![frozen, gone].map(\.rawValue).contains($0)
        }
        #expect(all.map(\.count) == [50, 50, 8] && all.flatMap { $0 } == expected)
        // A developer looks among their own, and who has one needs no form.
        #expect(try await !ben.get("/console?words=zebra").body.contains("Zebra Market"))
        #expect(try await !ben.get("/console").body.contains(#"name="words""#))
        await world.end()
    }

    @Test("no page shows what turns an app's name around, and a name that shows nothing gives way to the id")
    func names() async throws {
        let world = try await ConsoleWorld()
        // As an earlier version took it. The audit log has it too, because the name was changed.
        try await world.world.change { $0.name = "Sh\u{202e}op" }
        var changes = AppChanges()
        changes[.name] = "Market"
        try await world.order(ChangeApp(world.app, changes))
        try await world.world.change { $0.name = "Sh\u{202e}op" }
        var ben = try await world.browser(of: "ben", .developer, apps: [world.app])
        let paths = world.routes.filter { $0.method == .get && $0.path.contains("{id}") }.map(\.path)
        for path in ["/console", "/console/audit?app={id}"] + paths
        where !path.hasSuffix("benji-page.wasm") && !path.contains("{trace}") {
            let page = try await ben.get(path.replacing("{id}", with: world.app.rawValue))
            #expect(page.status == .ok && !page.body.unicodeScalars.contains("\u{202e}"), "\(path)")
        }
        #expect(try await ben.get("/console/apps/\(world.app)").body.contains("<h1>Shop</h1>"))
        try await world.world.change { $0.name = "\u{200b}" }
        #expect(try await ben.get("/console").body.contains(">\(world.app)</a>"))
        await world.end()
    }

    @Test("a key is followed by a new one, both count, and the former one ends when it is ended")
    func rotate() async throws {
        let world = try await ConsoleWorld()
        var developer = try await world.browser(of: "ben", .developer, apps: [world.app])
        let page = try await developer.get("/console/apps/\(world.app)")
        #expect(!page.body.contains("orders/retire-key"), "the only key cannot be ended")
        let before = try await world.world.authority.registeredApp(world.app).serverSecret.reveal()
        let rotated = try await developer.post(
            "/console/apps/\(world.app)/orders/rotate-secret", ["overlap": "until-retired"])
        let now = try await world.world.authority.registeredApp(world.app)
        #expect(now.serverSecret.reveal() != before && rotated.body.contains(">\(now.serverSecret.reveal())<"))
        #expect(now.serverKeys.map { $0.key.reveal() }.contains(before), "both count")
        #expect(rotated.body.contains("orders/retire-key"))
        let ended = try await developer.post(
            "/console/apps/\(world.app)/orders/retire-key", ["use": "server", "version": "1"])
        #expect(ended.status == .seeOther)
        let after = try await world.world.authority.registeredApp(world.app)
        #expect(after.serverKeys.map { $0.key.reveal() } == [now.serverSecret.reveal()])
        for (action, form) in [
            ("retire-key", ["use": "server", "version": "x"]), ("retire-key", ["use": "openid", "version": "1"]),
            ("rotate-key", ["overlap": "soon"]), ("erase", [:]),
        ] {
            let refused = try await developer.post("/console/apps/\(world.app)/orders/\(action)", form)
            #expect(refused.status != .ok && refused.status != .seeOther, "\(action)")
        }
        await world.end()
    }

    @Test("strangers are sent to sign in from each page, and no page is kept by a browser or shown in a frame")
    func strangers() async throws {
        let world = try await ConsoleWorld()
        var stranger = ConsoleBrowser(world)
        let open = ["sign-in", "invitation", "account", "console.css", "console.js"].map { "/console/\($0)" }
        for route in world.routes where !open.contains(route.path) {
            let path = route.path.replacing("{id}", with: world.app.rawValue).replacing("{action}", with: "suspend")
                .replacing("{trace}", with: String(repeating: "a", count: 32)).replacing("{name}", with: "ana")
                .replacing("{number}", with: "1")
            let answer = route.method == .get ? try await stranger.get(path) : try await stranger.post(path)
            #expect(answer.headers[.location] == "/console/sign-in", "\(route.method) \(path)")
        }
        let page = try await stranger.get("/console/sign-in")
        #expect(page.headers[.contentSecurityPolicy]?.contains("default-src 'none'") == true)
        #expect(page.headers[.frameOptions] == "DENY" && page.headers[.cacheControl] == "no-store")
        await world.end()
    }

    @Test("the pages are in the language that was chosen, or that the browser asks for")
    func languages() async throws {
        let world = try await ConsoleWorld()
        var browser = ConsoleBrowser(world)
        #expect(try await browser.get("/console/sign-in").body.contains(#"<html lang="en">"#))
        browser.language = "zh-CN,zh;q=0.9"
        #expect(try await browser.get("/console/sign-in").body.contains(#"<html lang="zh-Hans">"#))
        #expect(try await browser.get("/console/sign-in?lang=en").body.contains(#"<html lang="en">"#))
        #expect(try await browser.get("/console/sign-in").body.contains(#"<html lang="en">"#), "the choice is kept")
        await world.end()
    }
}

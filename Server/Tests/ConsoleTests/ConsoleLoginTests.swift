import Administration
import Authority
@_spi(Server) import BenjiProtocol
import HTTPTypes
import ServerTestKit
import Store
import Testing

@Suite("An app's logins in the console")
struct ConsoleLoginTests {
    @Test("the story of a login is told to whoever may see its app, and to nobody else")
    func others() async throws {
        let world = try await ConsoleWorld()
        let login = try await world.world.redeem(world.world.serverCall(), try await world.world.token().token)
        var own = try await world.browser(of: "dev", .developer, apps: [world.app])
        var stranger = try await world.browser(of: "dev-2", .developer, apps: [world.other])
        let story = "/console/apps/\(world.app)/logins/\(login.trace)"
        let told = try await own.get(story)
        #expect(told.status == .ok && told.body.contains(login.trace.rawValue))
        #expect(!told.body.contains(AuthorityWorld.number.national))
        #expect(try await stranger.get(story).status == .forbidden)
        #expect(try await stranger.get("/console/apps/\(world.app)/logins").status == .forbidden)
        // Under the address of an app of theirs it is not there.
        let elsewhere = try await stranger.get("/console/apps/\(world.other)/logins/\(login.trace)")
        #expect(elsewhere.status == .forbidden && !elsewhere.body.contains("consent"))
        await world.end()
    }

    @Test("a developer who asks by trace is led to the login in whichever of their apps it is, and to nobody else's")
    func byTrace() async throws {
        let world = try await ConsoleWorld()
        let login = try await world.world.redeem(world.world.serverCall(), try await world.world.token().token)
        // Before the login's app, so that the form is filled in with it.
        let first = try #require(AppID(rawValue: "100000000001"))
        var registration = Apps.Registration(name: "First")
        registration.id = first
        _ = try await world.world.authority.apps.register(registration)
        var both = try await world.browser(of: "dev", .developer, apps: [world.app, first])
        let form = try await both.get("/console/logins").body
        #expect(form.contains(#"name="app" value="\#(first)""#))
        for app in [first.rawValue, world.app.rawValue, ""] {
            let answer = try await both.get("/console/logins?app=\(app)&trace=\(login.trace)")
            #expect(answer.headers[.location] == "/console/apps/\(world.app)/logins/\(login.trace)", "\(app)")
        }
        var stranger = try await world.browser(of: "dev-2", .developer, apps: [world.other, first])
        let unknown = try await stranger.get("/console/logins?app=\(world.app)&trace=\(login.trace)")
        #expect(unknown.status == .forbidden && unknown.body.contains("no login has this trace"))
        var ana = try await world.browser(of: "ana", .operator)
        let found = try await ana.get("/console/logins?trace=\(login.trace)")
        #expect(found.headers[.location] == "/console/apps/\(world.app)/logins/\(login.trace)")
        await world.end()
    }

    @Test("an id that cannot be one is refused in words, not taken for every app's")
    func wrongApp() async throws {
        let world = try await ConsoleWorld()
        let login = try await world.world.redeem(world.world.serverCall(), try await world.world.token().token)
        var ana = try await world.browser(of: "ana", .operator)
        #expect(try await ana.get("/console/logins").body.contains(login.trace.rawValue), "everybody's")
        for page in ["/console/logins", "/console/pages", "/console/audit"] {
            let answer = try await ana.get("\(page)?app=30000000001")
            #expect(answer.status == .badRequest, "\(page)")
            #expect(answer.body.contains("app: the id must be 12 to 64 letters and digits"), "\(page)")
            #expect(answer.body.contains(#"name="app" value="30000000001""#), "\(page) keeps what was typed")
            #expect(!answer.body.contains(login.trace.rawValue) && !answer.body.contains("No page"))
            #expect(try await ana.get("\(page)?app=\(world.app)").status == .ok)
        }
        await world.end()
    }

    @Test("a login whose token was redeemed went well, and that its server asked again is said beside it")
    func askedAgain() async throws {
        let world = try await ConsoleWorld()
        let token = try await world.world.token().token
        let login = try await world.world.redeem(world.world.serverCall(), token)
        let again = try await refusal { _ = try await world.world.redeem(world.world.serverCall(), token) }
        #expect(again == .tokenSpent)
        var own = try await world.browser(of: "dev", .developer, apps: [world.app])
        for list in ["/console/logins", "/console/apps/\(world.app)/logins"] {
            let lines = try await own.get(list).body
            #expect(lines.contains(#"<span class="state good">"#) && !lines.contains(#"<span class="state bad">"#))
            #expect(lines.contains("then: test <code>token_spent</code>"), "\(list)")
            #expect(try await own.get("\(list)?lang=zh").body.contains("之后 test <code>token_spent</code>"))
            _ = try await own.get("\(list)?lang=en")
        }
        let story = try await own.get("/console/apps/\(world.app)/logins/\(login.trace)").body
        #expect(story.contains(#"<span class="state good">success</span>"#))
        #expect(story.contains("The app&#39;s server got its answer. A later step was refused: test <code>token_spent"))
        #expect(!story.contains("Its last step went well"))
        await world.end()
    }

    @Test("logins of one millisecond are on one page or the next, and none of them between the two")
    func pages() async throws {
        let world = try await ConsoleWorld()
        let events = (0..<120).map { number in
            TraceEvent(
                trace: TraceID(rawValue: "\(number)".padded(to: 32))!, at: world.clock.now, party: .gateway,
                step: "sighting", situation: .success, detail: "mobile",
                login: TraceEvent.Login(app: world.app, subscription: 1, epoch: 1))
        }
        try await world.store.appendTraceEvents(events)
        var own = try await world.browser(of: "dev", .developer, apps: [world.app])
        for list in ["/console/logins?hours=24", "/console/apps/\(world.app)/logins?span=24h"] {
            var (next, found): (String?, [String]) = (list, [])
            while let page = next {
                let body = try await own.get(page).body
                found += body.matches(of: /\/logins\/([0-9a-f]{32})"/).map { String($0.output.1) }
                next = body.firstMatch(of: /href="([^"?]*\?(?!lang=)[^"]*after=[0-9a-f]{32})/).map {
                    String($0.output.1).replacing("&amp;", with: "&")
                }
            }
            #expect(found == events.reversed().map(\.trace.rawValue), "\(list)")
        }
        let gone = try await own.get("/console/logins?after=\(String(repeating: "f", count: 32))")
        #expect(gone.status == .forbidden && gone.body.contains("begin with the newest again"))
        await world.end()
    }

    @Test(
        """
        when somebody tapped is said as the other times of the page, in its language, also in lines of earlier versions
        """
    )
    func tapped() async throws {
        let world = try await ConsoleWorld()
        let login = try await world.world.redeem(world.world.serverCall(), try await world.world.token().token)
        let former = TraceID(rawValue: String(repeating: "b", count: 32))!
        try await world.store.appendTraceEvents([
            TraceEvent(
                trace: former, at: world.clock.now, party: .device, step: "consent", situation: .success,
                detail: "tapped at 1763430605766 by its clock, net+app",
                login: TraceEvent.Login(app: world.app, subscription: 1, epoch: 1))
        ])
        var own = try await world.browser(of: "dev", .developer, apps: [world.app])
        let story = try await own.get("/console/apps/\(world.app)/logins/\(login.trace)").body
        let tapped = /at ([0-9 :-]{19}) UTC\+8 by the phone&#39;s clock, net/
        let time = try #require(story.firstMatch(of: tapped)?.output.1)
        #expect(story.contains("<time>\(time.prefix(16))"), "as when it began")
        #expect(!story.contains("by its clock"))
        let page = "/console/apps/\(world.app)/logins/\(former)"
        #expect(try await own.get(page).body.contains("at 2025-11-18 09:50:05 UTC+8 by the phone&#39;s clock, net+app"))
        let chinese = try await own.get("\(page)?lang=zh").body
        #expect(chinese.contains(#"<span class="note">手机时钟 2025-11-18 09:50:05（UTC+8），net+app</span>"#))
        await world.end()
    }

    @Test("what is neither a trace nor a code is said in words, and nothing of it is taken for a page's own")
    func wrong() async throws {
        let world = try await ConsoleWorld()
        var own = try await world.browser(of: "dev", .developer, apps: [world.app])
        let page = "/console/apps/\(world.app)/logins"
        for text in ["%3Cscript%3E", "424242", "%22%3E%3Cimg%20src=x%20onerror=alert(1)%3E", "%E4%BD%A0"] {
            let answer = try await own.get("\(page)?find=\(text)")
            #expect(answer.status == .badRequest && !answer.body.contains("<script>") && !answer.body.contains("<img"))
        }
        #expect(try await own.get("\(page)?span=100d").status == .ok)
        for text in ["after=x", "span=24h&after=%3Cscript%3E"] {
            let answer = try await own.get("\(page)?\(text)")
            #expect(answer.status == .badRequest && !answer.body.contains("<script>"), "\(text)")
        }
        let malformed = ["0000", String(repeating: "A", count: 32), String(repeating: "a", count: 33)]
        for text in malformed {
            let answer = try await own.get("\(page)/\(text)")
            #expect(answer.status == .badRequest && answer.body.contains("trace: 32 hexadecimal digits"), "\(text)")
        }
        await world.end()
    }
}

extension String {
    /// With zeros before it.
    fileprivate func padded(to length: Int) -> String { String(repeating: "0", count: length - count) + self }
}

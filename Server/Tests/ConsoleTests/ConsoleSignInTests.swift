import Administration
import BenjiFaceProtocol
import BenjiProtocol
import Console
import HTTPTypes
import Requests
import ServerTestKit
import Store
import Synchronization
import Testing

@testable import ServerHTTP

@Suite("Signing in to the console")
struct ConsoleSignInTests {
    private static let cookie = "__Host-benji-console"

    @Test("a browser counts as proven by a session, and neither by another cookie nor by a name that it shows")
    func proven() async throws {
        let world = try await ConsoleWorld()
        let ana = try await world.browser(of: "ana", .operator)
        let router = plainRouter(world.routes)
        func proves(
            _ method: HTTPRequest.Method, _ path: String, _ headers: HTTPFields, _ body: String = ""
        ) async -> Bool {
            await ServerTestKit.proves {
                _ = try await Exchange.send(
                    router, method, path, headers: headers, body: Array(body.utf8), authority: ConsoleWorld.host)
            }
        }
        let cookies = ana.cookies.map { "\($0.key)=\($0.value)" }.joined(separator: "; ")
        #expect(await proves(.get, "/console", [.cookie: cookies]))
        let name = ana.cookies.keys.first { $0.hasSuffix("benji-console") } ?? ""
        #expect(await !proves(.get, "/console", [.cookie: "\(name)=\(String(repeating: "A", count: 43))"]))
        let form: HTTPFields = [
            .contentType: "application/x-www-form-urlencoded", .origin: "https://\(ConsoleWorld.host)",
            .secFetchSite: "same-origin",
        ]
        #expect(await !proves(.post, "/console/sign-in", form, "name=ana&password=wrong&code=000000"))
        await world.end()
    }

    @Test("under a name that a foreign page gave this machine no page of the console is shown")
    func rebinding() async throws {
        let world = try await ConsoleWorld()
        for (host, status) in [
            (ConsoleWorld.host, 200), ("attacker.example", 421), ("benji.internal.attacker.example", 421),
        ] {
            let answer = try await Exchange.send(world.router, .get, "/console/sign-in", authority: host)
            #expect(answer.status.code == status, "\(host)")
        }
        await world.end()
    }

    @Test("an invitation makes one account, which signs in by password and code, each code once")
    func accept() async throws {
        let world = try await ConsoleWorld()
        let invitation = try await world.invite("ana", .operator)
        var browser = ConsoleBrowser(world)
        let made = try await browser.accept(invitation)
        #expect(made.status == .seeOther && made.headers[.location] == "/console")
        #expect(try await browser.get("/console").body.contains("ana · operator"))
        var second = ConsoleBrowser(world)
        #expect(try await second.accept(invitation).status == .forbidden)
        second.codes = browser.codes
        #expect(try await second.signIn("ana").status == .forbidden, "the code was spent by the account")
        world.clock.advance(by: .seconds(30))
        #expect(try await second.signIn("ana").status == .seeOther)
        var third = ConsoleBrowser(world)
        third.codes = browser.codes
        #expect(try await third.signIn("ana").status == .forbidden, "the code was spent by the session")
        let lines = try await world.store.auditEntries(AuditFilter(order: "console.accept"), before: nil, limit: 9)
        #expect(lines.map(\.actor) == ["ana"] && lines.first?.origin == "10.0.0.7")
        await world.end()
    }

    @Test("a weak password, a wrong first code and another form's salt make no account, and the invitation stays")
    func acceptRefused() async throws {
        let world = try await ConsoleWorld()
        let invitation = try await world.invite("ana", .operator)
        var browser = ConsoleBrowser(world)
        for password in ["short", "aaaaaaaaaaaaaaaa", "my name is ana", "abcdefghijklmn"] {
            let page = try await browser.accept(invitation, password: password)
            #expect(page.status == .badRequest && page.body.contains("password:"), "\(password)")
            #expect(!page.body.contains(password) || password == "short")
        }
        let salt = Base64URL.encode(world.administration.newSalt())
        let wrong = try await browser.post(
            "/console/account",
            ["invitation": invitation, "salt": salt, "password": ConsoleWorld.password, "code": browser.code])
        #expect(wrong.status == .forbidden && wrong.body.contains("code:"))
        let short = try await browser.post("/console/account", ["invitation": invitation, "salt": "AAAA"])
        #expect(short.status == .badRequest)
        #expect(try await browser.accept(invitation).status == .seeOther)
        await world.end()
    }

    @Test("a wrong name, password or code is answered the same, and no answer has what was typed as a password")
    func same() async throws {
        let world = try await ConsoleWorld()
        let ana = try await world.browser(of: "ana", .operator)
        world.clock.advance(by: .seconds(30))
        var answers: Set<String> = []
        for (name, password, code) in [
            ("bob", ConsoleWorld.password, ana.code), ("ana", "wrong horse battery", ana.code),
            ("ana", ConsoleWorld.password, "000000"),
        ] {
            var browser = ConsoleBrowser(world)
            let answer = try await browser.post(
                "/console/sign-in", ["name": name, "password": password, "code": code])
            #expect(answer.status == .forbidden && answer.headers[.setCookie] == nil)
            #expect(!answer.body.contains("horse"))
            answers.insert(answer.body.replacing("value=\"\(name)\"", with: ""))
        }
        #expect(answers.count == 1)
        await world.end()
    }

    @Test(
        """
        of 10,000 wrong passwords none gets in, before each pause no more than may fail are compared, in it none, and \
        the right one gets in after it
        """
    )
    func manyWrong() async throws {
        let world = try await ConsoleWorld()
        let ana = try await world.browser(of: "ana", .operator)
        world.clock.advance(by: .seconds(60))
        let compared = Mutex(0)
        let administration = Administration(
            authority: world.world.authority, store: world.store, passwordCost: 1
        ) { (password, kept) throws(Refusal) in
            compared.withLock { $0 += 1 }
            return try password.matches(kept)
        }
        func isIn(_ password: String, code: String) async throws -> Bool {
            let situation = try await refusal {
                _ = try await administration.signIn("ana", password: password, code: code, from: "10.0.0.7")
            }
            #expect(situation == nil || situation == .accessTokenInvalid)
            return situation == nil
        }
        let pauses = 20
        for pause in 0..<pauses {
            for number in 1...500 {
                // The right one is among them, after more than may fail; the last comes a second before the pause is
                // over.
                if number == 500 { world.clock.advance(by: Administration.signInPause - .seconds(1)) }
                let password = number % 250 == 0 ? ConsoleWorld.password : "wrong password \(pause) \(number)"
                #expect(try await !isIn(password, code: ana.code))
            }
            #expect(compared.withLock(\.self) == (pause + 1) * Administration.failedSignIns)
            world.clock.advance(by: .seconds(1))
        }
        #expect(try await isIn(ConsoleWorld.password, code: ana.code))
        #expect(compared.withLock(\.self) == pauses * Administration.failedSignIns + 1)
        let lines = try await world.store.auditEntries(AuditFilter(order: "console.pause"), before: nil, limit: 99)
        #expect(lines.count == pauses)
        await world.end()
    }

    @Test("from one address so many attempts are looked at and no more, and another address is not kept out")
    func oneAddress() async throws {
        let world = try await ConsoleWorld()
        var ana = try await world.browser(of: "ana", .operator)
        world.clock.advance(by: .seconds(30))
        var stranger = ConsoleBrowser(world)
        stranger.address = "10.0.0.8"
        var statuses: [Int] = []
        for number in 0..<(Console.callsOfOneAddress + 20) {
            statuses.append(try await stranger.signIn("nobody-\(number)").status.code)
        }
        #expect(statuses.filter { $0 == 403 }.count == Console.callsOfOneAddress)
        #expect(statuses.suffix(20).allSatisfy { $0 == 429 })
        ana.cookies = [:]
        #expect(try await ana.signIn("ana").status == .seeOther)
        await world.end()
    }

    @Test("more hashes than may wait are refused, and those that wait are done")
    func crowd() async throws {
        let world = try await ConsoleWorld()
        let outcomes = await withTaskGroup(of: Situation?.self) { group in
            for number in 0..<400 {
                group.addTask {
                    do throws(Refusal) {
                        _ = try await world.administration.signIn(
                            "nobody-\(number)", password: "x", code: "1", from: "10.0.0.7")
                        return nil
                    } catch { return error.situation }
                }
            }
            return await group.reduce(into: [Situation?]()) { $0.append($1) }
        }
        #expect(outcomes.allSatisfy { $0 == .accessTokenInvalid || $0 == .overloaded })
        #expect(outcomes.contains(.accessTokenInvalid))
        await world.end()
    }

    @Test("what a browser had before it signs in is no session afterwards, and each sign-in makes its own")
    func fixation() async throws {
        let world = try await ConsoleWorld()
        let ana = try await world.browser(of: "ana", .operator)
        world.clock.advance(by: .seconds(30))
        // The attacker's own session, and a text, put into the victim's browser.
        let ben = try await world.browser(of: "ben", .developer, apps: [world.app])
        for planted in [try #require(ben.cookies[Self.cookie]), "planted"] {
            world.clock.advance(by: .seconds(30))
            var victim = ConsoleBrowser(world)
            (victim.cookies[Self.cookie], victim.codes) = (planted, ana.codes)
            #expect(try await victim.signIn("ana").status == .seeOther)
            #expect(victim.cookies[Self.cookie] != planted)
            var attacker = ConsoleBrowser(world)
            attacker.cookies[Self.cookie] = planted
            #expect(!(try await attacker.get("/console").body.contains("ana · operator")))
        }
        await world.end()
    }

    @Test("over TLS the session's cookie is of this host alone, and no script or other site gets it")
    func cookies() async throws {
        for isSecure in [true, false] {
            let world = try await ConsoleWorld(isSecure: isSecure)
            var browser = ConsoleBrowser(world)
            let made = try await browser.accept(try await world.invite("ana", .operator))
            let line = try #require(made.headers[.setCookie])
            #expect(line.contains("; HttpOnly; SameSite=Strict") && line.contains("Path=/;"))
            #expect(line.hasPrefix("__Host-") == isSecure && line.contains("; Secure") == isSecure)
            #expect(!line.contains("Domain"))
            await world.end()
        }
    }

    @Test("a session ends when its person signs out, is revoked, rests an hour, or has had it for twelve")
    func ends() async throws {
        let world = try await ConsoleWorld()
        func isIn(_ browser: ConsoleBrowser) async throws -> Bool {
            var browser = browser
            return try await browser.get("/console").status == .ok
        }
        var ana = try await world.browser(of: "ana", .operator)
        let ben = try await world.browser(of: "ben", .support)
        var kept = ana
        #expect(try await isIn(ana))
        _ = try await ana.get("/console")
        #expect(try await ana.post("/console/sign-out").headers[.location] == "/console/sign-in")
        #expect(ana.cookies[Self.cookie] == nil)
        #expect(try await !isIn(kept), "the cookie that was kept")
        #expect(try await isIn(ben))
        world.clock.advance(by: .seconds(3601))
        #expect(try await !isIn(ben), "after a rest")
        kept.cookies = [:]
        #expect(try await kept.signIn("ana").status == .seeOther)
        for _ in 0..<12 {
            world.clock.advance(by: .seconds(3590))
            #expect(try await isIn(kept), "while it is used")
        }
        world.clock.advance(by: .seconds(3590))
        #expect(try await !isIn(kept), "after twelve hours")
        kept.cookies = [:]
        #expect(try await kept.signIn("ana").status == .seeOther)
        try await world.order(RevokeAdmin("ana"))
        #expect(try await !isIn(kept), "after it is revoked")
        kept.cookies = [:]
        #expect(try await kept.signIn("ana").status == .forbidden)
        await world.end()
    }

    @Test("an invitation is no token, and a token is no invitation")
    func kinds() async throws {
        let world = try await ConsoleWorld()
        let invitation = try await world.invite("ana", .operator)
        for token in [invitation, "benji_admin_\(invitation)"] {
            let situation = try await refusal {
                _ = try await world.administration.caller(token: token, from: "10.0.0.7")
            }
            #expect(situation == .accessTokenInvalid)
        }
        let token = try #require(try await world.order(GrantAdmin("bot", .operator))["token"]?.stringValue)
        var browser = ConsoleBrowser(world)
        #expect(try await browser.accept(token).status == .forbidden)
        await world.end()
    }
}

import Administration
import Authority
import BenjiFaceProtocol
import BenjiProtocol
import Console
import Endpoints
import HTTPTypes
import ServerTestKit
import Store
import Testing

@Suite("Signing in to the console by one tap")
struct ConsoleOneTapTests {
    private static let cookie = "__Host-benji-console"
    private static let pending = "__Host-benji-console-tap"

    /// A world in which ana has bound the phone "ana's", and signs in next.
    private static func bound() async throws -> (ConsoleWorld, ConsoleBrowser) {
        let world = try await ConsoleWorld(offersOneTap: true)
        var ana = try await world.browser(of: "ana", .operator)
        try #require(try await ana.bind("ana's").status == .ok)
        var fresh = ConsoleBrowser(world)
        fresh.codes = ana.codes
        world.clock.advance(by: .seconds(30))
        return (world, fresh)
    }

    private static func isIn(_ browser: ConsoleBrowser, as name: String = "ana") async throws -> Bool {
        var browser = browser
        return try await browser.get("/console").body.contains(">\(name)</a> · ")
    }

    private static func lines(_ order: String, _ world: ConsoleWorld) async throws -> [AuditEntry] {
        try await world.store.auditEntries(AuditFilter(order: order), before: nil, limit: 99)
    }

    @Test("a phone that was bound signs in after the password, in the place of the code, and leaves its lines")
    func whole() async throws {
        let (world, fresh) = try await Self.bound()
        var browser = fresh
        let landed = try await browser.tap("ana", as: "ana's")
        #expect(landed.status == .ok && landed.headers[HTTPField.Name("Refresh")!] == "0; url=/console")
        #expect(browser.cookies[Self.pending] == nil)
        #expect(try await Self.isIn(browser))
        #expect(try await Self.lines("console.bind-phone", world).map(\.subject) == ["admin ana"])
        let signIns = try await Self.lines("console.sign-in", world)
        #expect(signIns.map(\.after) == [#"{"secondFactor":"phone"}"#])
        let page = try await browser.get("/console/phone").body
        #expect(page.contains("Phone bound since") && page.contains("Bound"))
        // The code goes on to count.
        var second = fresh
        #expect(try await second.signIn("ana").status == .seeOther)
        await world.end()
    }

    @Test("nothing of a phone is kept but a digest: neither its sub nor what it was asked with")
    func kept() async throws {
        let (world, fresh) = try await Self.bound()
        guard
            case .open(let account) = try await world.store.beginSignIn(
                "ana", at: world.clock.now, limit: 9, pause: .seconds(1), audit: nil)
        else { throw Situation.internalError }
        let expected = Administration.phone(of: "ana's", client: "300000000007", at: "https://id.example")
        #expect(account.phone == expected && expected.bytes.count == 32)
        #expect(expected != Administration.phone(of: "ana's", client: "300000000008", at: "https://id.example"))
        #expect(expected != Administration.phone(of: "ana's", client: "300000000007", at: "https://id.other"))
        var browser = fresh
        let page = try await browser.beginSignIn("ana")
        let address = try #require(ConsoleBrowser.tapAddress(in: page.body))
        #expect(address.contains("&scope=openid&") && !address.contains("phone"))
        #expect(!address.contains(try #require(browser.cookies[Self.pending])), "the secret of the browser")
        await world.end()
    }

    @Test("without a configured provider there is no page, no word and no way of it, and the code is asked for")
    func off() async throws {
        let world = try await ConsoleWorld()
        var ana = try await world.browser(of: "ana", .operator)
        for path in ["/console/phone", "/console/tap"] { #expect(try await ana.get(path).status == .notFound) }
        #expect(!(try await ana.get("/console").body.contains("/console/phone")))
        var fresh = ConsoleBrowser(world)
        #expect(try await fresh.get("/console/sign-in").body.contains("pattern=\"[0-9 ]{6,7}\" required"))
        #expect(try await fresh.beginSignIn("ana").status == .forbidden)
        await world.end()
    }

    @Test(
        """
        somebody else's phone signs nobody in, whether it is bound to nobody, to another admin, or new; the code still \
        does
        """
    )
    func otherPhones() async throws {
        let (world, fresh) = try await Self.bound()
        var ben = try await world.browser(of: "ben", .operator)
        #expect(try await ben.bind("ben's").status == .ok)
        for subject in ["nobody's", "ben's"] {
            var browser = fresh
            let answer = try await browser.tap("ana", as: subject)
            #expect(answer.status == .forbidden && browser.cookies[Self.cookie] == nil, "\(subject)")
            #expect(answer.body.contains("this phone is not the one that was bound here"))
            #expect(try await !Self.isIn(browser))
            #expect(try await browser.post("/console/second", ["code": browser.code]).status == .seeOther)
            #expect(try await Self.isIn(browser))
            world.clock.advance(by: .seconds(30))
        }
        await world.end()
    }

    @Test(
        """
        one tap takes the place of the code, never of the password; and who has no phone bound is told no more than \
        with a wrong password
        """
    )
    func password() async throws {
        let (world, fresh) = try await Self.bound()
        _ = try await world.browser(of: "ben", .operator)
        var answers: Set<String> = []
        for (name, password) in [
            ("ana", "wrong horse battery"), ("nobody", ConsoleWorld.password), ("ben", ConsoleWorld.password),
        ] {
            var browser = fresh
            let answer = try await browser.beginSignIn(name, password: password)
            #expect(answer.status == .forbidden && browser.cookies[Self.pending] == nil)
            answers.insert(answer.body.replacing("value=\"\(name)\"", with: ""))
        }
        #expect(answers.count == 1)
        // To bind one, too.
        var ana = fresh
        #expect(try await ana.signIn("ana").status == .seeOther)
        _ = try await ana.get("/console/phone")
        let refused = try await ana.post("/console/phone", ["password": "wrong horse battery"])
        #expect(refused.status == .forbidden && ConsoleBrowser.tapAddress(in: refused.body) == nil)
        await world.end()
    }

    @Test("an answer that is opened twice signs in once, and a code that is used twice not at all")
    func replay() async throws {
        let (world, fresh) = try await Self.bound()
        var browser = fresh
        let page = try await browser.beginSignIn("ana")
        let answer = world.provider.tap(try #require(ConsoleBrowser.tapAddress(in: page.body)), as: "ana's")
        var thief = browser
        #expect(try await browser.get(answer).status == .ok)
        #expect(try await thief.get(answer).status == .forbidden)
        #expect(thief.cookies[Self.cookie] == nil)
        // The code alone, with another sign-in's state.
        var other = fresh
        let next = try await other.beginSignIn("ana")
        let own = world.provider.tap(try #require(ConsoleBrowser.tapAddress(in: next.body)), as: "ana's")
        let used = try #require(answer.firstMatch(of: /code=([^&]+)/)?.output.1)
        let mixed = own.replacing(/code=[^&]+/, with: "code=\(used)")
        #expect(try await other.get(mixed).status == .forbidden)
        #expect(try await !Self.isIn(other))
        await world.end()
    }

    @Test(
        """
        an answer to another browser's sign-in is taken in none, neither to sign in nor to bind; a naive client takes it
        """
    )
    func otherBrowser() async throws {
        let (world, fresh) = try await Self.bound()
        // Login CSRF: mallory's own answer in ana's browser, which has begun nothing, or something else.
        var mallory = try await world.browser(of: "mallory", .developer)
        #expect(try await mallory.bind("mallory's").status == .ok)
        var attacker = ConsoleBrowser(world)
        let page = try await attacker.beginSignIn("mallory")
        let address = try #require(ConsoleBrowser.tapAddress(in: page.body))
        var victim = fresh
        #expect(try await victim.get(world.provider.tap(address, as: "mallory's")).status == .forbidden)
        _ = try await victim.beginSignIn("ana")
        #expect(try await victim.get(world.provider.tap(address, as: "mallory's")).status == .forbidden)
        #expect(try await !Self.isIn(victim, as: "mallory"))
        // The other way round: ana is lured to tap for what mallory began, and mallory's account would get her phone.
        _ = try await mallory.get("/console/phone")
        let binding = try await mallory.post("/console/phone", ["password": ConsoleWorld.password])
        let lure = try #require(ConsoleBrowser.tapAddress(in: binding.body))
        let lured = world.provider.tap(lure, as: "ana's")
        var ana = ConsoleBrowser(world)
        #expect(try await ana.get(lured).status == .forbidden)
        #expect(try await Self.lines("console.bind-phone", world).count == 2)
        #expect(NaiveClient(provider: world.provider).subject(of: lured) == "ana's")
        await world.end()
    }

    @Test(
        "an ID token that is not for this sign-in signs nobody in; a naive client believes it",
        arguments: [
            ("nonce", JSON.string("another")), ("nonce", .null), ("aud", "300000000001"),
            ("aud", .array(["300000000007", "300000000001"])), ("iss", "https://id.other"), ("exp", .integer(1)),
            ("exp", .null), ("iat", .integer(1)), ("iat", .integer(9_000_000_000)), ("auth_time", .integer(1)),
            ("acr", "urn:benji:sms"), ("acr", .null), ("sub", ""),
        ] as [(String, JSON)])
    func claims(name: String, value: JSON) async throws {
        let (world, fresh) = try await Self.bound()
        world.provider.lie { $0.claims = [name: value] }
        var browser = fresh
        let answer = try await browser.tap("ana", as: "ana's")
        #expect(answer.status == .forbidden && answer.body.contains("(\(name))"))
        #expect(try await !Self.isIn(browser))
        var other = fresh
        let page = try await other.beginSignIn("ana")
        let back = world.provider.tap(try #require(ConsoleBrowser.tapAddress(in: page.body)), as: "ana's")
        #expect(NaiveClient(provider: world.provider).subject(of: back) == (name == "sub" ? "" : "ana's"))
        await world.end()
    }

    @Test(
        """
        an ID token signed by another key, by nobody or by another algorithm signs nobody in; a naive client believes it
        """
    )
    func signatures() async throws {
        let (world, fresh) = try await Self.bound()
        for (algorithm, isOther) in [("ES256", true), ("none", false), ("HS256", false), ("RS256", false)] {
            world.provider.lie { ($0.algorithm, $0.isSignedByAnother) = (algorithm, isOther) }
            var browser = fresh
            let page = try await browser.beginSignIn("ana")
            let address = try #require(ConsoleBrowser.tapAddress(in: page.body))
            #expect(try await browser.get(world.provider.tap(address, as: "ana's")).status.code == 500, "\(algorithm)")
            #expect(try await !Self.isIn(browser))
            let back = world.provider.tap(address, as: "ana's")
            #expect(NaiveClient(provider: world.provider).subject(of: back) == "ana's")
            // Five attempts with a password would be ten with what they begin.
            world.clock.advance(by: Administration.signInPause)
        }
        await world.end()
    }

    @Test("an answer of another issuer, or of none, is taken to no provider")
    func mixUp() async throws {
        let (world, fresh) = try await Self.bound()
        for issuer in ["https://evil.example", nil] {
            world.provider.lie { $0.issuer = issuer }
            var browser = fresh
            let before = world.provider.calls.count { $0.hasSuffix("/token") }
            #expect(try await browser.tap("ana", as: "ana's").status == .forbidden)
            #expect(world.provider.calls.count { $0.hasSuffix("/token") } == before, "the code was shown to nobody")
            #expect(try await !Self.isIn(browser))
        }
        await world.end()
    }

    @Test("a provider that names other machines, or somebody else as issuer, is called nowhere else and told no secret")
    func elsewhere() async throws {
        for (name, value) in [
            ("token_endpoint", "http://169.254.169.254/latest"), ("token_endpoint", "https://id.example.evil/token"),
            ("jwks_uri", "https://10.0.0.1/keys"), ("issuer", "https://id.other"),
            ("authorization_endpoint", "javascript:alert(1)"),
            ("authorization_endpoint", "http://gw.example/authorize"),
        ] {
            let world = try await ConsoleWorld(offersOneTap: true)
            world.provider.lie { $0.metadata = [name: .string(value)] }
            var ana = try await world.browser(of: "ana", .operator)
            _ = try await ana.get("/console/phone")
            let page = try await ana.post("/console/phone", ["password": ConsoleWorld.password])
            #expect(ConsoleBrowser.tapAddress(in: page.body) == nil && page.status.code == 500, "\(name)")
            #expect(!page.body.contains(value))
            #expect(world.provider.calls.allSatisfy { $0 == "https://id.example/.well-known/openid-configuration" })
            await world.end()
        }
    }

    @Test("unknown members and keys of the provider, and more keys than a client may register, are ignored")
    func unknownElements() async throws {
        let world = try await ConsoleWorld(offersOneTap: true)
        world.provider.lie {
            // Above the 16 KiB of a client's set too.
            $0.otherKeys = 20
            $0.keySet = ["next": .object(["keys": .array([])])]
            $0.metadata = [
                "jwks": .array([]), "authorization_response_iss_parameter_supported": "yes",
                "id_token_signing_alg_values_supported": .array(["ML-DSA-44", "ES256"]),
            ]
        }
        var ana = try await world.browser(of: "ana", .operator)
        #expect(try await ana.bind("ana's").status == .ok)
        // A set without a key that can be used.
        world.provider.lie { $0.keySet = ["keys": .array([.object(["kty": "AKP", "alg": "ML-DSA-44", "pub": "AA"])])] }
        var ben = try await world.browser(of: "ben", .operator)
        #expect(try await ben.bind("ben's").status.code == 500)
        await world.end()
    }

    @Test("what an answer says about where to go on, or as an error, is not followed or shown")
    func redirects() async throws {
        let (world, fresh) = try await Self.bound()
        var browser = fresh
        let page = try await browser.beginSignIn("ana")
        let address = try #require(ConsoleBrowser.tapAddress(in: page.body))
        let state = try #require(address.firstMatch(of: /state=([^&]+)/)?.output.1)
        let error = "/console/tap?state=\(state)&iss=https://id.example&error=%3Cscript%3E&error_description=evil"
        let refused = try await browser.get(error)
        #expect(refused.status == .forbidden && !refused.body.contains("<script>") && !refused.body.contains("evil"))
        #expect(ConsoleBrowser.tapAddress(in: refused.body) != nil, "and the tap is offered again")
        let back = world.provider.tap(address, as: "ana's") + "&next=https://evil.example&url=//evil.example"
        let landed = try await browser.get(back)
        #expect(landed.status == .ok && !landed.body.contains("evil") && landed.headers[.location] == nil)
        #expect(landed.headers[HTTPField.Name("Refresh")!] == "0; url=/console")
        await world.end()
    }

    @Test(
        """
        what a password began ends after ten minutes, when the account gets another credential, and opens nothing by \
        itself
        """
    )
    func ends() async throws {
        let (world, fresh) = try await Self.bound()
        var late = fresh
        let page = try await late.beginSignIn("ana")
        let address = try #require(ConsoleBrowser.tapAddress(in: page.body))
        #expect(try await !Self.isIn(late), "the password alone")
        world.clock.advance(by: Administration.pendingLife)
        #expect(try await late.get(world.provider.tap(address, as: "ana's")).status == .forbidden)
        #expect(try await late.post("/console/second", ["code": late.code]).status == .forbidden)
        var renewed = fresh
        let next = try await renewed.beginSignIn("ana")
        try await world.order(RenewAdmin("ana", console: true))
        let back = world.provider.tap(try #require(ConsoleBrowser.tapAddress(in: next.body)), as: "ana's")
        #expect(try await renewed.get(back).status == .forbidden)
        #expect(try await !Self.isIn(late))
        #expect(try await !Self.isIn(renewed))
        await world.end()
    }

    @Test("wrong phones and wrong codes after a right password count to the same pause as wrong passwords")
    func bruteForce() async throws {
        for isPhone in [true, false] {
            let (world, fresh) = try await Self.bound()
            var browser = fresh
            let page = try await browser.beginSignIn("ana")
            let address = try #require(ConsoleBrowser.tapAddress(in: page.body))
            for number in 1..<Administration.failedSignIns {
                let answer =
                    isPhone
                    ? try await browser.get(world.provider.tap(address, as: "stranger \(number)"))
                    : try await browser.post("/console/second", ["code": "000000"])
                #expect(answer.status == .forbidden)
            }
            #expect(try await browser.get(world.provider.tap(address, as: "ana's")).status == .forbidden)
            #expect(try await Self.lines("console.pause", world).count == 1)
            var other = fresh
            #expect(try await other.tap("ana", as: "ana's").status == .forbidden)
            world.clock.advance(by: Administration.signInPause)
            #expect(try await other.tap("ana", as: "ana's").status == .ok)
            await world.end()
        }
    }

    @Test(
        """
        what a browser had before it signs in by one tap is no session afterwards, and its cookies are of this host \
        alone
        """
    )
    func fixation() async throws {
        let (world, fresh) = try await Self.bound()
        let ben = try await world.browser(of: "ben", .developer)
        var victim = fresh
        let planted = try #require(ben.cookies[Self.cookie])
        victim.cookies[Self.cookie] = planted
        // A browser that is signed in is led to the console, and can send the form all the same.
        let page = try await victim.beginSignIn("ana")
        let line = try #require(page.headers[values: .setCookie].first { $0.hasPrefix(Self.pending) })
        #expect(
            line.contains("; Secure; HttpOnly; SameSite=Lax") && line.contains("Path=/;") && !line.contains("Domain"))
        let back = world.provider.tap(try #require(ConsoleBrowser.tapAddress(in: page.body)), as: "ana's")
        let landed = try await victim.get(back)
        #expect(victim.cookies[Self.cookie] != planted)
        #expect(
            landed.headers[values: .setCookie].contains { $0.hasPrefix(Self.cookie) && $0.contains("SameSite=Strict") })
        #expect(try await Self.isIn(victim))
        #expect(try await Self.isIn(ben, as: "ben"))
        await world.end()
    }

    @Test("a provider that is down, says too much, or no JSON leaves the code as the way in, and readiness says so")
    func trouble() async throws {
        let (world, fresh) = try await Self.bound()
        for lie in 0..<3 {
            world.clock.advance(by: .seconds(3600))
            world.provider.lie { lies in
                switch lie {
                case 0: lies.isDown = true
                case 1: lies.body = Array(repeating: 0x20, count: OneTapClient.answerLimit + 1)
                default: lies.body = Array("<html>".utf8)
                }
            }
            var browser = fresh
            let page = try await browser.beginSignIn("ana")
            #expect(page.status == .ok && ConsoleBrowser.tapAddress(in: page.body) == nil)
            #expect(page.body.contains("cannot be reached now"))
            #expect(try await browser.post("/console/second", ["code": browser.code]).status == .seeOther)
        }
        let client = OneTapClient(TestProvider.configuration, clock: world.clock) {
            [provider = world.provider] call throws(OneTapClient.Unreachable) in
            try provider.answer(call)
        }
        world.provider.lie { $0.isDown = true }
        #expect(await client.trouble() == "the provider https://id.example cannot be reached")
        let calls = world.provider.calls.count
        #expect(await client.trouble() != nil)
        #expect(world.provider.calls.count == calls, "it is not asked each time")
        world.provider.tellTheTruth()
        world.clock.advance(by: .seconds(30))
        #expect(await client.trouble() == nil)
        await world.end()
    }

    @Test("an admin removes their own phone, an operator another's, each with a line; it signs in no more")
    func remove() async throws {
        let (world, fresh) = try await Self.bound()
        var ana = fresh
        #expect(try await ana.tap("ana", as: "ana's").status == .ok)
        _ = try await ana.get("/console/phone")
        #expect(try await ana.post("/console/phone/remove").headers[.location] == "/console/phone?done=1")
        #expect(try await Self.lines("console.remove-phone", world).map(\.actor) == ["ana"])
        var again = fresh
        #expect(try await again.beginSignIn("ana").status == .forbidden)
        #expect(try await ana.bind("ana's").status == .ok)
        var ops = try await world.browser(of: "boss", .operator)
        #expect(try await ops.get("/console/people").body.contains("/console/people/ana/remove-phone"))
        #expect(try await ops.post("/console/people/ana/remove-phone").headers[.location] == "/console/people?done=1")
        #expect(try await Self.lines("admin.remove-phone", world).map(\.subject) == ["admin ana"])
        #expect(!(try await ops.get("/console/people").body.contains("/console/people/ana/remove-phone")))
        #expect(try await again.beginSignIn("ana").status == .forbidden)
        #expect(try await Self.isIn(ana), "whoever has signed in stays signed in")
        var dev = try await world.browser(of: "dev", .developer)
        _ = try await dev.get("/console")
        #expect(try await dev.post("/console/people/ana/remove-phone").status == .forbidden)
        await world.end()
    }
}

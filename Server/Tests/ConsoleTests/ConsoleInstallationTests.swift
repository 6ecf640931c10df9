import Administration
import Authority
import BenjiPolicy
@_spi(Server) import BenjiProtocol
import HTTPTypes
import ServerTestKit
import Store
import Testing

@Suite("The installation in the console")
struct ConsoleInstallationTests {
    private func policy(_ change: (inout CarrierPolicy) -> Void = { _ in }) -> String {
        var policy = CarrierPolicy.standard
        change(&policy)
        return policy.json.text
    }

    @Test("each role sees the pages about the installation that its orders give, and a developer none of them")
    func roles() async throws {
        let world = try await ConsoleWorld()
        try await world.administration.notePolicy(
            by: Caller(name: "root", role: .operator, origin: "command line"), from: "here")
        let pages = ["feeds", "sessions", "numbers", "policy", "policy.json", "keys"]
        for (role, seen) in [
            (Role.operator, Set(pages)), (.support, ["feeds", "sessions", "numbers", "policy", "policy.json"]),
            (.auditor, ["feeds", "policy", "policy.json", "keys"]), (.developer, []),
        ] as [(Role, Set<String>)] {
            var browser = try await world.browser(of: role.rawValue, role, apps: role == .developer ? [world.app] : [])
            let list = try await browser.get("/console").body
            #expect(list.contains("Installation") == !seen.isEmpty)
            for page in pages {
                let answer = try await browser.get("/console/\(page)")
                #expect(answer.status == (seen.contains(page) ? .ok : .forbidden), "\(role) \(page)")
            }
            guard role != .operator else { continue }
            let before = try await world.store.masterKeyRing()
            for path in [
                "numbers/reassign", "numbers/port", "keys/rotate", "keys/rotate-receipt", "keys/rotate-id-tokens",
            ] {
                let form = ["number": AuthorityWorld.number.e164, "carrier": "unicom"]
                #expect(try await browser.post("/console/\(path)", form).status == .forbidden, "\(role) \(path)")
            }
            #expect(try await world.store.masterKeyRing() == before)
            let looks = try await browser.post("/console/numbers/show", ["number": AuthorityWorld.number.e164])
            #expect((looks.status != .forbidden) == (role == .support))
            let session = try await browser.post("/console/sessions/show", ["address": "10.0.0.1"])
            #expect((session.status != .forbidden) == (role == .support))
        }
        await world.end()
    }

    @Test("the page about feeds says who is silent, whose packets are refused and why, and what readiness finds")
    func feeds() async throws {
        let world = try await ConsoleWorld()
        var support = try await world.browser(of: "sue", .support)
        let page = try await support.get("/console/feeds").body
        for text in [
            "ggsn-1", "71", "wrong secret", "without Calling-Station-Id", "ggsn-2", "silent", "not ready",
            "the journal cannot be written",
            "nothing is heard of NAS ggsn-2",
        ] { #expect(page.contains(text), "\(text)") }
        await world.end()
    }

    @Test(
        """
        an address is looked up: whose NAS and row it is, and why a login from there fails; a wrong one is said in words
        """
    )
    func sessions() async throws {
        let world = try await ConsoleWorld()
        var sue = try await world.browser(of: "sue", .support)
        let page = try await sue.get("/console/sessions").body
        #expect(page.contains("Look an address up"))
        let held = try await sue.post("/console/sessions/show", ["address": " 10.0.0.1 ", "port": ""]).body
        for text in ["ggsn-1", "address_stale", "news of it may have been lost", "cmnet", "4711"] {
            #expect(held.contains(text), "\(text)")
        }
        let free = try await sue.post("/console/sessions/show", ["address": "10.0.0.9"]).body
        #expect(free.contains("No session holds this address") && free.contains("address_unknown"))
        for wrong in [("<script>alert(1)</script>", ""), ("10.0.0.1", "x"), ("10.0.0.1", "70000")] {
            let answer = try await sue.post("/console/sessions/show", ["address": wrong.0, "port": wrong.1])
            #expect(answer.status == .badRequest && !answer.body.contains("<script>alert"), "\(wrong)")
        }
        await world.end()
    }

    @Test("a number is looked up masked, with a line in the audit log; another holder ends what was issued")
    func numbers() async throws {
        let world = try await ConsoleWorld()
        let issued = try await world.world.token()
        var ana = try await world.browser(of: "ana", .operator)
        _ = try await ana.get("/console/numbers")
        let number = AuthorityWorld.number
        let shown = try await ana.post("/console/numbers/show", ["number": "+\(number.e164)"])
        #expect(shown.status == .ok && shown.body.contains(number.masked))
        let look = try await world.store.auditEntries(AuditFilter(order: "number.show"), before: nil, limit: 9)
        #expect(look.map(\.actor) == ["ana"] && look.first?.subject?.hasPrefix("subscription") == true)
        #expect(look.first?.subject?.contains(number.national) == false)
        for wrong in ["", "abc", "<script>alert(1)</script>", "+8613999999999"] {
            let answer = try await ana.post("/console/numbers/show", ["number": wrong])
            #expect(answer.status != .ok && !answer.body.contains("<script>alert"), "\(wrong)")
        }
        let changed = try await ana.post(
            "/console/numbers/reassign", ["number": number.e164, "reason": "the carrier said so"])
        #expect(changed.headers[.location] == "/console/numbers?done=1", "\(changed.body)")
        let situation = try await refusal { _ = try await world.world.redeem(world.world.serverCall(), issued.token) }
        #expect(situation != nil, "the former holder's token is dead")
        let line = try await world.store.auditEntries(AuditFilter(order: "number.reassign"), before: nil, limit: 9)
        #expect(line.map(\.reason) == ["the carrier said so"])
        await world.end()
    }

    @Test("where a policy came from is said in the page's language, but for the names of machines and files")
    func policyOrigin() async throws {
        let world = try await ConsoleWorld()
        let root = Caller(name: "root", role: .operator, origin: "command line")
        try await world.administration.notePolicy(
            by: root, from: "\(PolicyRecord.unnamedMachine), \(PolicyRecord.carriedAlong)")
        var ana = try await world.browser(of: "ana", .operator)
        #expect(
            try await ana.get("/console/policy?lang=en").body.contains(
                "root · this machine · the policy that comes along"))
        let chinese = try await ana.get("/console/policy?lang=zh").body
        #expect(chinese.contains("root · 本机器 · 随软件附带的策略") && !chinese.contains("comes along"))
        let named = PolicyRecord(
            digest: "named", version: "2026-12", text: policy { $0.version = "2026-12" }, since: world.clock.now,
            recordedBy: "root", origin: "gw-1, /etc/benji/a, b.json")
        let note = AuditEntry(
            at: world.clock.now, actor: "root", role: "installation", origin: "here", order: "policy.change",
            outcome: .success)
        try #require(try await world.store.addPolicy(named, audit: note))
        #expect(try await ana.get("/console/policy?lang=zh").body.contains("root · gw-1 · /etc/benji/a, b.json"))
        await world.end()
    }

    @Test(
        "a policy is checked and compared with the one in force before anybody saves it, and nothing is changed by that"
    )
    func policy() async throws {
        let world = try await ConsoleWorld()
        try await world.administration.notePolicy(
            by: Caller(name: "root", role: .operator, origin: "command line"), from: "here")
        let first = try #require(try await world.store.policies(before: nil, limit: 9).first?.digest)
        let former = PolicyRecord(
            digest: "former-digest", version: "2026-12", text: policy { $0.version = "2026-12" },
            since: world.clock.now, recordedBy: "root", origin: "here")
        let note = AuditEntry(
            at: world.clock.now, actor: "root", role: "installation", origin: "here", order: "policy.change",
            outcome: .success)
        try #require(try await world.store.addPolicy(former, audit: note))
        var ana = try await world.browser(of: "ana", .operator)
        let page = try await ana.get("/console/policy").body
        #expect(page.contains("2026-12") && page.contains("former-digest") && page.contains("Policy in force"))
        let earlier = try await ana.get("/console/policy?digest=\(first)").body
        #expect(earlier.contains("Going back") && earlier.contains("$.version") && earlier.contains("<ins>"))
        let file = try await ana.get("/console/policy.json?digest=\(first)")
        #expect(file.headers[.contentDisposition]?.contains("policy.json") == true)
        #expect(try JSON(parsing: Array(file.body.utf8)) == JSON(parsing: Array(policy().utf8)))
        let same = try await ana.post("/console/policy/check", ["policy": policy { $0.version = "2026-12" }])
        #expect(same.status == .ok && same.body.contains("the same as the one in force"))
        let other = try await ana.post("/console/policy/check", ["policy": policy { $0.version = "2027-01" }])
        #expect(other.status == .ok && other.body.contains("2027-01&quot;</ins>"))
        for wrong in ["", "{", #"{"version":"x"}"#, "<script>alert(1)</script>"] {
            let answer = try await ana.post("/console/policy/check", ["policy": wrong])
            #expect(answer.status == .badRequest && !answer.body.contains("<script>alert"), "\(wrong)")
        }
        #expect(try await world.store.policies(before: nil, limit: 9).count == 2)
        #expect(try await ana.get("/console/policy?digest=none-such").status == .badRequest)
        await world.end()
    }

    @Test("keys are followed by new ones, each with its line, and no page has a key")
    func keys() async throws {
        let world = try await ConsoleWorld()
        var ana = try await world.browser(of: "ana", .operator)
        let page = try await ana.get("/console/keys").body
        let ring = try await world.store.masterKeyRing()
        for key in ring.keys { #expect(page.contains(key.check.name)) }
        #expect(page.contains("benji backup -c benji.yaml") && page.contains("rehearse"))
        let done = try await ana.post("/console/keys/rotate-receipt", ["reason": "yearly"])
        #expect(done.headers[.location] == "/console/keys?done=1", "\(done.body)")
        #expect(try await world.store.masterKeyRing().receiptKeys.count == ring.receiptKeys.count + 1)
        let line = try await world.store.auditEntries(AuditFilter(order: "keys.rotate-receipt"), before: nil, limit: 9)
        #expect(line.map(\.reason) == ["yearly"] && line.map(\.actor) == ["ana"])
        #expect(try await ana.post("/console/keys/erase").status != .seeOther)
        await world.end()
    }

    @Test("a page that waits for review is drawn in a frame that no script runs in and no other site shows")
    func drawn() async throws {
        let world = try await ConsoleWorld()
        try await world.order(SubmitPage(world.app, StartPage.fullScreen.text))
        var ana = try await world.browser(of: "ana", .operator)
        let page = try await ana.get("/console/pages/1")
        #expect(page.body.contains("/console/drawn/1") && page.body.contains("appearance=dark"))
        #expect(page.headers[.contentSecurityPolicy]?.contains("frame-src 'self'") == true)
        let light = try await ana.get("/console/drawn/1")
        let dark = try await ana.get("/console/drawn/1?appearance=dark")
        #expect(light.status == .ok && dark.status == .ok && light.body != dark.body)
        let policy = light.headers[.contentSecurityPolicy] ?? ""
        #expect(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'self'"))
        #expect(policy.contains("; sandbox") && !policy.contains("script-src"))
        var other = try await world.browser(of: "cat", .developer, apps: [world.other])
        #expect(try await other.get("/console/drawn/1?app=\(world.app)").status == .forbidden)
        #expect(try await other.get("/console/drawn/1?app=\(world.other)").status != .ok)
        await world.end()
    }

    @Test("another language shows the page that was asked for, and a Chinese page says in Chinese why not")
    func languages() async throws {
        let world = try await ConsoleWorld()
        var ana = try await world.browser(of: "ana", .operator)
        let found = try await ana.get("/console/audit?order=app.create&done=1").body
        #expect(found.contains("/console/audit?lang=zh&amp;order=app.create\""))
        let wrong = try await ana.get("/console/audit?app=%3Cb%3E&lang=zh")
        #expect(wrong.status != .ok && wrong.body.contains(#"action="/console/audit""#) && !wrong.body.contains("<b>x"))
        let refused = try await ana.get("/console/apps/300000000099")
        #expect(refused.status != .ok && refused.body.contains("role=\"alert\""))
        #expect(refused.body.contains("应用"), "in Chinese too")
        await world.end()
    }
}

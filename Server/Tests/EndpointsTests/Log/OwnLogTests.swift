import BenjiProtocol
import HTTPTypes
import Hummingbird
import ServerTestKit
import Sightings
import Store
import Testing

@_spi(Server) @testable import Authority
@testable import Endpoints
@testable import ServerHTTP

@Suite("A person's own log in their browser")
struct OwnLogTests {
    /// A gateway that always sees the same.
    private struct Seen: SightingSource {
        var result: Result<Sighting, SightingRefusal>
        func sighting(
            from address: InternetAddress, port: UInt16, claimedLocalAddress: InternetAddress?
        ) async -> Result<Sighting, SightingRefusal> { result }
    }

    private static let form: HTTPFields = [
        .contentType: "application/x-www-form-urlencoded", .secFetchSite: "same-origin", .acceptLanguage: "en",
    ]

    private func router(
        _ world: AuthorityWorld, _ sighting: Result<Sighting, SightingRefusal>? = nil
    ) -> Router<EndpointContext> {
        let seen = Seen(result: sighting ?? .success(world.sighting()))
        return PublicServer.router(
            "device", routes: OwnLogEndpoints(authority: world.authority, sightings: seen).routes)
    }

    private func ask(
        _ router: Router<EndpointContext>, _ body: String = "", _ headers: HTTPFields = form
    ) async throws -> Exchange {
        try await Exchange.send(router, .post, "/log/mine", headers: headers, body: Array(body.utf8))
    }

    private func logged(_ times: Int = 1) async throws -> AuthorityWorld {
        let world = try await AuthorityWorld()
        for _ in 0..<times { _ = try await world.redeem(nil, try await world.token().token) }
        _ = try await world.authority.appendToLog()
        return world
    }

    @Test(
        "One tap shows who got the number, when and on which page; nothing of it is kept on the way or put into a frame"
    )
    func list() async throws {
        let world = try await logged()
        let router = router(world)
        let question = try await Exchange.send(router, .get, "/log/mine", headers: [.acceptLanguage: "en"])
        #expect(question.status == .ok && question.body.contains("Show the list") && !question.body.contains("Shop"))
        let answer = try await ask(router)
        #expect(answer.status == .ok)
        #expect(answer.body.contains("<strong>Shop</strong> got your number"))
        #expect(answer.body.contains("<strong>Shop</strong> you agreed on its page"))
        #expect(answer.body.contains("本机号码一键登录") && answer.body.contains("(UTC+8)"))
        #expect(!answer.body.contains("13800000001"))
        for page in [question, answer] {
            #expect(page.headers[.cacheControl] == "no-store")
            #expect(page.headers[.frameOptions] == "DENY")
            let policy = page.headers[.contentSecurityPolicy] ?? ""
            #expect(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"))
        }
        let chinese = try await ask(router, "", [.contentType: "application/x-www-form-urlencoded"])
        #expect(chinese.body.contains("拿到了您的号码"))
        // An earlier version took a name that reads backwards: it is shown without what turns it.
        try await world.change { $0.name = "Sh\u{202e}op" }
        let plain = try await ask(router)
        #expect(plain.body.contains("<strong>Shop</strong>") && !plain.body.unicodeScalars.contains("\u{202e}"))
        await world.end()
    }

    @Test("A number that an app got by CAMARA's device-phone-number is listed as one without a page, in both languages")
    func withoutPage() async throws {
        try await OpenIDWorld.visitBank { world in
            let token = try await world.networkToken(OpenIDWorld.readNumber)
            #expect(try await world.camara(.devicePhoneNumber, token).status == .ok)
            // Reading the steps writes them first. They state whose number it is.
            _ = try await world.authority.traceEvents(TraceID(random: SystemRandomSource()))
            world.clock.advance(by: .seconds(1))
            _ = try await world.authority.appendToLog()
            #expect(try await world.authority.logHead().size == 1)
            let seen = await world.sighting(
                from: try #require(InternetAddress(OpenIDWorld.phone)), port: 1, claimedLocalAddress: nil)
            let router = PublicServer.router(
                "device", routes: OwnLogEndpoints(authority: world.authority, sightings: Seen(result: seen)).routes)
            for (language, words) in [
                ("en", "got your number; the log has no page for it"), ("zh", "拿到了您的号码（日志里没有对应的页面）"),
            ] {
                var headers = Self.form
                headers[.acceptLanguage] = language
                let list = try await ask(router, "", headers)
                #expect(list.status == .ok && list.body.contains("<strong>Bank</strong> \(words)"), "\(list.body)")
                #expect(!list.body.contains("13800000001") && !list.body.contains("<details>"))
            }
            let proof = try await ask(router, "proof=0&number=13800000001")
            let leaf = try #require(proof.json["leaf"]?.stringValue.flatMap(LogInput.init))
            #expect(leaf.contentDigest == nil && leaf.detail == "number-verification.device-phone-number")
        }
    }

    @Test("Each entry's proof is had by typing the number, as people write it, and holds for it")
    func proof() async throws {
        let world = try await logged(2)
        let router = router(world)
        let asked = try await ask(router, "proof=2")
        #expect(asked.status == .ok && asked.body.contains("Type your number") && asked.body.contains("value=\"2\""))
        for typed in ["13800000001", "%2B86+138-0000-0001"] {
            let answer = try await ask(router, "proof=2&number=\(typed)")
            #expect(answer.headers[.contentDisposition] == "attachment; filename=\"leaf-2.json\"")
            #expect(answer.headers[.cacheControl] == "no-store")
            let leaf = try #require(answer.json["leaf"]?.stringValue)
            let input = try #require(LogInput(parsing: leaf))
            let salt = try #require(answer.json["salt"]?.stringValue.flatMap { Base64URL.decode($0) })
            #expect(input.commitment == LogInput.commitment(to: AuthorityWorld.number, salt: salt))
            let head = try LogHead(
                verifying: try #require(answer.json["head"]?.stringValue), log: world.vault.installation,
                keys: try await world.authority.receiptKeys())
            let path = (answer.json["path"]?.arrayValue ?? []).compactMap {
                $0.stringValue.flatMap { Base64URL.decode($0) }
            }
            #expect(MerkleTree.isIncluded(input.leafHash, at: 2, in: head.size, proof: path, root: head.root))
        }
        #expect(try await ask(router, "proof=9&number=13800000001").status == .notFound)
        await world.end()
    }

    @Test("A mistyped number is asked for again in words, and what is no number is not counted")
    func mistyped() async throws {
        let world = try await logged()
        let router = router(world)
        for _ in 0..<9 {
            let answer = try await ask(router, "proof=0&number=12a")
            #expect(answer.status == .badRequest && answer.body.contains("Please type the whole number"))
        }
        let wrong = try await ask(router, "proof=0&number=13800000002")
        #expect(
            wrong.status == .ok && wrong.body.contains("not this phone&#39;s number")
                && wrong.body.contains("name=\"number\""))
        #expect(!wrong.body.contains("13800000002"))
        #expect(try await ask(router, "proof=0&number=13800000001").json["leaf"] != nil)
        let chinese = try await ask(
            router, "proof=0&number=13800000002", [.contentType: "application/x-www-form-urlencoded"])
        #expect(chinese.body.contains("这不是本机号码"))
        await world.end()
    }

    @Test("Only the present holder's entries are shown, and nobody's leaf is had by its place")
    func others() async throws {
        let world = try await logged()
        let other = try #require(
            try await world.register.observe([
                SubscriberObservation(
                    number: AuthorityWorld.otherNumber, imsi: "460000000000002", carrier: .mobile,
                    eventTime: world.clock.now)
            ])[0])
        let theirs = router(world, .success(world.sighting(other)))
        let list = try await ask(theirs)
        #expect(list.status == .ok && list.body.contains("no app got your number") && !list.body.contains("Shop"))
        for place in 0..<2 {
            #expect(try await ask(theirs, "proof=\(place)&number=13900000002").status == .notFound)
        }
        // A session from before the number was given away.
        let row = try #require(try await (world.store as any Store).subscription(world.subscription.subscription))
        _ = try await (world.store as any Store).changeSubscriptions([NumberIndex(row.numberIndex)], audit: nil) {
            _, present in
            var next = present
            next?.epoch += 1
            next?.epochKey = Array(repeating: 9, count: 16)
            return next
        }
        #expect(try await ask(router(world)).body.contains("not recognised"))
        let next = try #require(try await (world.store as any Store).subscription(row.id))
        let now = try await ask(router(world, .success(world.sighting(next.reference))))
        #expect(now.status == .ok && !now.body.contains("Shop"))
        await world.end()
    }

    @Test(
        "Whom the gateway does not recognise sees nothing, and is told what helps",
        arguments: [SightingRefusal.unknownAddress, .staleAddress])
    func strangers(_ refusal: SightingRefusal) async throws {
        let world = try await logged()
        let answer = try await ask(router(world, .failure(refusal)))
        #expect(answer.status != .ok && answer.body.contains("use mobile data") && !answer.body.contains("Shop"))
        await world.end()
    }

    @Test("Another site's form, a form that is none and one with other fields ask for nothing")
    func wrongForms() async throws {
        let world = try await logged()
        let router = router(world)
        var foreign = Self.form
        foreign[.secFetchSite] = "cross-site"
        var elsewhere = Self.form
        elsewhere[.origin] = "https://evil.example"
        for (body, headers) in [
            ("", foreign), ("", elsewhere), ("", [:]), ("other=1", Self.form), ("proof=1&proof=1", Self.form),
            ("number=1&number=1", Self.form), ("proof=-1", Self.form), ("before=x", Self.form),
            (String(repeating: "a", count: 2000), Self.form),
        ] {
            let answer = try await ask(router, body, headers)
            #expect(answer.status != .ok && !answer.body.contains("Shop"), "\(body.prefix(20))")
        }
        await world.end()
    }

    @Test("The page's own form is answered in a browser without Sec-Fetch-Site, which sends a null origin")
    func olderBrowser() async throws {
        let world = try await logged()
        var headers = Self.form
        headers[.secFetchSite] = nil
        headers[.origin] = "null"
        let answer = try await ask(router(world), "", headers)
        #expect(answer.status == .ok && answer.body.contains("Shop"))
        #expect(answer.headers[.referrerPolicy] == "no-referrer", "for which the browser sends null")
        await world.end()
    }

    @Test("Whoever asks again and again is told to wait, and others are not")
    func tooOften() async throws {
        let world = try await logged()
        let router = router(world)
        for _ in 0..<60 { _ = try await world.authority.ownLog(before: nil, sighting: .success(world.sighting())) }
        #expect(try await ask(router).status == .tooManyRequests)
        world.clock.advance(by: .seconds(3600))
        #expect(try await ask(router).status == .ok)
        await world.end()
    }
}

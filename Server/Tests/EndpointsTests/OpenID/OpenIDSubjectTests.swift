import Crypto
import GRDB
import HTTPTypes
import ServerTestKit
import Store
import Testing

@testable import Authority
@_spi(Server) @testable import BenjiProtocol
@testable import Endpoints
@testable import OpenIDProvider
@testable import StoreSQLite

/// The account that a client asks for (OpenID Connect Core §3.1.2.1, §3.1.2.2 (4), §5.5.1).
@Suite("The account that a login over OpenID Connect asks for")
struct OpenIDSubjectTests {
    private typealias World = OpenIDWorld

    /// An ID token as this provider signs it, for the phone of the first number unless told otherwise.
    private func hint(
        _ world: World, of subject: String? = nil, for app: AppID? = nil, issuer: String = World.issuer,
        age: Int64 = 0
    ) async throws -> String {
        let app = app ?? world.shop.record.id
        let issued = world.clock.now.seconds - age
        let named: String
        if let subject { named = subject } else { named = try await self.subject(world, at: app) }
        return try await world.clients.keys.sign(
            .object([
                "iss": .string(issuer), "sub": .string(named), "aud": .string(app.rawValue),
                "iat": .integer(issued), "exp": .integer(issued + 300),
            ]), .es256)
    }

    private func subject(
        _ world: World, of number: PhoneNumber = World.number, at app: AppID
    ) async throws -> String {
        let row = try #require(try await world.register.subscription(of: number))
        return world.authority.vault.openID(row, app: app)
    }

    private func claims(_ subject: String, in place: String = "id_token", list: Bool = false) -> String {
        list
            ? #"{"\#(place)":{"sub":{"essential":true,"values":["x","\#(subject)"]},"acr":null}}"#
            : #"{"\#(place)":{"sub":{"value":"\#(subject)"}},"other":{"phone_number":null}}"#
    }

    /// Expects that the person is informed and not logged in, and that the app can get `login_required`.
    private func expectRefused(_ answer: Exchange, _ comment: Comment? = nil) {
        #expect(answer.status == .forbidden && answer.secret == nil && answer.location == nil, comment)
        #expect(answer.headers[.setCookie] == nil && answer.words.contains("需要另一个账号"), comment)
        #expect(answer.body.contains("error=login_required") && answer.words.contains("Shop"), comment)
    }

    @Test("an access token is invalid at userinfo once its number has another owner, also if nobody has revoked it")
    func otherOwner() async throws {
        try await OpenIDWorld.visit { world in
            let access = try await world.accessToken()
            #expect(try await world.userInfo(access).status == .ok)
            try await world.store.pool.write { try $0.execute(sql: "UPDATE subscription SET epoch = epoch + 1") }
            let answer = try await world.userInfo(access)
            #expect(answer.status == .unauthorized && answer.json["error"] == "invalid_token")
        }
    }

    @Test(
        "an ID token of one person logs nobody else in: not by hint, not by claims, not by either of two that disagree")
    func anotherPerson() async throws {
        try await World.visit { world in
            let app = world.shop.record.id
            let own = try #require(try await world.exchange(try await world.code()).json["id_token"]?.stringValue)
            let subject = try await subject(world, at: app)
            let other = try await self.subject(world, of: World.otherNumber, at: app)
            for changes in [
                ["id_token_hint": own], ["claims": claims(subject)], ["claims": claims(subject, in: "userinfo")],
                ["claims": claims(subject, list: true)], ["id_token_hint": own, "claims": claims(subject)],
            ] {
                expectRefused(try await world.open(changes, from: World.otherPhone), "\(changes.keys)")
                let honest = try await world.open(changes)
                #expect(try await world.tap(honest).landing["code"] != nil, "its own phone")
            }
            for address in [World.phone, World.otherPhone] {
                expectRefused(
                    try await world.open(["id_token_hint": own, "claims": claims(other)], from: address), "neither")
            }
            #expect(
                try await world.open(["claims": #"{"id_token":{"sub":null}}"#], from: World.otherPhone).secret != nil)
            // The double takes the hint for a wish.
            #expect(NaiveProvider().login(at: World.otherPhone, hint: own) == "person at \(World.otherPhone)")
        }
    }

    @Test("pushed and signed requests ask for a person as plain ones do, and no ID token is kept of them")
    func pushedAndSigned() async throws {
        try await World.visit { world in
            let own = try await hint(world)
            let form = OpenIDLogin.request(world, ["id_token_hint": own])
            func pushed() async throws -> String {
                let answer = try await world.call(.post, .push, headers: world.basic(), form: form)
                return World.encoded([
                    "client_id": world.shop.record.id.rawValue,
                    "request_uri": try #require(answer.json["request_uri"]?.stringValue),
                ])
            }
            let uri = try await pushed()
            let rows = try world.storedDetails(kind: "pushed")
            #expect(rows.count == 1 && rows.allSatisfy { !$0.contains(own) && !$0.contains("id_token_hint") })
            expectRefused(
                try await world.browse(.get, "/openid/authorize?\(uri)", from: World.otherPhone))
            #expect(try await world.browse(.get, "/openid/authorize?\(uri)").secret != nil, "the refusal spent nothing")

            let bank = try await subject(world, at: world.bank.record.id)
            let parameters: [[String: JSON?]] = [
                ["claims": try JSON(parsing: Array(claims(bank).utf8))], ["claims": .string(claims(bank))],
                ["id_token_hint": .string(try await hint(world, for: world.bank.record.id))],
            ]
            for changes in parameters {
                let object = try world.requestObject(changes) { try world.signed($0) }
                let form = World.encoded(["client_id": world.bank.record.id.rawValue, "request": object])
                let refused = try await world.browse(.get, "/openid/authorize?\(form)", from: World.otherPhone)
                #expect(refused.status == .forbidden && refused.body.contains("error=login_required"))
                #expect(try await world.browse(.get, "/openid/authorize?\(form)").secret != nil)
            }
        }
    }

    @Test(
        """
        accounts that nobody can be together log nobody in, pushed or not: a push is refused, and an empty list names \
        nobody
        """
    )
    func disagreement() async throws {
        try await World.visit { world in
            let other = try await subject(world, of: World.otherNumber, at: world.shop.record.id)
            let own = try await hint(world)
            let impossible: [[String: String?]] = [
                ["claims": #"{"id_token":{"sub":{"value":"AAAA"}},"userinfo":{"sub":{"value":"BBBB"}}}"#],
                ["claims": #"{"id_token":{"sub":{"values":[]}}}"#], ["id_token_hint": own, "claims": claims(other)],
            ]
            for changes in impossible {
                let pushed = try await world.call(
                    .post, .push, headers: world.basic(), form: OpenIDLogin.request(world, changes))
                #expect(pushed.error == "invalid_request" && pushed.json["request_uri"] == nil, "\(changes)")
                for address in [World.phone, World.otherPhone] {
                    expectRefused(try await world.open(changes, from: address), "\(changes)")
                }
            }
            #expect(try world.storedDetails().isEmpty)
            let one = try await world.call(
                .post, .push, headers: world.basic(),
                form: OpenIDLogin.request(world, ["id_token_hint": own, "claims": claims(own)]))
            #expect(one.error == "invalid_request", "a token is no account")
            let same = try await world.call(
                .post, .push, headers: world.basic(),
                form: OpenIDLogin.request(
                    world, ["id_token_hint": own, "claims": claims(try await subject(world, at: world.shop.record.id))])
            )
            #expect(same.json["request_uri"] != nil)
        }
        #expect(NaiveProvider().logsIn("whoever is there", pushed: ["AAAA"], ["BBBB"]), "the double must fall")
    }

    @Test("a hint that has expired, or whose key was changed long ago, still names its person")
    func oldHints() async throws {
        try await World.visit { world in
            let old = try await hint(world, age: 86400)
            try await world.clients.rotateKeys()
            world.clock.advance(by: .seconds(86400))
            #expect(try await world.open(["id_token_hint": old]).secret != nil)
            expectRefused(try await world.open(["id_token_hint": old], from: World.otherPhone))
        }
    }

    @Test("stolen keys are removed at once: they leave the key set, and what they signed is no hint any more")
    func stolenKeys() async throws {
        try await World.visit { world in
            let stolen = try await hint(world)
            let before = try await world.call(.get, .jwks).json["keys"]?.arrayValue?.compactMap { $0["kid"] } ?? []
            try await world.clients.rotateKeys(isStolen: true, by: .test)
            let after = try await world.call(.get, .jwks).json["keys"]?.arrayValue?.compactMap { $0["kid"] } ?? []
            #expect(after.count == before.count && !after.contains { before.contains($0) })
            let answer = try await world.open(["id_token_hint": stolen])
            #expect(answer.landing["error"] == "invalid_request" && answer.secret == nil)
            let fresh = try await hint(world)
            #expect(try await world.open(["id_token_hint": fresh]).secret != nil)
        }
    }

    @Test("the key of receipts is published beside the keys of ID tokens")
    func receiptKeys() async throws {
        try await World.visit { world in
            let first = try await world.call(.get, .receiptKeys).json["keys"]?.arrayValue ?? []
            #expect(first.count == 1 && first.first?["exp"] == nil)
            #expect(first.first?["kid"]?.stringValue == world.authority.vault.receiptKey.thumbprint)
        }
    }

    @Test(
        """
        a hint that is no ID token of ours for this client, and claims that cannot be read, are mistakes of the request
        """
    )
    func brokenHints() async throws {
        try await World.visit { world in
            let good = try await hint(world)
            let parts = good.split(separator: ".")
            let other = try await hint(world, of: "somebody").split(separator: ".")
            let wrong = [
                try await hint(world, for: world.bank.record.id), try await hint(world, issuer: "https://evil.example"),
                try world.signed(
                    .object([
                        "iss": .string(World.issuer),
                        "sub": .string(try await subject(world, at: world.shop.record.id)),
                        "aud": .string(world.shop.record.id.rawValue),
                    ])),
                "\(parts[0]).\(other[1]).\(parts[2])", "\(parts[0]).\(parts[1]).", "nonsense",
            ]
            for hint in wrong {
                for address in [World.phone, World.otherPhone] {
                    let answer = try await world.open(["id_token_hint": hint], from: address)
                    #expect(answer.landing["error"] == "invalid_request" && answer.secret == nil)
                }
                let pushed = try await world.call(
                    .post, .push, headers: world.basic(), form: OpenIDLogin.request(world, ["id_token_hint": hint]))
                #expect(pushed.error == "invalid_request", "said to the server that pushes")
            }
            for text in [
                "[]", "x", #"{"id_token":{"sub":{"value":1}}}"#, #"{"id_token":{"sub":{"values":"x"}}}"#,
                #"{"id_token":{},"id_token":{}}"#,
            ] {
                #expect(try await world.open(["claims": text]).landing["error"] == "invalid_request", "\(text)")
            }
            #expect(NaiveProvider().login(at: World.otherPhone, hint: "nonsense") == "person at \(World.otherPhone)")
        }
    }

    @Test(
        "prompt=none with a person's name is one and the same no, whoever's phone it is, and so tells nobody anything")
    func silent() async throws {
        try await World.visit { world in
            let own = try await hint(world)
            for address in [World.phone, World.otherPhone, "198.51.100.9"] {
                let answer = try await world.open(["prompt": "none", "id_token_hint": own], from: address)
                #expect(answer.landing["error"] == "login_required" && answer.landing["code"] == nil)
            }
        }
    }

    // MARK: - Without a page (docs/camara.md)

    @Test(
        """
        without a page each answer has a sub of its own, the same in ID token and userinfo; with the app's record the \
        lasting one
        """
    )
    func silentIdentification() async throws {
        try await World.visitBank { world in
            let scope = "openid \(World.verify) \(World.purpose)"
            func names() async throws -> [String] {
                var names: [String] = []
                for _ in 0..<3 {
                    let tokens = try await world.networkTokens(scope)
                    let name = try #require(tokens.claims("id_token")["sub"]?.stringValue)
                    let access = try #require(tokens.json["access_token"]?.stringValue)
                    #expect(try await world.userInfo(access).json["sub"]?.stringValue == name)
                    names.append(name)
                }
                return names
            }
            let lasting = try await subject(world, at: world.bank.record.id)
            let passing = try await names()
            #expect(Set(passing).count == 3 && !passing.contains(lasting))
            try await world.changeBankClient { $0.stableSubjectWithoutPage = true }
            #expect(try await names() == [lasting, lasting, lasting])
            // The double reveals the person to any site that embeds it.
            let naive = NaiveProvider()
            #expect(Set((0..<3).map { _ in naive.silentSubject(at: World.phone) }).count == 1)
        }
    }

    @Test(
        """
        without a page an account can be asked for only where the app's record says so, and then another one is refused
        """
    )
    func silentHints() async throws {
        try await World.visitBank { world in
            let scope = "openid \(World.verify) \(World.purpose)"
            let own = try await hint(world, for: world.bank.record.id)
            func ask(_ address: String) async throws -> [String: String] {
                try await world.askNetwork(scope, ["id_token_hint": own], from: address).landing
            }
            for address in [World.phone, World.otherPhone] {
                #expect(try await ask(address)["error"] == "access_denied")
            }
            try await world.changeBankClient { $0.stableSubjectWithoutPage = true }
            #expect(try await ask(World.phone)["code"] != nil)
            #expect(try await ask(World.otherPhone)["error"] == "access_denied")
        }
    }
}

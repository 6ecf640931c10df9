import Crypto
import CryptoExtras
import Foundation
import HTTPTypes
import ServerTestKit
import Store
import StoreSQLite
import Testing

@testable import Authority
@_spi(Server) @testable import BenjiProtocol
@testable import OpenIDProvider
@testable import Requests

/// The proofs of an app's server, and the claims that it cannot forge (RFC 7523, RFC 9101, RFC 9126, RFC 8725).
@Suite("An app's server at the OpenID provider")
struct OpenIDClientTests {
    /// A code of the bank's, whose server authenticates with a key.
    private func bankCode(_ world: OpenIDWorld) async throws -> String {
        let page = try await world.open([
            "client_id": world.bank.record.id.rawValue, "redirect_uri": "https://bank.example/callback",
        ])
        return try #require(try await world.tap(page).landing["code"])
    }

    private func exchange(_ world: OpenIDWorld, _ code: String, assertion: String?) async throws -> Exchange {
        var form = [
            "grant_type": "authorization_code", "code": code, "redirect_uri": "https://bank.example/callback",
            "code_verifier": OpenIDLogin.verifier, "client_assertion_type": ProviderContext.assertionType,
        ]
        form["client_assertion"] = assertion
        return try await world.call(.post, .token, form: form)
    }

    @Test("an assertion for the issuer or the endpoint counts, once")
    func assertionReplay() async throws {
        try await OpenIDWorld.visit { world in
            let list = JSON.array([.string(OpenIDWorld.issuer)])
            for audience in [.string(OpenIDWorld.issuer), .string(OpenIDWorld.issuer + "/openid/token"), list] {
                let assertion = try world.assertion(audience: audience)
                #expect(try await exchange(world, try await bankCode(world), assertion: assertion).status == .ok)
                let replay = try await exchange(world, try await bankCode(world), assertion: assertion)
                #expect(replay.status == .unauthorized && replay.error == "invalid_client")
                #expect((1...2).allSatisfy { _ in believes(world, assertion) }, "the double takes it twice")
            }
        }
    }

    /// Whether the double believes an assertion.
    private func believes(_ world: OpenIDWorld, _ assertion: String) -> Bool {
        NaiveProvider().claims(assertion, key: world.bankKey.publicKey, now: world.clock.now.seconds) != nil
    }

    @Test("an assertion that lives too long, is old, or is meant for somebody else does not count")
    func assertionClaims() async throws {
        try await OpenIDWorld.visit { world in
            let wrong = [
                try world.assertion(life: 3601), try world.assertion(life: 7200),
                try world.assertion(life: 60, issuedAgo: 60), try world.assertion(life: 3600, issuedAgo: -60),
                try world.assertion(audience: "https://attacker.example"),
                try world.assertion(audience: .array([.string(OpenIDWorld.issuer), 1])),
                try world.assertion(audience: .array([])),
                try world.assertion(audience: .array([.string(OpenIDWorld.issuer), "https://attacker.example"])),
                try world.assertion(audience: .string(OpenIDWorld.pages + "/openid/authorize")),
                try world.assertion(subject: world.shop.record.id.rawValue), try world.assertion(id: ""),
                "nonsense", "",
            ]
            let code = try await bankCode(world)
            for assertion in wrong {
                #expect(try await exchange(world, code, assertion: assertion).error == "invalid_client")
            }
            #expect(try await exchange(world, code, assertion: try world.assertion(life: 3600)).status == .ok)
            _ = try await world.clients.set(world.bank.record.id) { $0.purposes = ["dpv:FraudPreventionAndDetection"] }
            let other = try await bankCode(world)
            for life: Int64 in [301, 3600] {
                let long = try world.assertion(life: life)
                #expect(try await exchange(world, other, assertion: long).error == "invalid_client", "CAMARA's profile")
            }
            // The double looks at the signature and whether it is over: all but the old one and the last two.
            #expect(wrong.count { believes(world, $0) } == wrong.count - 3)
            #expect(believes(world, try world.assertion(life: 3600 * 24 * 365)))
        }
    }

    /// A JWT whose header chooses an algorithm that takes the public key, or nothing, for a secret.
    private func forged(_ claims: JSON, algorithm: String, secret: [UInt8]) -> String {
        let header = JSON.object(["alg": .string(algorithm), "typ": "JWT"])
        let input = "\(Base64URL.encode(header.serialized)).\(Base64URL.encode(claims.serialized))"
        guard algorithm != "none" else { return input + "." }
        let code = HMAC<SHA256>.authenticationCode(for: Array(input.utf8), using: SymmetricKey(data: secret))
        return "\(input).\(Base64URL.encode(Array(code)))"
    }

    @Test("alg none, the public key as an HMAC secret, another key and another algorithm's name sign nothing")
    func algorithms() async throws {
        try await OpenIDWorld.visit { world in
            let claims = JSON.object([
                "iss": .string(world.bank.record.id.rawValue), "sub": .string(world.bank.record.id.rawValue),
                "aud": .string(OpenIDWorld.issuer), "iat": .integer(world.clock.now.seconds),
                "exp": .integer(world.clock.now.seconds + 60), "jti": "forged",
            ])
            let publicKey = world.bankKey.publicKey
            let wrong = [
                forged(claims, algorithm: "none", secret: []), forged(claims, algorithm: "None", secret: [1]),
                forged(claims, algorithm: "HS256", secret: Array(publicKey.pemRepresentation.utf8)),
                forged(claims, algorithm: "HS256", secret: Array(publicKey.rawRepresentation)),
                forged(claims, algorithm: "HS256", secret: Array(publicKey.x963Representation)),
                try world.assertion(key: P256.Signing.PrivateKey()), try world.assertion(algorithm: "RS256"),
                try world.assertion(algorithm: "ES384"),
            ]
            let code = try await bankCode(world)
            for assertion in wrong {
                #expect(try await exchange(world, code, assertion: assertion).error == "invalid_client")
            }
            #expect(wrong.prefix(3).allSatisfy { believes(world, $0) }, "none twice, and the public key as a secret")
        }
    }

    @Test("a secret counts in the header alone; a client is held to its registered method")
    func secrets() async throws {
        try await OpenIDWorld.visit { world in
            let code = try await world.code()
            let wrong = try await world.exchange(code, headers: world.basic(secret: "wrong"))
            #expect(wrong.status == .unauthorized && wrong.headers[.wwwAuthenticate] == #"Basic realm="openid""#)
            #expect(try await world.exchange(code, headers: [:]).error == "invalid_client")
            let body = ["client_id": world.shop.record.id.rawValue, "client_secret": world.secret]
            #expect(try await world.exchange(code, body, headers: [:]).error == "invalid_client")
            #expect(
                try await world.exchange(code, ["client_id": world.bank.record.id.rawValue]).error == "invalid_client")
            let basic = "Basic " + Data("\(world.bank.record.id.rawValue):".utf8).base64EncodedString()
            #expect(try await world.exchange(code, headers: [.authorization: basic]).error == "invalid_client")
            #expect(try await world.exchange(code).status == .ok)
        }
    }

    @Test("a client's former secret works beside the new one until it is retired, its days are over, or at once")
    func rotation() async throws {
        try await OpenIDWorld.visit { world in
            let clients = world.clients
            let shop = world.shop.record.id
            func works(_ secret: AppKey?) async throws -> Bool {
                let headers = try world.basic(secret: #require(secret).reveal())
                return try await world.exchange(try await world.code(), headers: headers).status == .ok
            }
            let first = AppKey(world.secret)
            let second = try await clients.rotateSecret(of: shop).secret
            #expect(try await [works(first), works(second)] == [true, true])
            #expect(try await world.authority.apps.usages(of: shop).isEmpty, "what was used is not written at once")
            try await world.authority.apps.writeUsages()
            #expect(
                try await world.authority.apps.usages(of: shop).map { "\($0.use) \($0.version)" }
                    == ["openID 1", "openID 2"])
            await #expect(throws: Refusal.self) { try await clients.rotateSecret(of: shop) }
            _ = try await clients.retireSecret(of: shop)
            #expect(try await [works(first), works(second)] == [false, true])
            await #expect(throws: Refusal.self, "the last one") { try await clients.retireSecret(of: shop) }
            let third = try await clients.rotateSecret(of: shop, keeping: .days(2)).secret
            #expect(try await [works(second), works(third)] == [true, true])
            world.clock.advance(by: .seconds(2 * 86400))
            #expect(try await [works(second), works(third)] == [false, true])
            let fourth = try await clients.rotateSecret(of: shop, keeping: .none).secret
            #expect(try await [works(third), works(fourth)] == [false, true])
        }
    }

    @Test("setting a client again changes what is named and keeps the rest, its secret and images too")
    func setAgain() async throws {
        try await OpenIDWorld.visit(\.asksMiddleDigits) { world in
            let clients = world.clients
            let shop = world.shop.record.id
            let picture: [UInt8] = [0xff, 0xd8, 0xff, 1]
            _ = try await clients.set(shop) { $0.media = ["logo": picture, "back": picture] }
            let before = try await clients.find(shop)
            let again = try await clients.set(shop) {
                $0.redirectURIs.append("https://shop.example/second")
                $0.media = ["icon": picture]
                $0.removedMedia = ["back"]
            }
            #expect(again.secret == nil, "no new secret")
            var expected = before
            expected.redirectURIs.append("https://shop.example/second")
            expected.revision += 1
            #expect(again.record == expected)
            #expect(try await clients.find(shop) == expected)
            #expect(try await Set(world.store.openIDMediaDigests(of: shop).keys) == ["logo", "icon"])
            let page = try await world.open()
            let typed = try await world.tap(
                try await world.tap(page), action: "digits", digits: "0000", cookie: page.cookie)
            let code = try #require(typed.landing["code"])
            #expect(try await world.exchange(code).status == .ok, "the secret of before")
            let tooMany = Dictionary(uniqueKeysWithValues: (0..<15).map { ("\($0)", picture) })
            await #expect(throws: Refusal.self) { try await clients.set(shop) { $0.media = tooMany } }
            let fitting = tooMany.filter { $0.key != "0" }
            _ = try await clients.set(shop) { $0.media = fitting }
            #expect(try await world.store.openIDMediaDigests(of: shop).count == 16)
            await #expect(throws: Refusal.self, "a new client without a page") {
                try await world.authority.apps.change(world.bank.record.id) { $0.name = "Bank" }
                try await clients.remove(world.bank.record.id)
                _ = try await clients.set(world.bank.record.id) { $0.redirectURIs = ["https://bank.example/callback"] }
            }
        }
    }

    @Test("who changes a client while others do loses nothing of theirs; a double that does not compare does")
    func concurrentChanges() async throws {
        try await OpenIDWorld.visit { world in
            let clients = world.clients
            let shop = world.shop.record.id
            let uris = (0..<24).map { "https://shop.example/\($0)" }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for uri in uris {
                    group.addTask { _ = try await clients.set(shop) { $0.redirectURIs.append(uri) } }
                }
                try await group.waitForAll()
            }
            #expect(try await Set(clients.find(shop).redirectURIs) == Set(uris + [OpenIDWorld.callback]))

            // The double writes what it read, whatever was written since.
            let read = try await clients.find(shop)
            let rotated = try await clients.rotateSecret(of: shop, keeping: .none)
            var late = read
            late.asksMiddleDigits = true
            await #expect(throws: StoreError(.outdated, "")) { try await world.store.putOpenIDClient(late) }
            #expect(try await clients.find(shop).secrets == rotated.record.secrets)
            late.revision = rotated.record.revision
            try await world.store.putOpenIDClient(late)
            #expect(try await clients.find(shop).secrets == read.secrets, "the rotated secret is back")
        }
    }

    @Test("an app that named no server address is answered nowhere, unless its operator says that anywhere will do")
    func noAddresses() async throws {
        try await OpenIDWorld.visit { world in
            let access = try await world.accessToken()
            let form = ["token": String(repeating: "a", count: 43)]
            try await world.changeShop(app: { $0.openIDFromAnywhere = false })
            #expect(
                try await world.call(.post, .introspect, headers: world.basic(), form: form).error
                    == "unauthorized_client")
            #expect(try await world.userInfo(access).status == .unauthorized)
            try await world.changeShop(app: { $0.openIDFromAnywhere = true })
            #expect(try await world.userInfo(access).json["phone_number"] != nil)
            let app = try await world.authority.registeredApp(world.shop.record.id)
            let call = ServerCall(
                app: app, key: app.serverKeys[0], interface: "test", peer: InternetAddress("203.0.113.7")!, sentAt: nil)
            let refusal = #expect(throws: Refusal.self) { try world.authority.admit(call, needs: .login) }
            #expect(refusal?.situation == .serverAddressNotAllowed, "a sign alone is not enough anywhere")
        }
    }

    @Test("an app that named its server's addresses is answered there alone")
    func addresses() async throws {
        try await OpenIDWorld.visit { world in
            var record = try await world.authority.apps.find(world.shop.record.id).record
            record.serverAddresses = ["203.0.113.0/24"]
            record.openIDFromAnywhere = false
            try await world.store.updateApp(record)
            let form = ["token": String(repeating: "a", count: 43)]
            let elsewhere = try await world.call(
                .post, .introspect, headers: world.basic(), form: form, from: "192.0.2.1")
            #expect(elsewhere.error == "unauthorized_client")
            #expect(
                try await world.call(.post, .introspect, headers: world.basic(), form: form).json["active"] == false)
            let access = try await world.accessToken()
            #expect(try await world.userInfo(access, from: "192.0.2.1").status == .unauthorized)
            #expect(try await world.userInfo(access).json["phone_number"] != nil)
        }
    }

    @Test("a server whose clock was put back takes what is signed now, and nothing that was signed before")
    func clockPutBack() async throws {
        try await OpenIDWorld.visit { world in
            let early = try world.assertion(life: 300)
            #expect(try await exchange(world, try await bankCode(world), assertion: early).status == .ok)
            world.clock.set(by: .seconds(-3600))
            let honest = try world.assertion(life: 300)
            #expect(try await exchange(world, try await bankCode(world), assertion: honest).status == .ok)
            let object = try world.requestObject { try world.signed($0) }
            #expect(try await world.openSigned(object).secret != nil)
            // The clock passes the hour once more, and messages signed in it are fresh again.
            world.clock.advance(by: .seconds(3600))
            #expect(try await exchange(world, try await bankCode(world), assertion: early).error == "invalid_client")
        }
    }

    // MARK: - Request objects

    @Test("a signed request counts as it was signed, whatever stands beside it")
    func requestObject() async throws {
        try await OpenIDWorld.visit { world in
            let object = try world.requestObject { try world.signed($0, type: "oauth-authz-req+jwt") }
            let page = try await world.openSigned(object, ["state": "other", "prompt": "none"])
            #expect(page.status == .ok)
            #expect(try await world.tap(page).landing["state"] == "signed-state")
        }
    }

    @Test("a signed request may hold parameters that are not known, of any type; a known one must be a string")
    func unknownInRequestObject() async throws {
        try await OpenIDWorld.visit { world in
            let unknown: [String: JSON?] = [
                "resource": .array(["https://api.example/a", "https://api.example/b"]),
                "authorization_details": .array([.object(["type": "payment"])]), "vendor_flag": true,
            ]
            let object = try world.requestObject(unknown) { try world.signed($0) }
            #expect(try await world.openSigned(object).status == .ok)
            let known = try world.requestObject(["nonce": .array(["a"])]) { try world.signed($0) }
            #expect(try await world.openSigned(known).secret == nil)
        }
    }

    @Test("resource and audience may occur several times in a request, and are ignored (RFC 8707, RFC 8693)")
    func repeatedParameters() async throws {
        try await OpenIDWorld.visit { world async throws in
            let form = OpenIDWorld.encoded(OpenIDLogin.request(world))
            let more = "&resource=https%3A%2F%2Fa.example&resource=https%3A%2F%2Fb.example&audience=x&audience=y"
            #expect(try await world.browse(.get, "/openid/authorize?" + form + more).secret != nil)
            #expect(try await world.browse(.get, "/openid/authorize?" + form + "&scope=openid").secret == nil)
        }
    }

    @Test(
        """
        a signed request that was used counts no second time, also after a restart; where the phone was unknown it may \
        be tried again
        """
    )
    func replayedRequestObjects() async throws {
        try await OpenIDWorld.visit { world in
            let object = try world.requestObject { try world.signed($0) }
            func open(_ object: String, _ address: String = OpenIDWorld.phone) async throws -> Exchange {
                let form = OpenIDWorld.encoded(["client_id": world.bank.record.id.rawValue, "request": object])
                return try await world.browse(.get, "/openid/authorize?" + form, from: address)
            }
            #expect(try await open(object, "198.51.100.9").words.contains("无法识别本机号码"))
            #expect(try await open(object).secret != nil)
            for address in [OpenIDWorld.phone, OpenIDWorld.otherPhone] {
                let again = try await open(object, address)
                #expect(again.landing["error"] == "invalid_request_object" && again.secret == nil)
                #expect(again.location?.hasPrefix("https://bank.example/callback?") == true)
            }
            // Used objects are remembered in the store, so another process knows them.
            let restarted = OpenIDProvider(
                configuration: world.provider.configuration, authority: world.authority, store: world.store)
            let name = OpenIDWorld.encoded(["client_id": world.bank.record.id.rawValue, "request": object])
            let pairs = try #require(FormText.pairs(Array(name.utf8)))
            let sighting = await world.sighting(
                from: InternetAddress(OpenIDWorld.phone)!, port: 1, claimedLocalAddress: nil)
            let step = try await restarted.authorize(
                try OpenIDParameters(pairs), .init(cookies: [:], languages: [], sighting: sighting))
            guard case .redirect(let address) = step else { return #expect(Bool(false), "a page was shown") }
            #expect(address.contains("error=invalid_request_object"))

            let pushed = try world.requestObject { try world.signed($0) }
            var form = [
                "request": pushed, "client_assertion_type": ProviderContext.assertionType,
                "client_assertion": try world.assertion(),
            ]
            #expect(try await world.call(.post, .push, form: form).status == .created)
            form["client_assertion"] = try world.assertion()
            #expect(try await world.call(.post, .push, form: form).error == "invalid_request_object")
            #expect(try await open(pushed).landing["error"] == "invalid_request_object", "nor by a browser")
            #expect(
                (1...2).allSatisfy { _ in NaiveProvider().requestObject(object) != nil }, "the double takes it twice")
        }
    }

    @Test("a request object that is old, changed, unsigned, another's or for somebody else is refused")
    func wrongRequestObjects() async throws {
        try await OpenIDWorld.visit { world in
            let now = world.clock.now.seconds
            let honest: (JSON) throws -> String = { try world.signed($0) }
            let good = try world.requestObject([:], honest)
            let parts = good.split(separator: ".")
            let changed = try world.requestObject(["scope": "openid phone"], honest).split(separator: ".")
            let wrong = [
                try world.requestObject(["exp": .integer(now)], honest), try world.requestObject(["exp": nil], honest),
                try world.requestObject(["exp": .integer(now + 301)], honest),
                try world.requestObject(["iat": .integer(now + 60)], honest),
                try world.requestObject(["iat": nil], honest),
                try world.requestObject(["iat": .integer(now - 280)], honest),
                try world.requestObject(["nbf": .integer(now + 60)], honest),
                try world.requestObject(["jti": nil], honest), try world.requestObject(["aud": nil], honest),
                try world.requestObject(["aud": "https://attacker.example"], honest),
                try world.requestObject(["iss": .string(world.shop.record.id.rawValue)], honest),
                try world.requestObject(["client_id": .string(world.shop.record.id.rawValue)], honest),
                try world.requestObject(["sub": .string(world.bank.record.id.rawValue)], honest),
                try world.requestObject { try world.signed($0, type: "client-authentication+jwt") },
                try world.requestObject { try world.signed($0, key: P256.Signing.PrivateKey()) },
                try world.requestObject { forged($0, algorithm: "none", secret: []) },
                try world.requestObject {
                    forged($0, algorithm: "HS256", secret: Array(world.bankKey.publicKey.rawRepresentation))
                },
                "\(parts[0]).\(changed[1]).\(parts[2])", "\(parts[0]).\(parts[1]).", "nonsense",
            ]
            for object in wrong {
                let answer = try await world.openSigned(object)
                #expect(answer.location == nil && answer.status == .badRequest)
                let told = try await world.openSigned(object, ["redirect_uri": "https://bank.example/callback"])
                #expect(told.landing["error"] == "invalid_request_object")
            }
            #expect(
                wrong.dropLast().allSatisfy { NaiveProvider().requestObject($0)?["scope"] != nil },
                "the double does what any of them says")
        }
    }

    @Test("what stands beside a request object must not say something else")
    func besideRequestObjects() async throws {
        try await OpenIDWorld.visit { world in
            let object = try world.requestObject { try world.signed($0) }
            for beside in [
                ["scope": "openid phone"], ["response_type": "token"],
                ["redirect_uri": "https://shop.example/callback"],
            ] {
                let answer = try await world.openSigned(object, beside)
                #expect(answer.location == nil && answer.status == .badRequest)
            }
        }
    }

    @Test("request_uri is not fetched from anywhere")
    func requestURI() async throws {
        try await OpenIDWorld.visit { world in
            let answer = try await world.open(["request_uri": "https://shop.example/request.jwt"])
            #expect(answer.landing["error"] == "request_uri_not_supported")
        }
    }

    // MARK: - Pushed requests

    private func push(_ world: OpenIDWorld, _ changes: [String: String?] = [:]) async throws -> Exchange {
        try await world.call(.post, .push, headers: world.basic(), form: OpenIDLogin.request(world, changes))
    }

    @Test("a pushed request logs in once, is opened within a minute, and only by its own client")
    func pushed() async throws {
        try await OpenIDWorld.visit(\.requiresPushedRequests) { world in
            func open(_ uri: String, client: RegisteredApp) async throws -> Exchange {
                try await world.browse(
                    .get,
                    "/openid/authorize?"
                        + OpenIDWorld.encoded(["client_id": client.record.id.rawValue, "request_uri": uri]))
            }
            let pushed = try await push(world)
            #expect(pushed.status == .created && pushed.json["expires_in"] == 60)
            let uri = try #require(pushed.json["request_uri"]?.stringValue)
            #expect(try await open(uri, client: world.bank).status == .badRequest)
            let page = try await open(uri, client: world.shop)
            let reloaded = try await open(uri, client: world.shop)
            #expect(try await world.tap(page).landing["state"] == "af0ifjsldkj")
            #expect(
                try await world.tap(reloaded).location == nil, "the page that was loaded again logs in no second time")
            try leadsBack(try await open(uri, client: world.shop))

            let other = try #require(try await push(world).json["request_uri"]?.stringValue)
            let first = try await open(other, client: world.shop)
            let second = try await open(other, client: world.shop)
            world.clock.advance(by: .seconds(120))
            #expect(try await world.tap(second).landing["code"] != nil, "a page lives longer than its request")
            #expect(try await world.tap(first).location == nil)

            let declined = try #require(try await push(world).json["request_uri"]?.stringValue)
            let no = try await world.tap(try await open(declined, client: world.shop), action: "switch")
            #expect(no.landing["error"] != nil)
            try leadsBack(try await open(declined, client: world.shop))

            let late = try #require(try await push(world).json["request_uri"]?.stringValue)
            world.clock.advance(by: .seconds(60))
            try leadsBack(try await open(late, client: world.shop))
            #expect(try await open(late, client: world.bank).status == .badRequest)
            #expect(try await world.open().landing["error"] == "invalid_request", "the app's requests must be pushed")
        }
    }

    /// A login that is done already or was waited for is no mistake of the app's. The app gets `access_denied`.
    private func leadsBack(_ answer: Exchange) throws {
        #expect(answer.status == .forbidden && answer.words.contains("页面已失效"))
        let link = try #require(answer.body.firstMatch(of: /href="(https:\/\/shop\.example\/callback[^"]*)"/)?.1)
        #expect(link.contains("error=access_denied") && link.contains("state=af0ifjsldkj"))
    }

    @Test("what is wrong with a request is said when it is pushed, and a stranger can push nothing")
    func wrongPushes() async throws {
        try await OpenIDWorld.visit { world in
            #expect(try await push(world, ["redirect_uri": "https://evil.example"]).error == "invalid_request")
            #expect(try await push(world, ["code_challenge": nil]).error == "invalid_request")
            #expect(try await push(world, ["request_uri": "urn:x"]).error == "invalid_request")
            let stranger = try await world.call(.post, .push, form: OpenIDLogin.request(world))
            #expect(stranger.status == .unauthorized)
        }
    }

    // MARK: - Introspection and revocation

    @Test("a client learns and ends what is its own; looking does not spend")
    func inspect() async throws {
        try await OpenIDWorld.visit { world in
            let access = try await world.accessToken()
            func look(_ headers: HTTPFields, _ form: [String: String] = [:]) async throws -> JSON {
                try await world.call(.post, .introspect, headers: headers, form: ["token": access].merging(form) { $1 })
                    .json
            }
            func bank() throws -> [String: String] {
                ["client_assertion_type": ProviderContext.assertionType, "client_assertion": try world.assertion()]
            }
            #expect(try await look([:], try bank()) == .object(["active": false]))
            let own = try await look(world.basic())
            #expect(own["active"] == true && own["scope"] == "openid phone" && own["phone_number"] == nil)
            let theirs = try await world.call(.post, .revoke, form: ["token": access].merging(try bank()) { $1 })
            #expect(theirs.status == .ok)
            #expect(try await look(world.basic())["active"] == true)
            _ = try await world.call(.post, .revoke, headers: world.basic(), form: ["token": access])
            #expect(try await look(world.basic()) == .object(["active": false]))
            #expect(try await world.userInfo(access).status == .unauthorized)
            #expect(try await world.call(.post, .introspect, form: ["token": access]).status == .unauthorized)
        }
    }

    @Test("a token that another SIM has ended is not called active")
    func inspectAfterSwap() async throws {
        try await OpenIDWorld.visit { world in
            let access = try await world.accessToken()
            try await world.attach(OpenIDWorld.number, at: OpenIDWorld.phone, imsi: "460000000000009", binding: 9)
            let told = try await world.call(.post, .introspect, headers: world.basic(), form: ["token": access])
            #expect(told.json == .object(["active": false]))
            #expect(try await world.userInfo(access).status == .unauthorized)
            await world.store.close()
            let down = try await world.call(.post, .introspect, headers: world.basic(), form: ["token": access])
            #expect(down.error == "temporarily_unavailable")
        }
    }

    @Test("other grants, other content and other methods are refused")
    func forms() async throws {
        try await OpenIDWorld.visit { world in
            for grant in ["refresh_token", "password", "implicit"] {
                let answer = try await world.call(.post, .token, headers: world.basic(), form: ["grant_type": grant])
                #expect(answer.error == "unsupported_grant_type")
            }
            #expect(try await world.call(.get, .token).status == .methodNotAllowed)
        }
    }

    // MARK: - Key sets

    @Test(
        "a key set without a key that can be used, or that is none, is not registered",
        arguments: [
            #"{"keys":[]}"#, #"{"keys":[{"kty":"oct","k":"AAAA"}]}"#,
            #"{"keys":[{"kty":"EC","crv":"P-256","x":"AA","y":"AA"}]}"#,
            #"{"keys":[{"kty":"EC","crv":"P-384","x":"AA","y":"AA"}]}"#,
            #"{"keys":[{"kty":"RSA","n":"AQAB","e":"AQAB"}]}"#,
            #"{"keys":[{"kty":"OKP","crv":"Ed25519","x":"AA"}]}"#, "[]", "", #"{"keys":[1]}"#,
        ])
    func keySets(_ text: String) { #expect(throws: JSONError.self) { try ClientKeySet(parsing: text) } }

    @Test(
        "a key that cannot be used is ignored and named with the reason, and the others count",
        arguments: [
            (#"{"kty":"AKP","alg":"ML-DSA-65","kid":"pq","pub":"AAAA"}"#, "(kid pq): alg ML-DSA-65 is not supported"),
            (#"{"kty":"OKP","crv":"Ed25519","x":"AA"}"#, "jwks.keys[1]: kty OKP is not supported"),
            (#"{"kty":"EC","crv":"P-384","x":"AA","y":"AA"}"#, "crv P-384 is not supported"),
            (#"{"kty":"EC","crv":"P-256","x":"AA","y":"AA"}"#, "is not a point of P-256"),
            (#"{"kty":"RSA","n":"AQAB","e":"AQAB"}"#, "2048 to 8192 bits"),
            (#"{"kty":"RSA","use":"enc","n":"AQAB","e":"AQAB"}"#, "use must be sig"),
            (#"{"kty":"EC","key_ops":["sign"],"crv":"P-256"}"#, "key_ops must contain verify"),
            (#"{"kty":"EC","alg":"ES384","crv":"P-256"}"#, "alg ES384 is not supported"),
            (#"{"kid":"\u202e"}"#, "kty is missing or not supported"),
        ])
    func ignoredKeys(_ text: String, _ reason: String) throws {
        let good = OpenIDWorld.jwk(P256.Signing.PrivateKey().publicKey, id: "good")
        let other = try JSON(parsing: text)
        let set = try ClientKeySet(parsing: JSON.object(["keys": .array([good, other])]).text)
        #expect(set.ignored.count == 1 && set.ignored[0].description.contains(reason), "\(set.ignored)")
        #expect(set.ignored[0].place.hasPrefix("jwks.keys[1]") && !set.ignored[0].description.contains("\u{202e}"))
        let alone = try ClientKeySet(parsing: JSON.object(["keys": .array([good])]).text)
        #expect(set.canonical == alone.canonical && alone.ignored.isEmpty)
        // A double that refuses the set for one key that does not concern it leaves the app without its good one.
        #expect(throws: JSONError.self) { for key in [good, other] { _ = try ClientKeySet.key(key, path: "key") } }
        #expect(throws: JSONError.self) { try ClientKeySet(parsing: JSON.object(["keys": .array([other])]).text) }
    }

    @Test("a key that says in any of three ways that it is for signatures counts")
    func namedUses() throws {
        guard case .object(let members) = OpenIDWorld.jwk(P256.Signing.PrivateKey().publicKey, id: "x") else { return }
        for member in [
            JSON.Member("use", "sig"), JSON.Member("alg", "ES256"),
            JSON.Member("key_ops", .array(["sign", "verify"])),
        ] {
            let set = try ClientKeySet(parsing: JSON.object(["keys": .array([.object(members + [member])])]).text)
            #expect(set.ignored.isEmpty, "\(member.name)")
        }
    }

    @Test(
        "a set in which any key holds a secret is refused, and the error names the member",
        arguments: ["d", "p", "q", "dp", "dq", "qi", "oth", "k", "priv"])
    func secretsInSets(_ member: String) throws {
        let good = OpenIDWorld.jwk(P256.Signing.PrivateKey().publicKey, id: "good")
        // The key itself is of a type that is ignored.
        let other = JSON.object([.init("kty", "XYZ"), .init("kid", "leaked"), .init(member, "c2VjcmV0")])
        let error = #expect(throws: JSONError.self) {
            try ClientKeySet(parsing: JSON.object(["keys": .array([good, other])]).text)
        }
        #expect(error?.description.hasPrefix("jwks.keys[1] (kid leaked): \(member) is a secret") == true)
        #expect(error?.description.contains("c2VjcmV0") == false)
    }

    @Test(
        "keys that are ignored do not count against the sixteen, and a set with more that can be used is refused"
    )
    func keyCount() throws {
        let point = OpenIDWorld.jwk(P256.Signing.PrivateKey().publicKey, id: "x")
        let other = JSON.object(["kty": "OKP", "crv": "Ed25519", "x": "AA"])
        func parse(_ count: Int) throws -> ClientKeySet {
            let keys = Array(repeating: point, count: count) + Array(repeating: other, count: 9)
            return try ClientKeySet(parsing: JSON.object(["keys": .array(keys)]).text)
        }
        #expect(try parse(16).ignored.count == 9)
        #expect(throws: JSONError.self) { try parse(17) }
    }

    @Test("a key whose certificate cannot be read, or is another key's, counts without it")
    func unreadableCertificates() throws {
        guard case .object(var members) = OpenIDWorld.jwk(P256.Signing.PrivateKey().publicKey, id: "x") else { return }
        members.append(.init("x5c", .array(["AAAA"])))
        let set = try ClientKeySet(parsing: JSON.object(["keys": .array([.object(members)])]).text)
        #expect(set.certificates.isEmpty && !set.canonical.contains("x5c"))
        #expect(set.ignored.map(\.description).joined().contains("x5c must be a list of certificates"))
    }

    @Test("a key set of more than 16 KiB is not read, and one that fits is kept without what nobody reads")
    func keySetSize() async throws {
        let key = OpenIDWorld.jwk(P256.Signing.PrivateKey().publicKey, id: "x")
        func text(_ size: Int) -> String {
            JSON.object([
                "keys": .array([key]), "note": .array(Array(repeating: 1, count: size / 2)),
            ]).text
        }
        #expect(throws: JSONError.self) { try ClientKeySet(parsing: text(16 * 1024)) }
        let set = try ClientKeySet(parsing: text(15 * 1024))
        #expect(set.canonical.utf8.count < 512 && !set.canonical.contains("note"))
        #expect(try ClientKeySet(parsing: set.canonical).canonical == set.canonical)
        #expect(set.canonical.contains(#""kid":"x""#))
    }

    @Test(
        "an RSA key of 2048 to 8192 bits is used, and a smaller or larger one is not",
        arguments: [(2040, false), (2047, false), (2048, true), (8192, true), (8193, false)] as [(Int, Bool)])
    func rsaSizes(bits: Int, isUsed: Bool) {
        // Any odd number does: a key set is not asked for the primes. Zeros before it make no key larger.
        let top: [UInt8] = bits % 8 == 0 ? [] : [1 << (bits % 8) - 1]
        for zeros in [0, 1] {
            let modulus = [UInt8](repeating: 0, count: zeros) + top + [UInt8](repeating: 0xff, count: bits / 8)
            let jwk = JSON.object(["kty": "RSA", "n": .string(Base64URL.encode(modulus)), "e": "AQAB"])
            let set = try? ClientKeySet(parsing: JSON.object(["keys": .array([jwk])]).text)
            #expect((set != nil) == isUsed, "\(bits) bits after \(zeros) zeros")
        }
    }

    @Test("an RSA key signs under PS256 and RS256, or under the one that it is registered for")
    func rsaKeys() throws {
        let key = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        let numbers = try key.publicKey.getKeyPrimitives()
        func isSigner(registeredFor algorithm: String?, signing name: String) throws -> Bool {
            let jwk = JSON.object([
                "kty": "RSA", "n": .string(Base64URL.encode(Array(numbers.modulus))),
                "e": .string(Base64URL.encode(Array(numbers.publicExponent))), "alg": algorithm.map { .string($0) },
            ])
            let header = Base64URL.encode(JSON.object(["alg": .string(name)]).serialized)
            let input = "\(header).\(Base64URL.encode(Array("{}".utf8)))"
            let signature = try key.signature(
                for: SHA256.hash(data: Array(input.utf8)), padding: name == "PS256" ? .PSS : .insecurePKCS1v1_5)
            let text = "\(input).\(Base64URL.encode(Array(signature.rawRepresentation)))"
            return try ClientKeySet(parsing: JSON.object(["keys": .array([jwk])]).text).isSigner(
                of: ServerJWS(parsing: text))
        }
        for name in ["PS256", "RS256"] {
            #expect(try isSigner(registeredFor: nil, signing: name))
            #expect(try isSigner(registeredFor: name, signing: name))
            #expect(try !isSigner(registeredFor: name == "PS256" ? "RS256" : "PS256", signing: name))
        }
    }

    @Test("what names a key is signed by that key; where either has no name, by any key of the client's")
    func keyNames() throws {
        let key = P256.Signing.PrivateKey()
        func isSigner(registeredAs id: String?, naming name: String?) throws -> Bool {
            guard case .object(var jwk) = OpenIDWorld.jwk(key.publicKey, id: id ?? "") else { return false }
            if id == nil { jwk.removeAll { $0.name == "kid" } }
            let header = JSON.object(["alg": "ES256", "kid": name.map { .string($0) }])
            let input = "\(Base64URL.encode(header.serialized)).\(Base64URL.encode(Array("{}".utf8)))"
            let signature = try key.signature(for: Array(input.utf8))
            let text = "\(input).\(Base64URL.encode(Array(signature.rawRepresentation)))"
            return try ClientKeySet(parsing: JSON.object(["keys": .array([.object(jwk)])]).text).isSigner(
                of: ServerJWS(parsing: text))
        }
        #expect(try isSigner(registeredAs: "a", naming: "a"))
        #expect(try isSigner(registeredAs: "a", naming: nil))
        #expect(try isSigner(registeredAs: nil, naming: "a"))
        #expect(try isSigner(registeredAs: nil, naming: nil))
        #expect(try !isSigner(registeredAs: "a", naming: "b"))
    }

    @Test("a private key that is registered by mistake is refused, and the error does not repeat it")
    func privateKeys() throws {
        let key = P256.Signing.PrivateKey()
        guard case .object(var members) = OpenIDWorld.jwk(key.publicKey, id: "x") else { return }
        let secret = Base64URL.encode(Array(key.rawRepresentation))
        members.append(.init("d", .string(secret)))
        do {
            _ = try ClientKeySet(parsing: JSON.object(["keys": .array([.object(members)])]).text)
            Issue.record("a private key was taken")
        } catch { #expect(!error.description.contains(secret)) }
    }
}

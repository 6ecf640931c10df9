import Crypto
import HTTPTypes
import ServerTestKit
import Store
import Testing

@testable import Authority
@_spi(Server) @testable import BenjiProtocol
@testable import OpenIDProvider
@testable import Requests

@Suite("A client, and what it is given, for as long as it lasts")
struct ClientLifeTests {
    @Test("a change of nothing leaves everything that a client is registered for")
    func kept() async throws {
        try await OpenIDWorld.visit { world async throws in
            let (shop, bank) = (world.shop.record.id, world.bank.record.id)
            func isKept(_ app: AppID) async throws -> OpenIDClientRecord {
                let before = try await world.clients.find(app)
                var expected = before
                expected.revision += 1
                let after = try await world.clients.set(app) { _ in }
                #expect(after.record == expected && after.secret == nil && after.ignoredKeys.isEmpty)
                return before
            }
            _ = try await world.clients.set(shop) { client in
                client.redirectURIs = [OpenIDWorld.callback, "https://shop.example/second"]
                client.authentication = .tlsClientAuth
                client.certificateName = CertificateName(.dns, "client.example")
                client.keySet = JSON.object(["keys": .array([OpenIDWorld.jwk(world.bankKey.publicKey, id: "a")])]).text
                client.idTokenAlgorithm = .rs256
                client.requiresPushedRequests = true
                client.frameAncestors = ["https://shop.example"]
                client.stableSubjectWithoutPage = true
                client.requiresPKCE = false
                client.bindsAccessTokens = true
                client.bindsToCertificate = true
                client.remembersConsent = true
                client.backchannel = BackchannelRegistration(
                    delivery: .ping, notificationEndpoint: "https://shop.example/ping")
            }
            let first = try await isKept(shop)
            #expect(first.redirectURIs.count == 2 && first.authentication == .tlsClientAuth)
            #expect(first.certificateName == CertificateName(.dns, "client.example") && first.keySet != nil)
            #expect(first.idTokenAlgorithm == .rs256 && first.requiresPushedRequests && !first.requiresPKCE)
            #expect(first.frameAncestors == ["https://shop.example"] && first.stableSubjectWithoutPage)
            #expect(first.bindsAccessTokens && first.bindsToCertificate && first.remembersConsent)
            #expect(first.backchannel?.delivery == .ping)
            _ = try await world.clients.set(bank) { client in
                client.asksMiddleDigits = true
                client.purposes = [OpenIDWorld.purpose]
            }
            let second = try await isKept(bank)
            #expect(second.asksMiddleDigits && second.purposes == [OpenIDWorld.purpose])
            _ = try await world.clients.set(bank) { client in
                client.purposes = []
                client.profile = .fapi2
            }
            #expect(try await isKept(bank).profile == .fapi2)
        }
    }

    @Test("a page, an access token and a pushed request hold until the last millisecond of their lives")
    func lives() async throws {
        try await OpenIDWorld.visit { world async throws in
            let page = try await world.open()
            world.clock.advance(by: .milliseconds(299_999))
            #expect(try await world.tap(page).landing["code"] != nil)

            let access = try await world.accessToken()
            let issued = world.clock.now.seconds
            func look() async throws -> JSON {
                try await world.call(.post, .introspect, headers: world.basic(), form: ["token": access]).json
            }
            let told = try await look()
            #expect(told["active"] == true && told["token_type"] == "Bearer" && told["cnf"] == nil)
            #expect(told["iat"]?.integerValue == issued && told["exp"]?.integerValue == issued + 300)
            #expect(told["iss"]?.stringValue == OpenIDWorld.issuer && told["acr"] == "urn:benji:net")
            #expect(told["client_id"]?.stringValue == world.shop.record.id.rawValue)
            let person = try await world.userInfo(access)
            #expect(told["sub"] != nil && told["sub"] == person.json["sub"])
            world.clock.advance(by: .milliseconds(299_998))
            #expect(try await look()["active"] == true)
            #expect(try await world.userInfo(access).status == .ok)
            world.clock.advance(by: .milliseconds(2))
            #expect(try await look() == .object(["active": false]))
            #expect(try await world.userInfo(access).status == .unauthorized)

            func push() async throws -> String {
                let pushed = try await world.call(
                    .post, .push, headers: world.basic(), form: OpenIDLogin.request(world))
                return try #require(pushed.json["request_uri"]?.stringValue)
            }
            func opens(_ uri: String) async throws -> Bool {
                let form = OpenIDWorld.encoded(["client_id": world.shop.record.id.rawValue, "request_uri": uri])
                return try await world.browse(.get, "/openid/authorize?" + form).secret != nil
            }
            for (life, isOpen) in [(59_999, true), (60_000, false)] as [(Int64, Bool)] {
                let uri = try await push()
                world.clock.advance(by: .milliseconds(life))
                #expect(try await opens(uri) == isOpen)
            }
        }
    }

    @Test("the trace of a login ends with the answer that was given, told once, and with the token's end")
    func traced() async throws {
        try await OpenIDWorld.visit { world async throws in
            let access = try await world.accessToken()
            for _ in 0..<3 { #expect(try await world.userInfo(access).status == .ok) }
            let entry = try #require(try await world.store.ledgerEntries(app: world.shop.record.id, limit: 1).first)
            func steps() async throws -> [String] { try await world.authority.traceEvents(entry.trace).map(\.step) }
            let before = try await steps()
            #expect(before.count { $0 == "openid.userinfo" } == 1 && before.last == "openid.userinfo")
            #expect(before.count { $0 == "openid.token" } == 1)
            _ = try await world.call(.post, .revoke, headers: world.basic(), form: ["token": access])
            #expect(try await steps() == before + ["openid.revoke"])
        }
    }

    @Test("discovery says which of the standards' options there are, and mutual TLS where it has an address")
    func options() async throws {
        try await OpenIDWorld.visit { world async throws in
            let plain = world.provider.metadata
            for name in [
                "backchannel_user_code_parameter_supported", "request_uri_parameter_supported",
                "claims_parameter_supported",
            ] { #expect(plain[name] == false, "\(name)") }
            for name in ["request_parameter_supported", "authorization_response_iss_parameter_supported"] {
                #expect(plain[name] == true, "\(name)")
            }
            #expect(plain["tls_client_certificate_bound_access_tokens"] == nil && plain["mtls_endpoint_aliases"] == nil)
            let other = OpenIDProvider(
                configuration: .init(
                    issuer: OpenIDWorld.issuer, pages: OpenIDWorld.pages, mutualTLS: "https://mtls.example"),
                authority: world.authority, store: world.store)
            let mutual = other.metadata
            #expect(mutual["tls_client_certificate_bound_access_tokens"] == true)
            #expect(mutual["mtls_endpoint_aliases"]?["token_endpoint"] == "https://mtls.example/openid/token")
            #expect(mutual["token_endpoint"]?.stringValue == OpenIDWorld.issuer + "/openid/token")
            func methods(_ metadata: JSON) -> [JSON] {
                metadata["token_endpoint_auth_methods_supported"]?.arrayValue ?? []
            }
            #expect(!methods(plain).contains("self_signed_tls_client_auth"))
            #expect(methods(mutual).contains("self_signed_tls_client_auth"))
            #expect(!methods(mutual).contains("tls_client_auth"), "nobody signs certificates there")
            #expect(methods(plain).contains("private_key_jwt") && methods(plain).contains("client_secret_post"))
        }
    }

    @Test("a verifier has 43 to 128 characters", arguments: [(42, false), (43, true), (128, true), (129, false)])
    func verifiers(length: Int, isTaken: Bool) async throws {
        try await OpenIDWorld.visit { world async throws in
            let verifier = String(repeating: "a", count: length)
            let challenge = Base64URL.encode(Array(SHA256.hash(data: Array(verifier.utf8))))
            let code = try await world.code(["code_challenge": challenge])
            let answer = try await world.exchange(code, ["code_verifier": verifier])
            #expect((answer.status == .ok) == isTaken && answer.error == (isTaken ? nil : "invalid_grant"))
        }
    }

    @Test("the name of an assertion or a request object has 255 bytes at most", arguments: [(255, true), (256, false)])
    func names(length: Int, isTaken: Bool) async throws {
        try await OpenIDWorld.visit { world async throws in
            let name = String(repeating: "a", count: length)
            let form = [
                "token": String(repeating: "a", count: 43), "client_assertion_type": ProviderContext.assertionType,
                "client_assertion": try world.assertion(id: name),
            ]
            let answer = try await world.call(.post, .introspect, form: form)
            #expect((answer.status == .ok) == isTaken)
            let object = try world.requestObject(["jti": .string(name)]) { try world.signed($0) }
            let page = try await world.openSigned(object)
            #expect((page.secret != nil) == isTaken)
        }
    }

    @Test(
        "an assertion is no other kind of message: its type is its own, JWT or none",
        arguments: [
            ("client-authentication+jwt", true), ("Client-Authentication+JWT", true), ("jwt", true),
            ("oauth-authz-req+jwt", false), ("dpop+jwt", false), ("", false),
        ])
    func assertionTypes(type: String, isTaken: Bool) async throws {
        try await OpenIDWorld.visit { world async throws in
            let (app, now) = (world.bank.record.id.rawValue, world.clock.now.seconds)
            let claims = JSON.object([
                "iss": .string(app), "sub": .string(app), "aud": .string(OpenIDWorld.issuer), "iat": .integer(now),
                "exp": .integer(now + 60), "jti": "a",
            ])
            let form = [
                "token": String(repeating: "a", count: 43), "client_assertion_type": ProviderContext.assertionType,
                "client_assertion": try world.signed(claims, type: type),
            ]
            let answer = try await world.call(.post, .introspect, form: form)
            #expect((answer.status == .ok) == isTaken)
        }
    }

    @Test("what the authority refuses is told in OAuth's words: come back, wrong client, not allowed, or our fault")
    func refusals() {
        let words: [(Situation, OAuthError)] = [
            (.storeUnavailable, .temporarilyUnavailable), (.overloaded, .temporarilyUnavailable),
            (.appUnknown, .invalidClient), (.appSuspended, .unauthorizedClient), (.appNotAllowed, .unauthorizedClient),
            (.capabilityMissing, .unauthorizedClient), (.parameterInvalid, .serverError),
        ]
        for (situation, error) in words {
            let failure = OpenIDFailure(Refusal(situation, "why"))
            #expect(failure.error == error && failure.detail == "why" && failure.retriesSoon, "\(situation)")
        }
        #expect(OAuthError.allCases.filter(\.isOfProof) == [.invalidDPoPProof, .useDPoPNonce])
    }
}

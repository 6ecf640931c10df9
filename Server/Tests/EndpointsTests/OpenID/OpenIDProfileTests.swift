import Crypto
import CryptoExtras
import Foundation
import HTTPTypes
import ServerTestKit
import Store
import Testing

@testable import Authority
@_spi(Server) @testable import BenjiProtocol
@testable import Endpoints
@testable import OpenIDProvider
@testable import Requests

@Suite("OpenID Connect: what each client is held to")
struct OpenIDProfileTests {
    // MARK: - Client authentication

    private func form(_ world: OpenIDWorld, _ code: String, _ more: [String: String]) -> [String: String] {
        [
            "grant_type": "authorization_code", "code": code, "redirect_uri": OpenIDWorld.callback,
            "code_verifier": OpenIDLogin.verifier,
        ].merging(more) { $1 }
    }

    @Test("a client that is registered for it brings its secret in the form, and only there; the secret stays the same")
    func clientSecretPost() async throws {
        try await OpenIDWorld.visit { world in
            let id = world.shop.record.id
            let registered = try await world.clients.set(id) { $0.authentication = .clientSecretPost }
            #expect(registered.secret == nil)
            let body = ["client_id": id.rawValue, "client_secret": world.secret]
            #expect(try await world.exchange(try await world.code()).error == "invalid_client", "in the header")
            let code = try await world.code()
            func post(_ changes: [String: String], headers: HTTPFields = [:]) async throws -> Exchange {
                try await world.call(
                    .post, .token, headers: headers, form: form(world, code, body.merging(changes) { $1 }))
            }
            #expect(try await post(["client_secret": "wrong"]).error == "invalid_client")
            #expect(try await post(["client_id": world.bank.record.id.rawValue]).error == "invalid_client")
            #expect(try await post([:], headers: world.basic()).error == "invalid_client", "twice")
            #expect(try await post([:]).status == .ok)
        }
    }

    /// An assertion with a code under a secret.
    private func assertion(
        _ world: OpenIDWorld, secret: String, algorithm: String = "HS256", _ changes: [String: JSON] = [:]
    ) -> String {
        let id = JSON.string(world.shop.record.id.rawValue)
        var claims: [String: JSON] = [
            "iss": id, "sub": id, "aud": .string(OpenIDWorld.issuer), "jti": .string(UUID().uuidString),
            "exp": .integer(world.clock.now.seconds + 60),
        ]
        for (name, value) in changes { claims[name] = value }
        let head = JSON.object(["alg": .string(algorithm), "typ": "JWT"])
        let payload = JSON.object(claims.map { JSON.Member($0.key, $0.value) })
        let input = "\(Base64URL.encode(head.serialized)).\(Base64URL.encode(payload.serialized))"
        guard algorithm != "none" else { return input + "." }
        let key = SymmetricKey(data: Array(secret.utf8))
        return "\(input)."
            + Base64URL.encode(Array(HMAC<SHA256>.authenticationCode(for: Array(input.utf8), using: key)))
    }

    @Test("a client that makes codes with its secret gets one that can be made again, and never sends it")
    func clientSecretJWT() async throws {
        try await OpenIDWorld.visit { world in
            let id = world.shop.record.id
            let registered = try await world.clients.set(id) { $0.authentication = .clientSecretJWT }
            let secret = try #require(registered.secret?.reveal(), "the secret of before is kept as a hash alone")
            #expect(secret != world.secret && registered.record.secrets.count == 1)
            func show(_ assertion: String, _ code: String) async throws -> Exchange {
                try await world.call(
                    .post, .token,
                    form: form(
                        world, code,
                        ["client_assertion_type": ProviderContext.assertionType, "client_assertion": assertion]))
            }
            let code = try await world.code()
            for wrong in [
                assertion(world, secret: world.secret), assertion(world, secret: ""),
                assertion(world, secret: secret, algorithm: "none"),
                assertion(world, secret: secret, algorithm: "HS512"),
                assertion(world, secret: secret, ["aud": "https://attacker.example"]),
                assertion(world, secret: secret, ["exp": .integer(world.clock.now.seconds + 3700)]),
                assertion(world, secret: secret, ["iss": .string(world.bank.record.id.rawValue)]),
                try world.assertion(subject: id.rawValue),
            ] {
                #expect(try await show(wrong, code).error == "invalid_client")
            }
            #expect(try await world.exchange(code, headers: world.basic(secret: secret)).error == "invalid_client")
            let good = assertion(world, secret: secret)
            #expect(try await show(good, code).status == .ok)
            #expect(try await show(good, try await world.code()).error == "invalid_client", "once")

            let second = try #require(try await world.clients.rotateSecret(of: id).secret?.reveal())
            for known in [secret, second] {
                #expect(try await show(assertion(world, secret: known), try await world.code()).status == .ok)
            }
            _ = try await world.clients.retireSecret(of: id)
            #expect(
                try await show(assertion(world, secret: secret), try await world.code()).error == "invalid_client")
            let back = try await world.clients.set(id) { $0.authentication = .clientSecretBasic }
            #expect(back.secret != nil, "a secret that can be made again serves for codes alone")
            // The bank signs: a code under its public key is none.
            let bank = world.bankKey.publicKey.pemRepresentation
            let claims: [String: JSON] = [
                "iss": .string(world.bank.record.id.rawValue), "sub": .string(world.bank.record.id.rawValue),
            ]
            #expect(
                try await show(assertion(world, secret: bank, claims), try await world.code()).error == "invalid_client"
            )
        }
    }

    // MARK: - PKCE

    @Test("a client that may do without PKCE may; a verifier without a challenge still counts as an attack")
    func withoutPKCE() async throws {
        try await OpenIDWorld.visit { world in
            let bare: [String: String?] = ["code_challenge": nil, "code_challenge_method": nil]
            #expect(try await world.open(bare).landing["error"] == "invalid_request", "by default it is mandatory")
            try await world.changeShop(client: { $0.requiresPKCE = false })
            #expect(try await world.exchange(try await world.code(bare), ["code_verifier": nil]).status == .ok)
            let stripped = try await world.code(bare)
            #expect(try await world.exchange(stripped).error == "invalid_grant")
            for wrong: [String: String?] in [
                ["code_challenge": nil], ["code_challenge_method": "plain"], ["code_challenge": "short"],
            ] {
                #expect(try await world.open(wrong).landing["error"] == "invalid_request")
            }
            let kept = try await world.code()
            #expect(
                try await world.exchange(kept, ["code_verifier": nil]).error == "invalid_grant",
                "who uses it is held to it")
            #expect(try await world.exchange(kept).status == .ok)
        }
        var naive = NaiveProvider()
        let code = naive.code(client: "shop", challenge: nil)
        let token = naive.exchange(code, client: "shop", verifier: OpenIDLogin.verifier)
        #expect(token != nil, "the double takes a verifier that belongs to nothing")
    }

    // MARK: - form_post

    @Test(
        "an answer that is asked for as a form is one: code and errors are in no address, and its script is ours alone")
    func formPost() async throws {
        try await OpenIDWorld.visit { world in
            let mode: [String: String?] = ["response_mode": "form_post"]
            let page = try await world.open(mode)
            let answers = [
                try await world.tap(page), try await world.tap(try await world.open(mode), action: "switch"),
                try await world.open(mode.merging(["prompt": "none"]) { $1 }),
            ]
            for (answer, member) in zip(answers, ["code", "error", "error"]) {
                #expect(answer.status == .ok && answer.location == nil)
                #expect(answer.body.contains(#"<form method="post" action="https://shop.example/callback""#))
                for name in [member, "state", "iss"] { #expect(answer.body.contains(#"name="\#(name)" value="#)) }
                let policy = try #require(answer.headers[.contentSecurityPolicy])
                let nonce = try #require(policy.firstMatch(of: /script-src 'nonce-([A-Za-z0-9_-]+)'/)?.1)
                #expect(policy.contains("form-action 'self' https:") && policy.contains("frame-ancestors 'none'"))
                #expect(answer.body.contains(#"<script nonce="\#(nonce)">"#))
                #expect(answer.headers[.cacheControl] == "no-store")
            }
            let code = try #require(answers[0].body.firstMatch(of: /name="code" value="([A-Za-z0-9]+)"/)?.1)
            #expect(try await world.exchange(String(code)).status == .ok)
            let hostile = try await world.open(
                mode.merging(["prompt": "none", "state": "\"><script>x</script>"]) { $1 })
            #expect(!hostile.body.contains("<script>x"))
            for other in ["fragment", "web_message", "query.jwt"] {
                #expect(try await world.open(["response_mode": other]).landing["error"] == "invalid_request")
            }
        }
    }

    // MARK: - FAPI 2.0

    @Test("a client of profile fapi2 is registered with nothing weaker")
    func registration() async throws {
        try await OpenIDWorld.visit { world in
            let weaker: [(inout OpenIDClients.Registration) -> Void] = [
                { $0.requiresPKCE = false }, { $0.idTokenAlgorithm = .rs256 },
                { $0.authentication = .clientSecretBasic },
                { $0.authentication = .clientSecretJWT }, { $0.purposes = ["dpv:FraudPreventionAndDetection"] },
            ]
            for change in weaker {
                let refused = await #expect(throws: Refusal.self) {
                    _ = try await world.clients.set(world.bank.record.id) { client in
                        client.profile = .fapi2
                        change(&client)
                    }
                }
                #expect(refused?.detail.contains("fapi2") == true)
            }
            _ = try await world.clients.set(world.bank.record.id) { $0.profile = .fapi2 }
        }
    }

    @Test("a client of profile fapi2 logs in by a pushed request and a bound token, and in no weaker way")
    func fapi2() async throws {
        try await OpenIDWorld.visit { world in
            let rsa = try _RSA.Signing.PrivateKey(keySize: .bits2048)
            let primitives = try rsa.publicKey.getKeyPrimitives()
            let rsaKey = JSON.object([
                "kty": "RSA", "kid": "rsa", "n": .string(Base64URL.encode(Array(primitives.modulus))),
                "e": .string(Base64URL.encode(Array(primitives.publicExponent))),
            ])
            _ = try await world.clients.set(world.bank.record.id) { client in
                client.profile = .fapi2
                client.keySet =
                    JSON.object([
                        "keys": .array([OpenIDWorld.jwk(world.bankKey.publicKey, id: "bank-1"), rsaKey])
                    ]).text
            }
            let key = ProofKey()
            let client = world.bank.record.id.rawValue
            let callback = "https://bank.example/callback"
            let request = OpenIDLogin.request(world, ["client_id": client, "redirect_uri": callback])
            func call(
                _ path: OpenIDProvider.Path, _ form: [String: String], _ assertion: String? = nil, proof: String? = nil
            ) async throws -> Exchange {
                var headers: HTTPFields = [:]
                headers[.dpop] = proof
                let proved = [
                    "client_assertion_type": ProviderContext.assertionType,
                    "client_assertion": try assertion ?? world.assertion(),
                ]
                return try await world.call(.post, path, headers: headers, form: form.merging(proved) { $1 })
            }
            let plain = try await world.browse(.get, "/openid/authorize?" + OpenIDWorld.encoded(request))
            #expect(plain.landing["error"] == "invalid_request", "nothing that was not pushed")

            let claims = JSON.object([
                "iss": .string(client), "sub": .string(client), "aud": .string(OpenIDWorld.issuer), "jti": "rsa",
                "exp": .integer(world.clock.now.seconds + 60),
            ])
            let rs256 = try JWSParts.write(
                header: .object(["alg": "RS256", "kid": "rsa"]), payload: claims
            ) { input in
                Array(
                    try rsa.signature(for: SHA256.hash(data: input), padding: .insecurePKCS1v1_5).rawRepresentation)
            }
            for weaker in [
                rs256, try world.assertion(audience: .string(OpenIDWorld.issuer + "/openid/par")),
                try world.assertion(audience: .string(OpenIDWorld.issuer + "/openid/token")),
                try world.assertion(audience: .array([.string(OpenIDWorld.issuer)])),
            ] {
                #expect(try await call(.push, request, weaker).error == "invalid_client")
            }
            #expect(
                try await call(.push, request.merging(["response_mode": "form_post"]) { $1 }).error == "invalid_request"
            )

            let nonce = world.provider.dpopNonce
            let pushed = try await call(
                .push, request, proof: try key.proof(world, .push, .post, ["nonce": .string(nonce)]))
            let uri = try #require(pushed.json["request_uri"]?.stringValue)
            let page = try await world.browse(
                .get, "/openid/authorize?" + OpenIDWorld.encoded(["client_id": client, "request_uri": uri]))
            let code = try #require(try await world.tap(page).landing["code"])
            let exchange = form(world, code, ["redirect_uri": callback])
            #expect(try await call(.token, exchange).error == "invalid_dpop_proof", "no bearer token")
            #expect(
                try await call(.token, exchange, proof: try key.proof(world, .token)).error == "use_dpop_nonce")
            let tokens = try await call(
                .token, exchange, proof: try key.proof(world, .token, .post, ["nonce": .string(nonce)]))
            #expect(tokens.json["token_type"] == "DPoP")
            let access = try #require(tokens.json["access_token"]?.stringValue)
            let posted = try await world.call(
                .post, .userInfo,
                headers: [
                    .dpop: try key.proof(world, .userInfo, .post, token: access, ["nonce": .string(nonce)])
                ], form: ["access_token": access])
            #expect(posted.status == .unauthorized, "the token goes into the header")
            let proof = try key.proof(world, .userInfo, .get, token: access, ["nonce": .string(nonce)])
            let person = try await world.call(
                .get, .userInfo, headers: [.authorization: "DPoP \(access)", .dpop: proof])
            #expect(person.json["phone_number"] == "+8613800000001")
        }
    }
}

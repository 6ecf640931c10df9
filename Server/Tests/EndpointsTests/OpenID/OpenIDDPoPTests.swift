import Crypto
import Foundation
import HTTPTypes
import ServerTestKit
import Store
import Testing

@testable import Authority
@_spi(Server) @testable import BenjiProtocol
@testable import Endpoints
@testable import OpenIDProvider

/// A client's key that its access tokens are bound to.
struct ProofKey {
    let key = P256.Signing.PrivateKey()

    var jwk: JSON {
        let point = Array(key.publicKey.rawRepresentation)
        return .object([
            "crv": "P-256", "kty": "EC", "x": .string(Base64URL.encode(point.prefix(32))),
            "y": .string(Base64URL.encode(point.suffix(32))),
        ])
    }

    /// RFC 7638: its members are in the order that the thumbprint asks for.
    var thumbprint: String { Base64URL.encode(Array(SHA256.hash(data: Array(jwk.text.utf8)))) }

    static func hash(of token: String) -> JSON {
        .string(Base64URL.encode(Array(SHA256.hash(data: Array(token.utf8)))))
    }

    func proof(
        _ world: OpenIDWorld, _ path: OpenIDProvider.Path, _ method: HTTPRequest.Method = .post, token: String? = nil,
        _ changes: [String: JSON?] = [:], header: [String: JSON?] = [:], by signer: P256.Signing.PrivateKey? = nil
    ) throws -> String {
        var claims: [String: JSON] = [
            "jti": .string(UUID().uuidString), "htm": .string(method.rawValue),
            "htu": .string(world.provider.url(path)), "iat": .integer(world.clock.now.seconds),
        ]
        claims["ath"] = token.map { Self.hash(of: $0) }
        for (name, value) in changes { claims[name] = value }
        var head: [String: JSON] = ["typ": "dpop+jwt", "alg": "ES256", "jwk": jwk]
        for (name, value) in header { head[name] = value }
        func object(_ members: [String: JSON]) -> JSON {
            .object(members.sorted { $0.key < $1.key }.map { JSON.Member($0.key, $0.value) })
        }
        let input = "\(Base64URL.encode(object(head).serialized)).\(Base64URL.encode(object(claims).serialized))"
        let signature = try (signer ?? key).signature(for: Array(input.utf8)).rawRepresentation
        return "\(input).\(Base64URL.encode(Array(signature)))"
    }
}

@Suite("OpenID Connect: access tokens that are bound to a key (DPoP)")
struct OpenIDDPoPTests {
    private func exchange(_ world: OpenIDWorld, _ proof: String?, code: String? = nil) async throws -> Exchange {
        var headers = world.basic()
        headers[.dpop] = proof
        let known: String
        if let code { known = code } else { known = try await world.code() }
        return try await world.exchange(known, headers: headers)
    }

    private func userInfo(
        _ world: OpenIDWorld, _ token: String, _ proof: String?, scheme: String = "DPoP"
    ) async throws -> Exchange {
        var headers: HTTPFields = [.authorization: "\(scheme) \(token)"]
        headers[.dpop] = proof
        return try await world.call(.get, .userInfo, headers: headers)
    }

    private func token(_ world: OpenIDWorld, _ key: ProofKey) async throws -> String {
        let answer = try await exchange(world, try key.proof(world, .token))
        #expect(answer.json["token_type"] == "DPoP" && answer.headers[.dpopNonce] != nil)
        return try #require(answer.json["access_token"]?.stringValue)
    }

    @Test("who proves a key at the token endpoint gets a token that is bound to it, and the number with a proof of it")
    func bound() async throws {
        try await OpenIDWorld.visit { world in
            let key = ProofKey()
            let access = try await token(world, key)
            let person = try await userInfo(world, access, try key.proof(world, .userInfo, .get, token: access))
            #expect(person.json["phone_number"] == "+8613800000001")
            let looked = try await world.call(.post, .introspect, headers: world.basic(), form: ["token": access]).json
            #expect(looked["token_type"] == "DPoP" && looked["cnf"]?["jkt"]?.stringValue == key.thumbprint)
            let metadata = try await world.call(.get, .metadata).json
            #expect(metadata["dpop_signing_alg_values_supported"] == .array(["ES256", "PS256"]))
            #expect(metadata == (try await world.call(.get, .discovery).json))
        }
    }

    @Test("userinfo, whose answer can be had once, does not answer HEAD, which spends nothing")
    func headOfUserInfo() async throws {
        try await OpenIDWorld.visit { world in
            let access = try await world.accessToken()
            let head = try await world.call(.head, .userInfo, headers: [.authorization: "Bearer \(access)"])
            #expect(head.status == .methodNotAllowed && head.body.isEmpty)
            #expect(head.headers[.allow]?.contains("HEAD") == false)
            #expect(try await world.userInfo(access).json["phone_number"] == "+8613800000001")
        }
    }

    @Test("a proof's key may have members that nobody knows, and is the same key without them")
    func unknownMembers() async throws {
        try await OpenIDWorld.visit { world in
            let key = ProofKey()
            guard case .object(var members) = key.jwk else { return }
            members += [.init("kid", "a"), .init("use", "sig"), .init("next", .array([.object([])]))]
            let answer = try await exchange(world, try key.proof(world, .token, header: ["jwk": .object(members)]))
            #expect(answer.json["token_type"] == "DPoP")
            let access = try #require(answer.json["access_token"]?.stringValue)
            let person = try await userInfo(world, access, try key.proof(world, .userInfo, .get, token: access))
            #expect(person.json["phone_number"] == "+8613800000001")
        }
    }

    @Test("a stolen token that is bound to a key buys nothing: as a bearer's, without a proof, or with another key's")
    func stolen() async throws {
        try await OpenIDWorld.visit { world in
            let (key, thief) = (ProofKey(), ProofKey())
            let access = try await token(world, key)
            let proof = try thief.proof(world, .userInfo, .get, token: access)
            for answer in [
                try await world.userInfo(access), try await userInfo(world, access, nil),
                try await userInfo(world, access, proof),
                try await world.call(.post, .userInfo, form: ["access_token": access]),
            ] {
                #expect(answer.status == .unauthorized && answer.json["phone_number"] == nil)
            }
            let told = try await userInfo(world, access, nil).headers[.wwwAuthenticate]
            #expect(told == #"DPoP error="invalid_dpop_proof", algs="ES256 PS256""#)
            #expect(NaiveProvider().takesProof(proof), "the double asks whether it is signed, and not by whom")
            let bearer = try await world.accessToken()
            let unbound = try await userInfo(world, bearer, try key.proof(world, .userInfo, .get, token: bearer))
            #expect(unbound.status == .unauthorized, "a token without a key is no token with one")
        }
    }

    @Test("a proof counts once, also after a restart")
    func replay() async throws {
        try await OpenIDWorld.visit { world in
            let key = ProofKey()
            let proof = try key.proof(world, .token)
            #expect(try await exchange(world, proof).status == .ok)
            let again = try await exchange(world, proof)
            #expect(again.status == .badRequest && again.error == "invalid_dpop_proof")
            let access = try await token(world, key)
            let shown = try key.proof(world, .userInfo, .get, token: access)
            #expect(try await userInfo(world, access, shown).status == .ok)
            #expect(try await userInfo(world, access, shown).error == "invalid_dpop_proof")
            // Used proofs are remembered in the store, so another process knows them.
            let restarted = OpenIDProvider(
                configuration: world.provider.configuration, authority: world.authority, store: world.store)
            let call = OpenIDProvider.BearerCall(
                authorization: "DPoP \(access)", peer: InternetAddress("203.0.113.7"),
                proof: PresentedProof(shown, method: "GET", path: "/openid/userinfo"))
            let refused = await #expect(throws: OpenIDFailure.self) { try await restarted.userInfo(call) }
            #expect(refused?.error == .invalidDPoPProof)
            #expect((1...2).allSatisfy { _ in NaiveProvider().takesProof(proof) }, "the double takes it twice")
        }
    }

    @Test("a proof that is old, from the future, for another request, token or algorithm, or not its key's is none")
    func wrong() async throws {
        try await OpenIDWorld.visit { world in
            let key = ProofKey()
            let now = world.clock.now.seconds
            let access = try await token(world, key)
            func make(
                _ changes: [String: JSON?] = [:], header: [String: JSON?] = [:],
                by signer: P256.Signing.PrivateKey? = nil
            ) throws -> String {
                try key.proof(world, .userInfo, .get, token: access, changes, header: header, by: signer)
            }
            let other = P256.Signing.PrivateKey()
            let believed = [
                try make(["exp": .integer(now)]), try make(["exp": "soon"]), try make(["nbf": .integer(now + 11)]),
                try make(["iat": .integer(now - 70)]), try make(["iat": .integer(now + 11)]), try make(["iat": nil]),
                try make(["htm": "POST"]), try make(["htm": nil]),
                try make(["htu": .string(OpenIDWorld.issuer + "/openid/token")]),
                try make(["htu": "https://attacker.example/openid/userinfo"]), try make(["htu": nil]),
                try make(["ath": ProofKey.hash(of: "another")]), try make(["ath": nil]),
                try make(["ath": .string(Base64URL.encode(Array(access.utf8)))]),
                try make(["jti": nil]), try make(["jti": ""]), try make(header: ["typ": "JWT"]),
                try make(["jti": .string(String(repeating: "a", count: 256))]),
                try make(header: ["crit": .array(["b64"])]),
            ]
            let unsigned = [
                try make(by: other), try make(header: ["alg": "none"], by: other),
                try make(header: ["alg": "HS256"], by: other), try make(header: ["jwk": nil]), "nonsense",
            ]
            for proof in believed + unsigned {
                let answer = try await userInfo(world, access, proof)
                #expect(answer.status == .unauthorized && answer.error == "invalid_dpop_proof")
                #expect(answer.headers[.dpopNonce] != nil)
            }
            let secret = JSON.object([
                "crv": "P-256", "kty": "EC", "x": key.jwk["x"]!, "y": key.jwk["y"]!,
                "d": .string(Base64URL.encode(Array(key.key.rawRepresentation))),
            ])
            #expect(try await userInfo(world, access, try make(header: ["jwk": secret])).error == "invalid_dpop_proof")
            #expect(believed.allSatisfy { NaiveProvider().takesProof($0) }, "the double asks whether it is signed")
            let fragment = try make(["htu": .string(world.provider.url(.userInfo) + "?a=b#c")])
            #expect(try await userInfo(world, access, fragment).status == .ok, "query and fragment are not compared")
            let times: [String: JSON?] = ["exp": .integer(now + 1), "nbf": .integer(now + 10)]
            let bounds: [[String: JSON?]] = [
                times, ["iat": .integer(now - 69)], ["iat": .integer(now + 10)],
                ["jti": .string(String(repeating: "a", count: 255))],
            ]
            for good in bounds { #expect(try await userInfo(world, access, try make(good)).status == .ok) }
        }
    }

    @Test("two spellings of one address are one, by scheme, host and the port that the scheme means; no other two are")
    func spellings() {
        let address = DPoPProof.comparable("https://id.example/openid/token")
        for same in ["HTTPS://ID.Example/openid/token", "https://id.example:443/openid/token?a=b#c"] {
            #expect(DPoPProof.comparable(same) == address)
        }
        #expect(DPoPProof.comparable("HTTPS://ID.Example:443") == "https://id.example")
        #expect(DPoPProof.comparable("HTTP://ID.Example:80/a") == "http://id.example/a")
        #expect(DPoPProof.comparable("https://id.example/openid/token#c") == address)
        for other in [
            "https://id.example:80/openid/token", "https://id.example/OpenID/token",
            "https://id.example:4430/openid/token", "http://id.example/openid/token",
            "http://id.example:443/openid/token", "https://id.example/openid/token/", "//id.example/openid/token", "",
        ] {
            #expect(DPoPProof.comparable(other) != address)
        }
    }

    @Test(
        "a code that was asked for with a key is exchanged with it alone, whether named, pushed or proved when pushed")
    func codeBound() async throws {
        try await OpenIDWorld.visit { world in
            let (key, thief) = (ProofKey(), ProofKey())
            let code = try await world.code(["dpop_jkt": key.thumbprint])
            for proof in [nil, try thief.proof(world, .token)] {
                #expect(try await exchange(world, proof, code: code).error == "invalid_grant")
            }
            #expect(try await exchange(world, try key.proof(world, .token), code: code).json["token_type"] == "DPoP")
            #expect(try await world.open(["dpop_jkt": "short"]).landing["error"] == "invalid_request")

            func pushed(_ changes: [String: String?], _ proof: String?) async throws -> Exchange {
                var headers = world.basic()
                headers[.dpop] = proof
                return try await world.call(.post, .push, headers: headers, form: OpenIDLogin.request(world, changes))
            }
            let uri = try #require(try await pushed([:], try key.proof(world, .push)).json["request_uri"]?.stringValue)
            let page = try await world.browse(
                .get,
                "/openid/authorize?"
                    + OpenIDWorld.encoded(["client_id": world.shop.record.id.rawValue, "request_uri": uri]))
            let bound = try #require(try await world.tap(page).landing["code"])
            #expect(try await exchange(world, try thief.proof(world, .token), code: bound).error == "invalid_grant")
            #expect(try await exchange(world, try key.proof(world, .token), code: bound).status == .ok)
            let mixed = try await pushed(["dpop_jkt": thief.thumbprint], try key.proof(world, .push))
            #expect(mixed.error == "invalid_dpop_proof")
        }
    }

    @Test("a client whose tokens are bound gets none without a proof, and cannot use one of before")
    func boundAlone() async throws {
        try await OpenIDWorld.visit { world in
            let old = try await world.accessToken()
            try await world.changeShop(client: { $0.bindsAccessTokens = true })
            let code = try await world.code()
            #expect(try await exchange(world, nil, code: code).error == "invalid_dpop_proof")
            #expect(try await world.userInfo(old).status == .unauthorized)
            let proof = try ProofKey().proof(world, .token)
            #expect(try await exchange(world, proof, code: code).json["token_type"] == "DPoP", "the code was not spent")
        }
    }

    @Test(
        """
        a nonce is repeated for five minutes; one that is old, of nobody's or missing where it must be is asked for anew
        """
    )
    func nonces() async throws {
        try await OpenIDWorld.visit { world in
            let key = ProofKey()
            let first = try await exchange(world, try key.proof(world, .token))
            let nonce = try #require(first.headers[.dpopNonce])
            func ask(_ nonce: String?) async throws -> Exchange {
                try await exchange(world, try key.proof(world, .token, .post, ["nonce": nonce.map { .string($0) }]))
            }
            #expect(try await ask(nonce).status == .ok)
            // By a clock that is ten seconds behind, and not by one that is further.
            for (behind, isTaken) in [(10, true), (11, false)] as [(Int64, Bool)] {
                world.clock.set(by: .seconds(-behind))
                #expect((try await ask(nonce).status == .ok) == isTaken)
                world.clock.set(by: .seconds(behind))
            }
            world.clock.advance(by: .seconds(299))
            #expect(try await ask(nonce).status == .ok)
            world.clock.advance(by: .seconds(1))
            for wrong in [nonce, "x", Base64URL.encode(Array(repeating: 0, count: 24))] {
                let answer = try await ask(wrong)
                #expect(answer.status == .badRequest && answer.error == "use_dpop_nonce")
                #expect(answer.headers[.dpopNonce].map { $0 != nonce } == true)
            }
            #expect(try await ask(nil).status == .ok)
            try await world.changeShop(client: { $0.profile = .fapi2 })
            let proof = try key.proof(world, .token)
            var headers = world.basic()
            headers[.dpop] = proof
            let asked = try await world.call(
                .post, .token, headers: headers, form: ["grant_type": "authorization_code", "code": "x"])
            #expect(asked.error == "use_dpop_nonce" && asked.headers[.dpopNonce] != nil, "fapi2 must repeat one")
        }
    }
}

extension Array {
    func asyncMap<Result>(_ transform: (Element) async throws -> Result) async rethrows -> [Result] {
        var results: [Result] = []
        for element in self { results.append(try await transform(element)) }
        return results
    }
}

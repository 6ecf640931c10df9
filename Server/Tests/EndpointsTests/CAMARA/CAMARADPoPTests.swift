import Crypto
import HTTPTypes
import ServerTestKit
import Testing

@_spi(Server) @testable import BenjiProtocol
@testable import Endpoints
@testable import OpenIDProvider
@testable import ServerHTTP

/// Access tokens that are bound to a key (RFC 9449), at CAMARA's interfaces.
@Suite("CAMARA: access tokens that are bound to a key (DPoP)")
struct CAMARADPoPTests {
    private typealias World = OpenIDWorld

    private static let path = CAMARAEndpoints.Path.checkSIMSwap

    /// The bank's own token, which is good for more than one call.
    private func token(_ world: World, _ key: ProofKey) async throws -> String {
        let answer = try await world.call(
            .post, .token, headers: [.dpop: try key.proof(world, .token)],
            form: [
                "grant_type": "client_credentials", "scope": "sim-swap \(World.purpose)",
                "client_assertion_type": ProviderContext.assertionType,
                "client_assertion": try world.assertion(audience: .string(world.provider.url(.token))),
            ])
        #expect(answer.json["token_type"] == "DPoP", "\(answer.body)")
        return try #require(answer.json["access_token"]?.stringValue)
    }

    private func proof(
        _ world: World, _ key: ProofKey, _ token: String, prefix: String = "", _ changes: [String: JSON?] = [:]
    ) throws -> String {
        var all: [String: JSON?] = ["htu": .string(World.issuer + prefix + Self.path.rawValue)]
        all.merge(changes) { $1 }
        return try key.proof(world, .token, token: token, all)
    }

    private func ask(
        _ world: World, _ token: String, _ proof: String?, scheme: String = "DPoP", headers more: HTTPFields = [:]
    ) async throws -> Exchange {
        var headers = more
        headers[.authorization] = "\(scheme) \(token)"
        headers[.dpop] = proof
        return try await world.camara(Self.path, nil, World.plain(), headers: headers)
    }

    private func refusal(_ error: String) -> String { #"DPoP error="\#(error)", algs="ES256 PS256""# }

    @Test(
        """
        a token that is bound to a key is good with a fresh proof of that key alone, and a refusal says what is wrong \
        with the proof
        """
    )
    func bound() async throws {
        try await World.visitBank { world in
            let (key, thief) = (ProofKey(), ProofKey())
            let token = try await token(world, key)
            let shown = try proof(world, key, token)
            let good = try await ask(world, token, shown)
            #expect(good.status == .ok && good.headers[.dpopNonce] != nil && good.headers[.wwwAuthenticate] == nil)
            let other: JSON? = ProofKey.hash(of: "another token")
            let wrong: [(String?, String)] = [
                (nil, "invalid_dpop_proof"), (shown, "invalid_dpop_proof"),
                (try proof(world, thief, token), "invalid_token"),
                (try proof(world, key, token, ["ath": other]), "invalid_dpop_proof"),
                (try proof(world, key, token, ["htu": .string(world.provider.url(.userInfo))]), "invalid_dpop_proof"),
                ("x", "invalid_dpop_proof"),
            ]
            for (proof, error) in wrong {
                let answer = try await ask(world, token, proof)
                #expect(answer.camaraError == "401 UNAUTHENTICATED")
                #expect(answer.headers[.wwwAuthenticate] == refusal(error))
                #expect(answer.headers[.dpopNonce] != nil, "the nonce for the next proof")
            }
            var twice: HTTPFields = [.authorization: "DPoP \(token)", .contentType: "application/json"]
            for _ in 0..<2 { twice.append(HTTPField(name: .dpop, value: try proof(world, key, token))) }
            let two = try await world.camara(Self.path, nil, World.plain(), headers: twice)
            #expect(two.headers[.wwwAuthenticate] == refusal("invalid_dpop_proof"), "two proofs are none")

            let stolen = try await ask(world, token, nil, scheme: "Bearer")
            #expect(stolen.camaraError == "401 UNAUTHENTICATED")
            #expect(stolen.headers[.wwwAuthenticate] == #"Bearer error="invalid_token""#)
            #expect(stolen.headers[.dpopNonce] == nil, "who shows no proof and no bound token is told of none")
            #expect(
                NaiveProvider().takesProof(try proof(world, thief, token)),
                "the double asks whether it is signed, and not by whom")
        }
    }

    @Test("an answer that is refused for another reason has the nonce for the next proof too, and no word of the proof")
    func otherRefusals() async throws {
        try await World.visitBank { world in
            let key = ProofKey()
            let token = try await token(world, key)
            let body = try await world.camara(
                Self.path, nil, "{", headers: [.authorization: "DPoP \(token)", .dpop: try proof(world, key, token)])
            #expect(body.camaraError == "400 INVALID_ARGUMENT" && body.headers[.dpopNonce] != nil)
            #expect(body.headers[.wwwAuthenticate] == nil)
            let unknown = try await ask(world, "unknown", try proof(world, key, "unknown"))
            #expect(unknown.headers[.wwwAuthenticate] == refusal("invalid_token"))
            let malformed = try await ask(
                world, token, try proof(world, key, token), headers: [Correlator.header: "a b"])
            #expect(malformed.camaraError == "400 INVALID_ARGUMENT" && malformed.headers[.dpopNonce] != nil)
        }
    }

    @Test("a nonce that is too old is refused with a new one, and the retry with that succeeds")
    func nonces() async throws {
        try await World.visitBank { world in
            let key = ProofKey()
            let early = try await token(world, key)
            let old = try #require(try await ask(world, early, try proof(world, key, early)).headers[.dpopNonce])
            world.clock.advance(by: .seconds(250))
            let token = try await token(world, key)
            #expect(try await ask(world, token, try proof(world, key, token, ["nonce": .string(old)])).status == .ok)
            world.clock.advance(by: .seconds(50))
            let late = try await ask(world, token, try proof(world, key, token, ["nonce": .string(old)]))
            #expect(late.camaraError == "401 UNAUTHENTICATED")
            #expect(late.headers[.wwwAuthenticate] == refusal("use_dpop_nonce"))
            let new = try #require(late.headers[.dpopNonce])
            #expect(new != old)
            #expect(try await ask(world, token, try proof(world, key, token, ["nonce": .string(new)])).status == .ok)
        }
    }

    @Test(
        """
        behind openid.api-prefix the interfaces answer, a proof names the address with the prefix, and without it \
        there is nothing
        """
    )
    func prefix() async throws {
        try await World.visitBank { world in
            var configuration = world.provider.configuration
            configuration.apiPrefix = "/carrier"
            let provider = OpenIDProvider(configuration: configuration, authority: world.authority, store: world.store)
            func send(_ path: String, _ headers: HTTPFields) async throws -> Exchange {
                var headers = headers
                headers[.contentType] = "application/json"
                return try await Exchange.send(
                    PublicServer.router("server", routes: CAMARAEndpoints(provider: provider).routes), .post, path,
                    headers: headers, body: Array(World.plain().utf8), authority: "id.example.com",
                    from: ("203.0.113.7", 5))
            }
            let bearer = try await world.networkToken(World.verify)
            let verify = CAMARAEndpoints.Path.verify.rawValue
            #expect(try await send(verify, [.authorization: "Bearer \(bearer)"]).status == .notFound)
            let answer = try await send("/carrier" + verify, [.authorization: "Bearer \(bearer)"])
            #expect(answer.status == .ok && answer.json == .object(["devicePhoneNumberVerified": true]))

            let key = ProofKey()
            let token = try await token(world, key)
            func prove(_ prefix: String) async throws -> Exchange {
                try await send(
                    "/carrier" + Self.path.rawValue,
                    [.authorization: "DPoP \(token)", .dpop: try proof(world, key, token, prefix: prefix)])
            }
            #expect(try await prove("").headers[.wwwAuthenticate] == refusal("invalid_dpop_proof"))
            #expect(try await prove("/carrier").status == .ok)
        }
    }
}

import BenjiPage
import Crypto
import HTTPTypes
import ServerTestKit
import Sightings
import Store
import StoreSQLite
import Testing

@testable import Authority
@_spi(Server) @testable import BenjiProtocol
@testable import Endpoints
@testable import OpenIDProvider
@testable import Requests

/// CAMARA's security and interoperability profile, 0.5.0, where it says more than OpenID Connect (docs/camara.md).
@Suite("CAMARA's security profile")
struct CAMARAProfileTests {
    private typealias World = OpenIDWorld
    private let scope = "\(World.verify) \(World.purpose)"

    @Test("no page is ever shown: the network answers at once, whatever prompt, acr_values and login_hint say")
    func noPage() async throws {
        try await World.visitBank(\.asksMiddleDigits) { world in
            for changes in [
                [:], ["prompt": "none"], ["prompt": "login"], ["prompt": "consent"],
                ["acr_values": "urn:benji:net:digits"], ["login_hint": "tel:+8613900000002"],
            ] {
                let answer = try await world.askNetwork("openid \(scope)", changes)
                #expect(answer.status == .seeOther && answer.landing["code"] != nil)
                #expect(answer.landing["state"] == "s-1" && answer.landing["iss"] == World.issuer)
                #expect(answer.location?.hasPrefix(World.bankCallback + "?") == true)
            }
        }
    }

    @Test("off the phone's network there is neither page nor code: access_denied, and unavailable if we are")
    func offNetwork() async throws {
        try await World.visitBank { world in
            for address in ["198.51.100.9", "127.0.0.1"] {
                let answer = try await world.askNetwork(scope, from: address)
                #expect(answer.status == .seeOther && answer.landing["error"] == "access_denied")
                #expect(answer.landing["code"] == nil && answer.landing["iss"] == World.issuer)
            }
            world.place(.failure(.staleAddress), at: World.phone)
            #expect(try await world.askNetwork(scope).landing["error"] == "access_denied")
        }
    }

    @Test("the answer is about the phone that called, not the one that a hint names")
    func target() async throws {
        try await World.visitBank { world in
            let token = try await world.networkToken(World.verify, from: World.otherPhone)
            let answer = try await world.camara(.verify, token, World.plain(World.otherNumber))
            #expect(answer.json["devicePhoneNumberVerified"] == true)
        }
    }

    @Test(
        "a request names exactly one purpose that the app is registered for, and something that it is for",
        arguments: [
            "number-verification:verify", "number-verification:verify dpv:FraudPreventionAndDetection dpv:Marketing",
            "number-verification:verify dpv:Marketing", "dpv:FraudPreventionAndDetection",
            "openid dpv:FraudPreventionAndDetection", "openid phone number-verification:verify dpv:ServiceProvision",
            "openid phone number-verification:verify dpv:FraudPreventionAndDetection",
            "number-verification:verify dpv:", "number-verification:verify DPV:FraudPreventionAndDetection",
        ])
    func purposes(_ scope: String) async throws {
        try await World.visitBank { world in
            let answer = try await world.askNetwork(scope)
            #expect(answer.landing["error"] == "invalid_scope" && answer.landing["code"] == nil)
        }
    }

    @Test("two purposes are refused although the app is registered for both")
    func twoPurposes() async throws {
        try await World.visitBank { world in
            var client = try await world.clients.find(world.bank.record.id)
            client.purposes = [World.purpose, "dpv:Marketing"]
            try await world.store.putOpenIDClient(client)
            for purpose in client.purposes {
                #expect(try await world.askNetwork("\(World.verify) \(purpose)").landing["code"] != nil)
            }
            let answer = try await world.askNetwork("\(World.verify) \(client.purposes.joined(separator: " "))")
            #expect(answer.landing["error"] == "invalid_scope" && answer.landing["code"] == nil)
        }
    }

    @Test("a client that cannot sign, or has no purpose, gets no code and cannot be registered for one")
    func registration() async throws {
        try await World.visitBank { world in
            let shop = try await world.open(["scope": "openid \(scope)"])
            #expect(shop.landing["error"] == "unauthorized_client" && shop.landing["code"] == nil)
            let stored = try await world.clients.find(world.shop.record.id)
            func problem(_ change: (inout OpenIDClients.Registration) -> Void) async throws -> Refusal? {
                var registration = OpenIDClients.Registration(
                    appID: stored.appID, page: try .init(parsing: Array(World.page.utf8)))
                registration.redirectURIs = stored.redirectURIs
                registration.authentication = .clientSecretBasic
                registration.purposes = [World.purpose]
                change(&registration)
                do { _ = try await world.clients.register(registration) } catch { return error }
                return nil
            }
            #expect(try await problem { _ in }?.situation == .parameterInvalid)
            for purpose in ["FraudPreventionAndDetection", "dpv:", "dpv:a b", "openid", "dpv:fraud"] {
                let refusal = try await problem {
                    $0.keySet = JSON.object(["keys": .array([World.jwk(world.bankKey.publicKey, id: "x")])]).text
                    $0.authentication = .privateKeyJWT
                    $0.purposes = [purpose]
                }
                #expect(refusal?.situation == .parameterInvalid)
            }
        }
    }

    @Test(
        "the name of a purpose has two to 64 letters and digits, of which the first is a capital letter",
        arguments: [
            ("A", false), ("Aa", true), ("A1", true), ("AB", true), ("aA", false), ("1A", false), ("A_", false),
            ("A" + String(repeating: "a", count: 63), true), ("A" + String(repeating: "a", count: 64), false),
        ] as [(String, Bool)])
    func purposeNames(name: String, isPurpose: Bool) {
        #expect(CAMARAScopes.isPurpose("dpv:\(name)") == isPurpose)
        #expect(!CAMARAScopes.isPurpose(name) && !CAMARAScopes.isPurpose("DPV:\(name)"))
    }

    @Test("without openid there is no ID token; with it sub is the app's own for this person, and amr says nba")
    func idToken() async throws {
        try await World.visitBank { world in
            let plain = try await world.networkTokens(scope)
            #expect(plain.status == .ok && plain.json["id_token"] == nil && plain.json["token_type"] == "Bearer")
            let answer = try await world.networkTokens("openid \(scope)")
            let claims = answer.claims("id_token")
            #expect(claims["amr"] == .array(["nba"]) && claims["acr"] == "urn:benji:net" && claims["nonce"] == "n-1")
            let shop = try await world.exchange(try await world.code(["scope": "openid"])).claims("id_token")
            #expect(claims["sub"] != shop["sub"] && claims["sub"] != nil)
            #expect(!answer.body.contains("13800000001"))
            let looked = try await world.call(
                .post, .introspect,
                form: [
                    "token": answer.json["access_token"]?.stringValue ?? "",
                    "client_assertion_type": ProviderContext.assertionType, "client_assertion": try world.assertion(),
                ])
            #expect(looked.json["active"] == true && looked.json["amr"] == .array(["nba"]))
        }
    }

    @Test(
        """
        claims without openid is no reason to refuse, and with it no token has what it asks for; what is no JSON \
        object is refused
        """
    )
    func claimsParameter() async throws {
        try await World.visitBank { world in
            #expect(try await world.call(.get, .metadata).json["claims_parameter_supported"] == false)
            let wanted = #"{"id_token":{"phone_number":{"essential":true}},"userinfo":{"phone_number":null}}"#
            #expect(try await world.askNetwork(scope, ["claims": "{"]).landing["error"] == "invalid_request")
            for scopes in [scope, "openid \(scope)"] {
                let landing = try await world.askNetwork(scopes, ["claims": wanted]).landing
                let code = try #require(landing["code"], "\(landing)")
                let answer = try await world.bankToken([
                    "grant_type": "authorization_code", "code": code, "redirect_uri": World.bankCallback,
                    "code_verifier": OpenIDLogin.verifier,
                ])
                #expect(answer.status == .ok && (answer.json["id_token"] != nil) == scopes.hasPrefix("openid"))
                #expect(!answer.body.contains("phone_number") && !answer.body.contains("13800000001"))
                if answer.json["id_token"] != nil {
                    #expect(answer.claims("id_token")["phone_number"] == nil)
                }
            }
        }
    }

    @Test("a signed request object asks once as plain parameters do, and one that is changed or old does not")
    func requestObjects() async throws {
        try await World.visitBank { world in
            let object = try world.requestObject(["scope": .string(scope)]) { try world.signed($0) }
            let beside = [
                "scope": scope, "response_type": "code", "redirect_uri": World.bankCallback,
            ]
            let answer = try await world.openSigned(object, beside)
            #expect(answer.landing["code"] != nil && answer.landing["state"] == "signed-state")
            let again = try await world.openSigned(object, beside)
            #expect(again.landing["error"] == "invalid_request_object" && again.landing["code"] == nil, "used before")
            let old = try world.requestObject([
                "scope": .string(scope), "iat": .integer(world.clock.now.seconds - 400),
                "exp": .integer(world.clock.now.seconds - 100),
            ]) { try world.signed($0) }
            #expect(try await world.openSigned(old, beside).landing["error"] == "invalid_request_object")
            let other = try world.requestObject(["scope": .string(scope)]) {
                try world.signed($0, key: P256.Signing.PrivateKey())
            }
            #expect(try await world.openSigned(other, beside).landing["error"] == "invalid_request_object")
        }
    }

    @Test("a pushed request buys one code")
    func pushed() async throws {
        try await World.visitBank { world in
            var form = world.networkRequest(scope)
            form["client_assertion_type"] = ProviderContext.assertionType
            form["client_assertion"] = try world.assertion()
            let uri = try #require(try await world.call(.post, .push, form: form).json["request_uri"]?.stringValue)
            func open() async throws -> Exchange {
                try await world.browse(
                    .get,
                    "/openid/authorize?"
                        + World.encoded(["client_id": world.bank.record.id.rawValue, "request_uri": uri]))
            }
            #expect(try await open().landing["code"] != nil)
            let again = try await open()
            #expect(again.location == nil && again.status == .badRequest)
        }
    }

    @Test("client_credentials needs a scope, a purpose and a client that signs, and never opens number verification")
    func clientCredentials() async throws {
        try await World.visitBank { world in
            func ask(_ scope: String?) async throws -> Exchange {
                try await world.bankToken(["grant_type": "client_credentials", "scope": scope])
            }
            #expect(try await ask(nil).error == "invalid_request")
            let scopes = [
                "sim-swap", World.purpose, "openid sim-swap \(World.purpose)", "\(World.verify) \(World.purpose)",
                "sim-swap \(World.readNumber) \(World.purpose)", "openid phone", "sim-swap dpv:Marketing",
            ]
            for scope in scopes { #expect(try await ask(scope).error == "invalid_scope", "\(scope)") }
            // Each refusal states the error.
            let told = ["openid phone": "CAMARA's interfaces", "sim-swap": "purpose"]
            for (scope, word) in told {
                let description = try await ask(scope).json["error_description"]?.stringValue ?? ""
                #expect(description.contains(word), "\(scope): \(description)")
            }
            let good = try await ask("sim-swap \(World.purpose)")
            #expect(good.json["expires_in"] == 300 && good.json["id_token"] == nil)
            #expect(good.json["refresh_token"] == nil && good.headers[.cacheControl] == "no-store")
            let secret = try await world.call(
                .post, .token, headers: world.basic(),
                form: ["grant_type": "client_credentials", "scope": "sim-swap \(World.purpose)"])
            #expect(secret.error == "unauthorized_client")
            let own = try #require(good.json["access_token"]?.stringValue)
            #expect(try await world.userInfo(own).status == .unauthorized)
            let looked = try await world.call(
                .post, .introspect,
                form: [
                    "token": own, "client_assertion_type": ProviderContext.assertionType,
                    "client_assertion": try world.assertion(),
                ])
            #expect(looked.json["active"] == true && looked.json["sub"] == nil)
        }
    }

    @Test("grants that are not there are refused: JWT bearer and refresh tokens")
    func otherGrants() async throws {
        try await World.visitBank { world in
            let grants = [
                "urn:ietf:params:oauth:grant-type:jwt-bearer", "refresh_token", "password",
            ]
            for grant in grants {
                let answer = try await world.bankToken(["grant_type": grant])
                #expect(answer.error == "unsupported_grant_type")
            }
        }
    }

    @Test("too many requests for one phone are refused, by the app and the phone")
    func rate() async throws {
        try await World.visitBank { world in
            let row = try #require(try await world.register.subscription(of: World.number))
            for _ in 0..<world.authority.configuration.prefetchesPerNumber {
                _ = world.provider.authorizationEndpoint.network.limiter.admits(
                    "\(world.bank.record.id.rawValue)/\(row.id)", now: world.clock.now)
            }
            #expect(try await world.askNetwork(scope).landing["error"] == "temporarily_unavailable")
            #expect(try await world.askNetwork(scope, from: World.otherPhone).landing["code"] != nil)
        }
    }
}

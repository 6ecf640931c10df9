import Crypto
import Store
import Testing

@testable import Authority
@_spi(Server) @testable import BenjiProtocol
@testable import OpenIDProvider

@Suite("What a request to the OpenID provider may say")
struct RequestRuleTests {
    private static let now = Timestamp(seconds: 1_800_000_000)
    private static let purpose = "dpv:FraudPreventionAndDetection"

    private func client(_ change: (inout OpenIDClientRecord) -> Void = { _ in }) -> OpenIDClientRecord {
        var record = OpenIDClientRecord(
            appID: AppID(rawValue: "300000000001")!,
            redirectURIs: ["https://shop.example/callback", "com.example.shop:/callback"],
            authentication: .privateKeyJWT, secrets: [], keySet: nil, idTokenAlgorithm: .es256,
            asksMiddleDigits: false, requiresPushedRequests: false, page: "{}", purposes: [Self.purpose])
        change(&record)
        return record
    }

    private func request(
        _ changes: [String: String?] = [:], _ change: (inout OpenIDClientRecord) -> Void = { _ in }
    ) throws(OpenIDFailure) -> AuthorizationRequest {
        var values = [
            "redirect_uri": "https://shop.example/callback", "response_type": "code", "scope": "openid phone",
            "code_challenge": OpenIDLogin.challenge, "code_challenge_method": "S256",
        ]
        for (name, value) in changes { values[name] = value }
        return try AuthorizationRequest(OpenIDParameters(values: values), client: client(change))
    }

    /// Returns the error that the app gets for a refused request, or `nil`.
    private func problem(
        _ changes: [String: String?], _ change: (inout OpenIDClientRecord) -> Void = { _ in }
    ) -> String? {
        do { _ = try request(changes, change) } catch { return "\(error.error.rawValue): \(error.detail)" }
        return nil
    }

    @Test("state and nonce are printable ASCII of at most 2048 characters", arguments: ["state", "nonce"])
    func texts(name: String) throws {
        let asked = "invalid_request: \(name): must be printable ASCII of at most 2048 characters"
        for good in [String(repeating: "a", count: 2048), " ", "~"] { #expect(problem([name: good]) == nil) }
        for bad in [String(repeating: "a", count: 2049), "\u{1f}", "\u{7f}", "é"] {
            #expect(problem([name: bad]) == asked)
        }
        let read = try request(["state": "s", "nonce": "n"])
        #expect(read.state == "s" && read.nonce == "n")
        let bare = try request()
        #expect(bare.state == nil && bare.nonce == nil)
    }

    @Test("an answer is a code, in an address or in a form; a form goes to web addresses, and to no client of fapi2")
    func responses() throws {
        #expect(problem(["response_type": "token"])?.hasPrefix("unsupported_response_type: ") == true)
        #expect(problem(["response_type": nil]) == "invalid_request: response_type: missing")
        #expect(try !request().isPosted && !request(["response_mode": "query"]).isPosted)
        #expect(try request(["response_mode": "form_post"]).isPosted)
        let asked = "invalid_request: response_mode: must be query, or form_post where redirect_uri is a web address"
        #expect(problem(["response_mode": "fragment"]) == asked)
        #expect(problem(["response_mode": "form_post", "redirect_uri": "com.example.shop:/callback"]) == asked)
        #expect(problem(["redirect_uri": "com.example.shop:/callback"]) == nil)
        let fapi = problem(["response_mode": "form_post"]) { $0.profile = .fapi2 }
        #expect(fapi == "invalid_request: response_mode: must be query")
        #expect(
            problem(["redirect_uri": "https://shop.example/callback/"])?.contains("is not one that the app") == true)
    }

    @Test("of the scopes of a login openid must be there, phone may, and others are passed over")
    func scopes() throws {
        #expect(try request(["scope": "phone  email openid"]).scopes == ["openid", "phone"])
        #expect(try request(["scope": "openid"]).scopes == ["openid"])
        #expect(problem(["scope": "phone"]) == "invalid_scope: scope: must contain openid")
    }

    @Test("PKCE is mandatory unless the client may do without, and never plain")
    func challenges() throws {
        #expect(try request().challenge == OpenIDLogin.challenge)
        let missing = "invalid_request: code_challenge: missing; PKCE is mandatory (RFC 7636)"
        let without: [String: String?] = ["code_challenge": nil, "code_challenge_method": nil]
        #expect(problem(without) == missing)
        #expect(try request(without) { $0.requiresPKCE = false }.challenge == "")
        #expect(problem(["code_challenge": nil]) { $0.requiresPKCE = false } == missing)
        for method in ["plain", nil] {
            #expect(problem(["code_challenge_method": method])?.contains("must be S256") == true)
        }
        #expect(problem(["code_challenge": "short"])?.contains("must be a SHA-256") == true)
        #expect(problem(["dpop_jkt": "short"])?.contains("dpop_jkt: must be a SHA-256") == true)
        #expect(try request(["dpop_jkt": OpenIDLogin.challenge]).keyThumbprint == OpenIDLogin.challenge)
        #expect(AuthorizationRequest.isHash(OpenIDLogin.challenge))
        #expect(!AuthorizationRequest.isHash(String(repeating: "*", count: 43)))
        #expect(!AuthorizationRequest.isHash(OpenIDLogin.challenge + "A"))
    }

    @Test("prompt is none alone, or any of the others; none shows no page")
    func prompts() throws {
        #expect(try request(["prompt": "none"]).isSilent)
        #expect(try !request().isSilent && !request(["prompt": "login consent select_account"]).isSilent)
        #expect(problem(["prompt": "none login"]) == "invalid_request: prompt: none cannot be combined with others")
        #expect(problem(["prompt": "create"])?.hasPrefix("invalid_request: prompt: must be") == true)
    }

    @Test("max_age is a number of seconds from none on")
    func ages() throws {
        #expect(try request().maximumAge == nil)
        #expect(try request(["max_age": "0"]).maximumAge == 0)
        #expect(try request(["max_age": "86400"]).maximumAge == 86400)
        for bad in ["-1", "soon", "1.5"] {
            #expect(problem(["max_age": bad]) == "invalid_request: max_age: must be a number of seconds")
        }
    }

    @Test("digits are asked for where the request wants them first, or the client always")
    func digits() throws {
        let (net, digits) = ("urn:benji:net", "urn:benji:net:digits")
        #expect(try request().context == .network)
        #expect(try request(["acr_values": "\(digits) \(net)"]).context == .networkAndDigits)
        #expect(try request(["acr_values": "\(net) \(digits)"]).context == .network)
        #expect(try request(["acr_values": net]) { $0.asksMiddleDigits = true }.context == .networkAndDigits)
    }

    @Test("a code by SMS or a remembered consent does unless the request names other ways, or the client wants digits")
    func otherWays() throws {
        let (net, sms, remembered) = ("urn:benji:net", "urn:benji:sms", "urn:benji:net:remembered")
        func ways(
            _ changes: [String: String?], _ change: (inout OpenIDClientRecord) -> Void = { _ in }
        ) throws -> [Bool] {
            let read = try request(changes, change)
            return [read.acceptsSMS, read.acceptsRemembered]
        }
        #expect(try ways([:]) == [true, true])
        #expect(try ways(["acr_values": "somebody:elses"]) == [true, true])
        #expect(try ways(["acr_values": net]) == [false, false])
        #expect(try ways(["acr_values": "\(net) \(sms)"]) == [true, false])
        #expect(try ways(["acr_values": "\(net) \(remembered)"]) == [false, true])
        #expect(try ways(["prompt": "none"]) == [true, true])
        #expect(try ways(["prompt": "login"]) == [true, false])
        #expect(try ways([:]) { $0.asksMiddleDigits = true } == [false, false])
        #expect(try request(["ui_locales": "en zh-CN"]).languages == ["en", "zh-CN"])
    }

    @Test("a request for CAMARA's interfaces is silent, by the network alone, and for no number that it names itself")
    func camara() throws {
        let read = try request([
            "scope": "openid sim-swap \(Self.purpose)", "acr_values": "urn:benji:net:digits urn:benji:sms",
        ])
        #expect(read.scopes == ["openid", "sim-swap", Self.purpose])
        #expect(read.isWithoutPage && read.isSilent && read.context == .network)
        let plain = try request(["scope": "sim-swap \(Self.purpose)"])
        #expect(!plain.acceptsSMS && !plain.acceptsRemembered)
        let named = problem(["scope": "one-time-password-sms:send-validate \(Self.purpose)"])
        #expect(named?.hasPrefix("invalid_scope: scope: one-time-password-sms needs the app's own token") == true)
        #expect(try !request().isWithoutPage)
    }

    @Test("a request is read again as it was kept, but for what its page has no use of")
    func kept() throws {
        var full = try request([
            "state": "s", "nonce": "n", "dpop_jkt": OpenIDLogin.challenge, "response_mode": "form_post",
            "ui_locales": "en", "acr_values": "urn:benji:net:digits urn:benji:sms",
        ])
        #expect(full.isPosted && full.acceptsSMS && !full.acceptsRemembered && full.context == .networkAndDigits)
        #expect(try AuthorizationRequest(full.json) == full)
        full.isSilent = true
        full.maximumAge = 5
        full.acceptsRemembered = true
        let read = try AuthorizationRequest(full.json)
        #expect(!read.isSilent && !read.acceptsRemembered && read.maximumAge == nil)
        let bare = try request(["acr_values": "urn:benji:net"])
        #expect(!bare.isPosted && !bare.acceptsSMS)
        #expect(try AuthorizationRequest(bare.json) == bare)
    }

    // MARK: - Scopes of CAMARA

    @Test("of CAMARA's scopes those are granted that are asked for with exactly one purpose, which the client has")
    func granted() throws {
        func problem(_ asked: Set<String>, _ client: OpenIDClientRecord) -> String? {
            do { _ = try CAMARAScopes.granted(asked, of: client) } catch {
                return "\(error.error.rawValue): \(error.detail)"
            }
            return nil
        }
        let bank = client()
        let good: Set<String> = ["sim-swap:check", "sim-swap", "openid", Self.purpose, "email"]
        #expect(try CAMARAScopes.granted(good, of: bank) == ["openid", "sim-swap", "sim-swap:check", Self.purpose])
        let secret = client { $0.authentication = .clientSecretBasic }
        let without = client { $0.purposes = [] }
        for other in [secret, without] {
            #expect(
                problem(good, other)?.hasPrefix("unauthorized_client: the app is not registered for CAMARA") == true)
        }
        let nothing = problem([Self.purpose], bank)
        #expect(nothing == "invalid_scope: scope: names a purpose and nothing that it is for")
        let one = "invalid_scope: scope: must name exactly one purpose, such as \(Self.purpose)"
        #expect(problem(["sim-swap"], bank) == one)
        #expect(problem(["sim-swap", Self.purpose, "dpv:Marketing"], bank) == one)
        let foreign = problem(["sim-swap", "dpv:Marketing"], bank)
        #expect(foreign == "invalid_scope: scope: the app is not registered for this purpose")
        let phone = problem(["sim-swap", "phone", Self.purpose], bank)
        #expect(phone == "invalid_scope: scope: phone needs a login with a page; ask for it alone")
        #expect(CAMARAScopes.areAsked(["openid", "sim-swap"]) && CAMARAScopes.areAsked([Self.purpose]))
        #expect(!CAMARAScopes.areAsked(["openid", "phone"]))
        #expect(CAMARAScopes.isPurpose("dpv:A" + String(repeating: "a", count: 63)))
        #expect(!CAMARAScopes.isPurpose("dpv:A" + String(repeating: "a", count: 64)))
        #expect(CAMARAScopes.isPurpose("dpv:A9") && !CAMARAScopes.isPurpose("dpv:A"))
    }

    @Test(
        "on another device people agree to sim-swap alone, and only codes by SMS are about a number that the app names")
    func kinds() {
        #expect(CAMARAScope.allCases.filter(\.isOfBackchannel) == [.simSwap, .checkSIMSwap, .readSIMSwapDate])
        #expect(CAMARAScope.allCases.filter(\.isOfNumberVerification) == [.verify, .readNumber])
        #expect(CAMARAScope.allCases.filter(\.isOfNamedNumbers) == [.sendAndValidateCode])
    }

    @Test("each interface needs the capability that it is, and a number without a page login and a grant")
    func lacking() {
        func lacks(
            _ scope: CAMARAScope, _ capabilities: Set<Capability>, withoutPage: Bool = false
        ) -> Bool {
            let app = AppRecord(
                id: AppID(rawValue: "300000000001")!, name: "Shop", keys: [], capabilities: capabilities, bundleIDs: [],
                serverAddresses: [],
                legacyNumberWithoutPage: withoutPage, createdAt: Self.now)
            return app.lacks(scope) != nil
        }
        let needed: [(CAMARAScope, Capability)] = [
            (.verify, .verification), (.simSwap, .simSwap), (.checkSIMSwap, .simSwap), (.readSIMSwapDate, .simSwap),
            (.sendAndValidateCode, .smsCodes),
        ]
        for (scope, capability) in needed {
            #expect(!lacks(scope, [capability]))
            #expect(lacks(scope, Set(Capability.allCases).subtracting([capability]), withoutPage: true))
        }
        #expect(!lacks(.readNumber, [.login], withoutPage: true))
        #expect(lacks(.readNumber, [.login]))
        #expect(lacks(.readNumber, [.verification], withoutPage: true))
    }

    @Test("a SIM is as new as it is asked about up to the last millisecond, and one of the future is")
    func simAge() {
        func isWithin(_ age: Duration, hours: Int64) -> Bool {
            SIMSwap.Change(
                changedAt: Self.now, trace: TraceID(rawValue: String(repeating: "a", count: 32))!, now: Self.now + age
            ).isWithin(hours: hours)
        }
        #expect(isWithin(.seconds(3600), hours: 1) && !isWithin(.milliseconds(3_600_001), hours: 1))
        #expect(isWithin(.seconds(2 * 3600), hours: 2) && isWithin(.seconds(-1), hours: 1))
    }

    // MARK: - Signed claims

    /// Moments are seconds from now on.
    private func problem(
        exp: Int64? = 60, iat: Int64? = nil, nbf: Int64? = nil, needsIssueTime: Bool = false,
        life: Duration = SignedClaims.maximumLife
    ) -> String? {
        func claim(_ offset: Int64?) -> JSON? { offset.map { .integer(Self.now.seconds + $0) } }
        let claims = JSON.object(["exp": claim(exp), "iat": claim(iat), "nbf": claim(nbf)])
        return SignedClaims.timeProblem(claims, needsIssueTime: needsIssueTime, life: life, now: Self.now)
    }

    @Test("what is signed ends after now and within five minutes, by clocks that differ by ten seconds")
    func expiry() {
        #expect(problem(exp: nil) == "exp: missing or not a number")
        #expect(problem(exp: 0) == "has expired" && problem(exp: 1) == nil)
        #expect(problem(exp: 310) == nil && problem(exp: 311) == "exp is more than 300 seconds away")
        let hour = SignedClaims.maximumAssertionLife
        #expect(problem(exp: 3610, life: hour) == nil)
        #expect(problem(exp: 3611, life: hour) == "exp is more than 3600 seconds away")
    }

    @Test("what is signed says when if it must, is not from the future, and lives for five minutes at most")
    func issueTime() {
        #expect(problem(iat: nil) == nil)
        #expect(problem(iat: nil, needsIssueTime: true) == "iat: missing or not a number")
        #expect(problem(iat: 10) == nil && problem(iat: 11) == "iat is in the future")
        #expect(problem(exp: 300, iat: 0) == nil && problem(exp: 300, iat: -1) == "lives longer than 300 seconds")
        #expect(problem(nbf: 10) == nil && problem(nbf: 11) == "nbf is in the future")
    }

    @Test("an audience is a text or a list of texts")
    func audiences() {
        #expect(SignedClaims.audiences(.object(["aud": "a"])) == ["a"])
        #expect(SignedClaims.audiences(.object(["aud": .array(["a", 1, "b"])])) == ["a", "b"])
        #expect(SignedClaims.audiences(.object(["iss": "a"])).isEmpty)
    }

    // MARK: - Signed requests

    private static let signer = P256.Signing.PrivateKey()
    private static let audiences: Set<String> = ["https://id.example.com", "https://id.example.com/openid/par"]

    /// A request object that is in order, with some claims otherwise; `nil` leaves one out.
    private func object(
        _ changes: [String: JSON?] = [:], type: String? = "oauth-authz-req+jwt", algorithm: String = "ES256",
        key: P256.Signing.PrivateKey = RequestRuleTests.signer
    ) throws -> String {
        var claims: [String: JSON?] = [
            "iss": "300000000001", "aud": "https://id.example.com", "iat": .integer(Self.now.seconds),
            "exp": .integer(Self.now.seconds + 60), "jti": "one", "scope": "openid",
        ]
        for (name, value) in changes { claims[name] = value }
        let header = JSON.object(["alg": .string(algorithm), "typ": type.map { .string($0) }, "kid": "k"])
        let payload = JSON.object(
            claims.sorted { $0.key < $1.key }.compactMap { name, value in value.map { JSON.Member(name, $0) } })
        let input = "\(Base64URL.encode(header.serialized)).\(Base64URL.encode(payload.serialized))"
        let signature = try key.signature(for: Array(input.utf8)).rawRepresentation
        return "\(input).\(Base64URL.encode(Array(signature)))"
    }

    /// Resolves a request object together with the query's other parameters. Returns the parameters in effect, or the
    /// error.
    private func resolved(
        _ object: String?, beside: [String: String] = [:], _ change: (inout OpenIDClientRecord) -> Void = { _ in }
    ) -> (values: [String: String], id: String?, problem: String?) {
        let record = client {
            $0.keySet = JSON.object(["keys": .array([OpenIDWorld.jwk(Self.signer.publicKey, id: "k")])]).text
            change(&$0)
        }
        var values = beside
        values["request"] = object
        do {
            let found = try RequestObject.resolve(
                OpenIDParameters(values: values), client: record, audiences: Self.audiences, now: Self.now)
            return (found.parameters.values, found.id, nil)
        } catch { return ([:], nil, "\(error.error.rawValue): \(error.detail)") }
    }

    @Test("of a signed request what it says counts, numbers and claims as text, and nothing that stands beside it")
    func signedParameters() throws {
        let plain = resolved(nil, beside: ["state": "s"])
        #expect(plain.values == ["state": "s"] && plain.id == nil && plain.problem == nil)
        let bare = resolved(try object(), beside: ["state": "beside", "client_id": "300000000001"])
        #expect(bare.values == ["client_id": "300000000001", "scope": "openid"])
        #expect(bare.id == "one" && bare.problem == nil)
        let full = resolved(
            try object([
                "aud": .array(["https://other.example", "https://id.example.com/openid/par"]), "max_age": 5,
                "claims": .object(["id_token": .object(["acr": .null])]), "state": "", "unknown": .array([1]),
                "nbf": .integer(Self.now.seconds), "client_id": "300000000001", "response_type": "code",
            ]), beside: ["response_type": "code", "scope": "openid"])
        #expect(
            full.values == [
                "client_id": "300000000001", "scope": "openid", "max_age": "5", "response_type": "code",
                "claims": #"{"id_token":{"acr":null}}"#,
            ])
        for type in ["JWT", "jwt", "OAuth-Authz-Req+JWT", nil] {
            #expect(resolved(try object(type: type)).problem == nil, "\(type ?? "none")")
        }
        for id in ["a", String(repeating: "a", count: 255)] {
            #expect(resolved(try object(["jti": .string(id)])).id == id)
        }
    }

    @Test(
        "what is wrong with a signed request is told",
        arguments: [
            (["iss": "300000000002"], "iss must be the client_id"), (["iss": nil], "iss must be the client_id"),
            (["aud": "https://evil.example"], "aud must be the issuer or the endpoint"),
            (["aud": nil], "aud must be the issuer or the endpoint"),
            (["jti": nil], "jti: missing or longer than 255 bytes"),
            (["jti": ""], "jti: missing or longer than 255 bytes"),
            (["jti": .string(String(repeating: "a", count: 256))], "jti: missing or longer than 255 bytes"),
            (["exp": 1], "has expired"), (["iat": nil], "iat: missing or not a number"),
            (["sub": "300000000001"], "must not hold sub"), (["request": "x"], "must not hold request"),
            (["request_uri": "x"], "must not hold request_uri"), (["nonce": .array(["a"])], "nonce must be a string"),
            (["claims": .array([])], "claims must be a string"), (["state": .object([:])], "state must be a string"),
            (["client_id": "300000000002"], "client_id differs from the one beside the object"),
            (["scope": "openid phone"], "scope differs from the one beside the object"),
            (["scope": nil], "scope differs from the one beside the object"),
        ] as [([String: JSON?], String)])
    func signedProblems(changes: [String: JSON?], problem: String) throws {
        let beside = ["client_id": "300000000001", "scope": "openid"]
        #expect(resolved(try object(changes), beside: beside).problem == "invalid_request_object: request: \(problem)")
    }

    @Test("a signed request is of the app's own key, of a type and an algorithm that it may be of")
    func signedKeys() throws {
        let refused = "invalid_request_object: request: "
        #expect(resolved("a.b").problem?.hasPrefix(refused) == true)
        #expect(resolved(try object(type: "dpop+jwt")).problem == refused + "typ must be oauth-authz-req+jwt or JWT")
        let other = try object(key: P256.Signing.PrivateKey())
        #expect(resolved(other).problem == refused + "is not signed by one of the app's keys")
        let weak = try object(algorithm: "RS256")
        #expect(resolved(weak).problem == refused + "is not signed by one of the app's keys")
        #expect(resolved(weak) { $0.profile = .fapi2 }.problem == refused + "alg must be ES256 or PS256")
        let keyless = resolved(try object()) { $0.keySet = nil }
        #expect(keyless.problem == "request_not_supported: request: the app has registered no keys")
    }

    @Test(
        "the accounts that claims ask for are those that every place of them names",
        arguments: [
            (nil, nil), ("{}", nil), (#"{"id_token":{"sub":null}}"#, nil),
            (#"{"id_token":{"sub":{"essential":true}}}"#, nil), (#"{"other":{"sub":{"value":"a"}}}"#, nil),
            (#"{"id_token":{"sub":{"value":"a"}}}"#, ["a"]),
            (#"{"userinfo":{"sub":{"values":["a","b"]}}}"#, ["a", "b"]),
            (#"{"id_token":{"sub":{"value":"a","values":["b"]}}}"#, ["a", "b"]),
            (#"{"id_token":{"sub":{"values":["a","b"]}},"userinfo":{"sub":{"value":"b"}}}"#, ["b"]),
            (#"{"id_token":{"sub":{"value":"a"}},"userinfo":{"sub":{"value":"b"}}}"#, []),
            (#"{"id_token":{"sub":{"values":[]}}}"#, []),
        ] as [(String?, Set<String>?)])
    func accounts(text: String?, asked: Set<String>?) throws {
        let parameters = OpenIDParameters(values: text.map { ["claims": $0] } ?? [:])
        #expect(try RequestedSubject.claimed(parameters) == asked)
        if let asked {
            let again = OpenIDParameters(values: ["claims": RequestedSubject.claims(for: asked)])
            #expect(try RequestedSubject.claimed(again) == asked)
        }
    }

    @Test(
        "claims that ask for an account in no way that can be read are refused",
        arguments: [
            ("[]", "must be a JSON object"), ("x", "must be a JSON object"),
            (#"{"id_token":{"sub":{"values":"a"}}}"#, "values of sub must be an array"),
            (#"{"id_token":{"sub":{"value":1}}}"#, "a value of sub must be a string"),
            (#"{"id_token":{"sub":{"values":["a",1]}}}"#, "a value of sub must be a string"),
        ])
    func accountProblems(text: String, problem: String) {
        let failure = #expect(throws: OpenIDFailure.self) {
            try RequestedSubject.claimed(OpenIDParameters(values: ["claims": text]))
        }
        #expect(failure == OpenIDFailure(.invalidRequest, "claims: \(problem)"))
    }

    // MARK: - Keys and tokens

    @Test("the name of a key is the hash of what makes it, whatever else is said of it, and in whatever order")
    func thumbprints() {
        func hash(_ text: String) -> String { Base64URL.encode(Array(SHA256.hash(data: Array(text.utf8)))) }
        let curve = JSON.object(["y": "BB", "kid": "a", "x": "AA", "kty": "EC", "crv": "P-256"])
        #expect(DPoPProof.thumbprint(of: curve) == hash(#"{"crv":"P-256","kty":"EC","x":"AA","y":"BB"}"#))
        let rsa = JSON.object(["n": "AA", "kty": "RSA", "alg": "PS256", "e": "AQAB"])
        #expect(DPoPProof.thumbprint(of: rsa) == hash(#"{"e":"AQAB","kty":"RSA","n":"AA"}"#))
        #expect(DPoPProof.thumbprint(of: .object(["kty": "EC", "crv": "P-256", "x": "AA"])) == nil)
        #expect(DPoPProof.thumbprint(of: .object(["kty": "EC", "crv": "P-256", "x": "AA", "y": 1])) == nil)
        #expect(DPoPProof.comparable("a/b") == "a/b")
    }

    @Test("a token comes in the header or in the form, and not in both")
    func bearerTokens() {
        func call(_ authorization: String?, _ form: String? = nil) -> OpenIDProvider.BearerCall {
            OpenIDProvider.BearerCall(authorization: authorization, peer: nil, formToken: form)
        }
        #expect(call("Bearer a").token == "a" && call("DPOP a").token == "a" && call(nil, "a").token == "a")
        #expect(call("Bearer a", "a").token == nil && call(nil).token == nil)
        for other in ["Basic a", "Bearer", "Bearer a b", ""] { #expect(call(other).token == nil, "\(other)") }
        #expect(call("dpop a").isBound && !call("Bearer a").isBound && !call("dpopa").isBound)
        #expect(!call(nil, "a").isBound)
    }

    @Test("what a token is bound to is told by its confirmation, and only a key by its type")
    func bindings() {
        #expect(TokenBinding().confirmation == nil && TokenBinding().tokenType == "Bearer")
        let key = TokenBinding(key: "a")
        #expect(key.confirmation == JSON.object(["jkt": "a"]) && key.tokenType == "DPoP")
        let certificate = TokenBinding(certificate: "b")
        #expect(certificate.confirmation == JSON.object(["x5t#S256": "b"]) && certificate.tokenType == "Bearer")
    }

    @Test("RS256 is taken of every client but those of profile fapi2")
    func algorithms() {
        for algorithm in ServerJWS.Algorithm.allCases {
            #expect(ClientProfile.openID.takes(algorithm))
            #expect(ClientProfile.fapi2.takes(algorithm) == (algorithm != .rs256))
        }
    }

    @Test("a message whose header has something critical is not read, and neither is one of another algorithm")
    func headers() throws {
        func message(_ header: JSON) -> String {
            "\(Base64URL.encode(header.serialized)).\(Base64URL.encode(JSON.object(["a": 1]).serialized)).AAAA"
        }
        let read = try ServerJWS(
            parsing: message(.object(["alg": "PS256", "kid": "k", "typ": "t", "jwk": .object(["kty": "EC"])])))
        #expect(read.algorithm == .ps256 && read.keyID == "k" && read.type == "t" && read.payload["a"] == 1)
        #expect(read.headerKey == JSON.object(["kty": "EC"]) && read.signature == [0, 0, 0])
        #expect(throws: JSONError.self) {
            try ServerJWS(parsing: message(.object(["alg": "PS256", "crit": .array([])])))
        }
        #expect(throws: JSONError.self) { try ServerJWS(parsing: message(.object(["alg": "HS256"]))) }
    }

    @Test("a key that says what it is for is for signing, and has an algorithm of its kind")
    func keyMembers() throws {
        guard case .object(let point) = OpenIDWorld.jwk(P256.Signing.PrivateKey().publicKey, id: "k") else { return }
        func problem(_ members: [JSON.Member]) -> String? {
            let key = JSON.object(point + members)
            do { _ = try ClientKeySet.key(key, path: "key") } catch { return error.description }
            return nil
        }
        #expect(problem([]) == nil)
        #expect(problem([.init("use", "sig")]) == nil)
        #expect(problem([.init("use", "enc")])?.contains("use must be sig") == true)
        #expect(problem([.init("key_ops", .array(["sign", "verify"]))]) == nil)
        #expect(problem([.init("key_ops", .array(["sign"]))])?.contains("key_ops must contain verify") == true)
        #expect(problem([.init("alg", "ES256")]) == nil)
        #expect(problem([.init("alg", "PS256")])?.contains("alg does not fit kty") == true)
        let rsa = JSON.object(["kty": "RSA", "alg": "ES256", "n": "AQAB", "e": "AQAB"])
        let told = #expect(throws: JSONError.self) { _ = try ClientKeySet.key(rsa, path: "key") }
        #expect(told?.description.contains("alg does not fit kty") == true)
    }

    @Test("a client's set has 256 keys at most, of which sixteen may be of use; a provider's has as many as it likes")
    func setBounds() throws {
        let good = OpenIDWorld.jwk(P256.Signing.PrivateKey().publicKey, id: "k")
        func text(_ used: Int, _ other: Int) -> String {
            let keys = Array(repeating: good, count: used) + Array(repeating: JSON.object(["kty": "X"]), count: other)
            return JSON.object(["keys": .array(keys)]).text
        }
        #expect(try ClientKeySet(parsing: text(1, 255)).ignored.count == 255)
        #expect(throws: JSONError.self) { try ClientKeySet(parsing: text(1, 256)) }
        #expect(throws: JSONError.self) { try ClientKeySet(parsing: text(17, 0)) }
        #expect(try ClientKeySet(ofProvider: text(17, 300)).ignored.count == 300)
        let none = #expect(throws: JSONError.self) { try ClientKeySet(parsing: text(0, 5)) }
        let told = try #require(none).description
        #expect(told.contains("keys[3]") && !told.contains("keys[4]"), "four reasons will do")
    }
}

import Authority
import BenjiFaceProtocol
package import BenjiProtocol
import Crypto
import Foundation
import OpenIDProvider
import Requests
import ServerHTTP
import Synchronization

/// The console as a client of an OpenID provider, for one tap of an admin's own phone. It uses the authorization code
/// flow with PKCE, `state` and `nonce`. It requests the scope `openid` alone, so it learns the account's `sub` and no
/// number.
///
/// All that a provider says may be wrong. Every answer is limited in size, the signature and each claim are checked,
/// and nothing is called but the issuer that is configured.
package struct OneTapClient: Sendable {
    package struct Configuration: Sendable {
        /// The provider: `https://id.example`, without a path.
        package var issuer: String
        package var clientID: String
        package var clientSecret: String
        /// Where browsers reach the console: `https://console.example`, without a path.
        package var console: String

        package init(issuer: String, clientID: String, clientSecret: String, console: String) {
            self.issuer = issuer
            self.clientID = clientID
            self.clientSecret = clientSecret
            self.console = console
        }

        /// As it is registered at the provider.
        package var redirectURI: String { console + OneTapClient.path }
    }

    /// One request to the provider: a form if there is one, and otherwise a GET.
    package struct Call: Sendable {
        package var url: String
        package var form: String?
        package var authorization: String?

        package init(url: String, form: String? = nil, authorization: String? = nil) {
            self.url = url
            self.form = form
            self.authorization = authorization
        }
    }

    package struct Answer: Sendable {
        package var status: Int
        package var body: [UInt8]

        package init(status: Int, body: [UInt8]) {
            self.status = status
            self.body = body
        }
    }

    /// Why there was no answer, in an operator's words.
    package struct Unreachable: Error {
        package var words: String
        package init(_ words: String) { self.words = words }
    }

    /// Where the provider sends browsers back to.
    package static let path = "/console/tap"
    /// The largest answer of the provider's, in bytes.
    package static let answerLimit = 64 * 1024
    /// How long what it says about itself holds.
    private static let discoveryLife: Duration = .seconds(3600)
    /// How long readiness goes by the last attempt.
    private static let patience: Duration = .seconds(30)
    /// How far the provider's clock may be from ours.
    private static let leeway: Duration = .seconds(60)

    package let configuration: Configuration
    private let clock: any WallClock
    private let send: @Sendable (Call) async throws(Unreachable) -> Answer
    private let state = SharedState()

    /// - Parameter send: gives the provider's answer as a whole, of ``answerLimit`` bytes at most, and follows no
    ///   redirect.
    package init(
        _ configuration: Configuration, clock: any WallClock,
        send: @escaping @Sendable (Call) async throws(Unreachable) -> Answer
    ) {
        self.configuration = configuration
        self.clock = clock
        self.send = send
    }

    // MARK: going there

    /// Where a browser goes for the tap.
    /// - Parameter secret: of what began in this browser. `state`, `nonce` and PKCE's verifier are made from it, so
    ///   that only this browser has them.
    func address(for secret: String, language: String) async throws(Refusal) -> String {
        let provider = try await discover()
        let own = Secrets(of: secret)
        let challenge = Base64URL.encode(Array(SHA256.hash(data: Array(own.verifier.utf8))))
        return FormText.adding(
            [
                "response_type": "code", "client_id": configuration.clientID,
                "redirect_uri": configuration.redirectURI, "scope": "openid", "state": own.state, "nonce": own.nonce,
                "code_challenge": challenge, "code_challenge_method": "S256",
                // Nothing weaker than the network's word, such as a code by SMS, and a tap each time.
                "acr_values": AuthenticationContext.network.rawValue, "prompt": "login", "ui_locales": language,
            ], to: provider.authorization)
    }

    // MARK: coming back

    /// Returns the `sub` of the tapped phone's account from the provider's answer.
    ///
    /// - Parameters:
    ///   - answer: the query with which the browser came back.
    ///   - secret: of what began in this browser.
    ///   - began: when it did; a login of before is none.
    func phone(
        by answer: (_ name: String) -> String, secret: String, since began: Timestamp
    ) async throws(Refusal) -> String {
        let own = Secrets(of: secret)
        guard ConstantTime.areEqual(Array(answer("state").utf8), Array(own.state.utf8)) else {
            throw Refusal(
                .accessTokenInvalid,
                "this answer is not to what this browser began; begin again, and open no such link of somebody else's")
        }
        // RFC 9207: an answer of another issuer is not taken to this one.
        guard answer("iss") == configuration.issuer else {
            throw Refusal(.accessTokenInvalid, "this answer is another issuer's")
        }
        guard answer("error").isEmpty else { throw Self.notTapped(answer("error")) }
        let code = answer("code")
        guard (1...2048).contains(code.utf8.count) else {
            throw Refusal(.malformedRequest, "the answer has no code")
        }
        let provider = try await discover()
        let token = try await exchange(code, own.verifier, at: provider.token)
        return try await subject(of: token, own.nonce, keysAt: provider.keys, since: began)
    }

    private static func notTapped(_ error: String) -> Refusal {
        let name = error.wholeMatch(of: /[a-z_]{1,64}/) == nil ? "an error" : error
        return Refusal(
            .notAuthorized, "nobody was logged in at the phone's page (\(name)); try again, or enter the six digits")
    }

    private func exchange(_ code: String, _ verifier: String, at address: String) async throws(Refusal) -> String {
        let form = [
            ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", configuration.redirectURI),
            ("code_verifier", verifier),
        ].map { "\($0)=\(FormText.encode($1))" }.joined(separator: "&")
        // RFC 6749 §2.3.1: both are encoded as a form's values are.
        let pair = "\(FormText.encode(configuration.clientID)):\(FormText.encode(configuration.clientSecret))"
        let answer = try await json(
            Call(url: address, form: form, authorization: "Basic \(Data(pair.utf8).base64EncodedString())"))
        guard answer.status == 200 else {
            let error = answer.json["error"]?.stringValue ?? ""
            guard error == "invalid_grant" else {
                throw fault("refuses the console (\(Self.name(error))); is its client as docs/console.md says?")
            }
            throw Refusal(.accessTokenInvalid, "this tap was used before, or is too old; begin again")
        }
        guard let token = answer.json["id_token"]?.stringValue else { throw fault("gives no ID token") }
        return token
    }

    /// OpenID Connect Core §3.1.3.7.
    private func subject(
        of token: String, _ nonce: String, keysAt address: String, since began: Timestamp
    ) async throws(Refusal) -> String {
        let keys: ClientKeySet
        let jws: ServerJWS
        let answer = try await json(Call(url: address))
        do throws(JSONError) {
            keys = try ClientKeySet(ofProvider: answer.json.text)
            jws = try ServerJWS(parsing: token)
        } catch { throw fault("shows keys or an ID token that cannot be read (\(error.place))") }
        guard jws.algorithm == .es256, keys.isSigner(of: jws) else {
            throw fault("gives an ID token that is not signed by its key with ES256")
        }
        let (claims, now) = (jws.payload, clock.now)
        func moment(_ name: String) -> Timestamp? { claims[name]?.integerValue.map(Timestamp.init(seconds:)) }
        let context = claims["acr"]?.stringValue.flatMap(AuthenticationContext.init(rawValue:))
        let isByNetwork = context == .network || context == .networkAndDigits
        let problem: String? =
            if claims["iss"]?.stringValue != configuration.issuer {
                "iss"
            } else if SignedClaims.audiences(claims) != [configuration.clientID] {
                "aud"
            } else if !(moment("exp").map { now < $0 + Self.leeway } ?? false) {
                "exp"
            } else if !(moment("iat").map { $0 <= now + Self.leeway && $0 + Self.leeway >= began } ?? false) {
                "iat"
            } else if !(moment("auth_time").map { $0 + Self.leeway >= began } ?? false) {
                "auth_time"
            } else if claims["nonce"]?.stringValue != nonce {
                "nonce"
            } else if !isByNetwork {
                "acr"
            } else {
                nil
            }
        guard problem == nil, let subject = claims["sub"]?.stringValue, (1...255).contains(subject.utf8.count) else {
            throw Refusal(
                .accessTokenInvalid, "the provider's ID token is not for this sign-in (\(problem ?? "sub"))")
        }
        return subject
    }

    // MARK: the provider

    private struct Provider: Sendable {
        var authorization: String
        var token: String
        var keys: String
    }

    private struct State: Sendable {
        var found: (provider: Provider, at: Timestamp)?
        var triedAt: Timestamp?
        var trouble: String?
    }

    private final class SharedState: Sendable {
        let value = Mutex(State())
    }

    /// Returns the problem with the provider; asks the provider unless it was asked lately.
    package func trouble() async -> String? {
        let (isKnown, triedAt) = state.value.withLock { ($0.found != nil, $0.triedAt) }
        if !isKnown, triedAt.map({ clock.now >= $0 + Self.patience || clock.now < $0 }) ?? true {
            do throws(Refusal) { _ = try await discover() } catch { return error.detail }
        }
        return state.value.withLock { $0.trouble }
    }

    /// Where the provider's endpoints are (OpenID Connect Discovery 1.0 §4), asked for once an hour.
    private func discover() async throws(Refusal) -> Provider {
        let now = clock.now
        let known = state.value.withLock { state -> Provider? in
            if let found = state.found, now >= found.at, now < found.at + Self.discoveryLife { return found.provider }
            state.triedAt = now
            return nil
        }
        if let known { return known }
        let answer = try await json(Call(url: configuration.issuer + "/.well-known/openid-configuration"))
        func address(_ name: String) throws(Refusal) -> String {
            guard let text = answer.json[name]?.stringValue, text.utf8.count <= 2048, Self.isForBrowsers(text) else {
                throw fault("does not say its \(name)")
            }
            return text
        }
        // Only the issuer's own addresses are called: otherwise a provider could choose any address and receive the
        // secret.
        func own(_ name: String) throws(Refusal) -> String {
            let text = try address(name)
            guard text.hasPrefix(configuration.issuer + "/") else {
                throw fault("names a \(name) that is not at the issuer's own address")
            }
            return text
        }
        guard answer.status == 200, answer.json["issuer"]?.stringValue == configuration.issuer else {
            throw fault("does not say that it is this issuer")
        }
        let provider = Provider(
            authorization: try address("authorization_endpoint"), token: try own("token_endpoint"),
            keys: try own("jwks_uri"))
        state.value.withLock { $0.found = (provider, now) }
        return provider
    }

    private static func isForBrowsers(_ text: String) -> Bool {
        guard let parts = URLComponents(string: text), let host = parts.host, !host.isEmpty, parts.user == nil,
            parts.fragment == nil
        else { return false }
        return parts.scheme == "https" || parts.scheme == "http" && OwnMachine.isNamed(host)
    }

    private func json(_ call: Call) async throws(Refusal) -> (status: Int, json: JSON) {
        let answer: Answer
        do throws(Unreachable) { answer = try await send(call) } catch { throw fault(error.words) }
        guard answer.body.count <= Self.answerLimit else { throw fault("answers more than it may") }
        do throws(JSONError) {
            let json = try JSON(parsing: answer.body)
            state.value.withLock { $0.trouble = nil }
            return (answer.status, json)
        } catch { throw fault("answers something else than JSON (HTTP \(answer.status))") }
    }

    /// Something is wrong with the provider, or with what it knows of the console.
    private func fault(_ words: String) -> Refusal {
        let whole = "the provider \(configuration.issuer) \(words)"
        state.value.withLock { $0.trouble = whole }
        return Refusal(.networkFailure, whole)
    }

    private static func name(_ error: String) -> String {
        error.wholeMatch(of: /[a-z_]{1,64}/) == nil ? "no reason that can be read" : error
    }

    /// The values that a provider receives for a browser's secret. None of them can be derived from another.
    struct Secrets {
        let state: String
        let nonce: String
        let verifier: String

        init(of secret: String) {
            func part(_ name: String) -> String {
                Base64URL.encode(Array(SHA256.hash(data: Array("benji-console-tap \(name) \(secret)".utf8))))
            }
            (state, nonce, verifier) = (part("state"), part("nonce"), part("verifier"))
        }
    }
}

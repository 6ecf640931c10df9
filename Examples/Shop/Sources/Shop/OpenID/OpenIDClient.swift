import Foundation
import JWTKit

/// The shop as an ordinary client of an OpenID provider: authorization code flow with PKCE, `state`, `nonce` and `iss`.
/// The ID token is verified with the provider's keys, and the number is fetched from userinfo.
actor OpenIDClient {
    /// The person who logged in.
    struct Person: Sendable {
        /// The account, and the only key for one: it stays when the SIM is replaced, and changes when the number is
        /// given to somebody else.
        var subject: String
        /// `+8613800000000`: a way to reach the person.
        var number: String?
        /// How strongly the phone was recognised (`acr`).
        var context: String?
    }

    private let settings: ShopConfiguration.OpenID
    private let redirectURI: String
    private let line: BenjiServerClient
    private var metadata: (value: ProviderMetadata, readAt: Date)?
    private var keys: (value: JWTKeyCollection, names: Set<String>, readAt: Date)?

    /// How long discovery and keys are believed, in seconds.
    private static let life: TimeInterval = 3600
    /// The minimum interval, in seconds, at which a token with an unknown key makes the client read the keys again.
    private static let minimumPause: TimeInterval = 5

    init(_ settings: ShopConfiguration.OpenID, redirectURI: String, line: BenjiServerClient) {
        self.settings = settings
        self.redirectURI = redirectURI
        self.line = line
    }

    // MARK: - There

    /// The address to send a browser to.
    func address(for attempt: LoginAttempt, language: Language) async throws(LoginFailure) -> String {
        let provider = try await provider()
        let request: [(name: String, value: String)] = [
            ("response_type", "code"), ("client_id", settings.clientID), ("redirect_uri", redirectURI),
            ("scope", "openid phone"), ("state", attempt.state), ("nonce", attempt.nonce),
            ("code_challenge", attempt.challenge), ("code_challenge_method", "S256"),
            ("ui_locales", language.tag),
        ]
        guard settings.pushesRequests, let endpoint = provider.pushedAuthorizationRequestEndpoint else {
            return provider.authorizationEndpoint + "?" + FormText.encode(request)
        }
        let pushed: PushedRequest = try await ask(endpoint, request)
        return provider.authorizationEndpoint + "?"
            + FormText.encode([("client_id", settings.clientID), ("request_uri", pushed.requestUri)])
    }

    // MARK: - Back

    /// Which issuer an answer must name, if the provider names itself (RFC 9207): one that another provider sent is not
    /// ours.
    func accepts(issuer: String?) async throws(LoginFailure) -> Bool {
        let provider = try await provider()
        return issuer == settings.issuer || issuer == nil && provider.authorizationResponseIssParameterSupported != true
    }

    /// Exchanges the code that a browser brought.
    func person(code: String, of attempt: LoginAttempt) async throws(LoginFailure) -> Person {
        let provider = try await provider()
        let tokens: TokenAnswer = try await ask(
            provider.tokenEndpoint,
            [
                ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", redirectURI),
                ("code_verifier", attempt.verifier),
            ])
        let token = try await verified(tokens.idToken)
        if let problem = token.problem(
            issuer: settings.issuer, clientID: settings.clientID, nonce: attempt.nonce, accessToken: tokens.accessToken
        ) {
            throw .mistrusted("ID token: \(problem)")
        }
        let answer = try await send {
            () async throws(LineFailure) in
            try await line.get(provider.userinfoEndpoint, authorization: "Bearer \(tokens.accessToken)")
        }
        let person = try read(answer, UserInfo.self)
        // Core §5.3.2: otherwise another person's number could be put under this login.
        guard person.sub == token.sub else { throw .mistrusted("userinfo is about somebody else") }
        let number = person.phoneNumberVerified == true ? person.phoneNumber : nil
        return Person(subject: token.sub, number: number, context: token.acr)
    }

    private func verified(_ text: String) async throws(LoginFailure) -> IDToken {
        let header: JWTHeader
        do { header = try DefaultJWTParser().parse(Array(text.utf8), as: IDToken.self).header } catch {
            throw .mistrusted("ID token: cannot be read")
        }
        guard let algorithm = header.alg, IDToken.algorithms.contains(algorithm), let name = header.kid else {
            throw .mistrusted("ID token: signed in a way that is not taken")
        }
        let keys = try await keys(holding: name)
        do { return try await keys.verify(text, as: IDToken.self) } catch {
            throw .mistrusted("ID token: the signature or the times are wrong")
        }
    }

    // MARK: - What the provider says about itself

    private func provider() async throws(LoginFailure) -> ProviderMetadata {
        if let metadata, metadata.readAt.timeIntervalSinceNow > -Self.life { return metadata.value }
        let answer = try await send { () async throws(LineFailure) in
            try await line.get(settings.issuer + "/.well-known/openid-configuration")
        }
        let value = try read(answer, ProviderMetadata.self)
        // Discovery §4.3.
        guard value.issuer == settings.issuer else { throw .mistrusted("discovery names another issuer") }
        metadata = (value, Date())
        return value
    }

    private func keys(holding name: String) async throws(LoginFailure) -> JWTKeyCollection {
        if let keys {
            let age = -keys.readAt.timeIntervalSinceNow
            if age < Self.life && keys.names.contains(name) { return keys.value }
            guard age >= Self.minimumPause else { throw .mistrusted("ID token: signed by an unknown key") }
        }
        let provider = try await provider()
        let answer = try await send { () async throws(LineFailure) in try await line.get(provider.jwksUri) }
        let set: KeySet
        do { set = try JSONDecoder().decode(KeySet.self, from: answer.body) } catch {
            throw .mistrusted("the provider's keys cannot be read")
        }
        let collection = JWTKeyCollection()
        var names: Set<String> = []
        for key in set.keys.compactMap(\.value) {
            guard let name = key.keyIdentifier, (try? await collection.add(jwk: key)) != nil else { continue }
            names.insert(name.string)
        }
        keys = (collection, names, Date())
        guard names.contains(name) else { throw .mistrusted("ID token: signed by an unknown key") }
        return collection
    }

    // MARK: - Talking

    private func ask<Value: Decodable>(
        _ endpoint: String, _ form: [(name: String, value: String)]
    ) async throws(LoginFailure) -> Value {
        // RFC 6749 §2.3.1: both halves are form-encoded before they are joined.
        let pair = "\(FormText.encode(settings.clientID)):\(FormText.encode(settings.clientSecret))"
        let authorization = "Basic \(Data(pair.utf8).base64EncodedString())"
        let answer = try await send { () async throws(LineFailure) in
            try await line.post(endpoint, form: form, authorization: authorization)
        }
        return try read(answer, Value.self)
    }

    private func send(
        _ body: () async throws(LineFailure) -> BenjiServerClient.Answer
    ) async throws(LoginFailure) -> BenjiServerClient.Answer {
        do { return try await body() } catch { throw .unreachable(error.detail) }
    }

    private func read<Value: Decodable>(
        _ answer: BenjiServerClient.Answer, _ type: Value.Type
    ) throws(LoginFailure) -> Value {
        guard (200..<300).contains(answer.status) else {
            let refusal = try? answer.read(OAuthRefusal.self)
            throw .refused(refusal?.error ?? "HTTP \(answer.status)", refusal?.errorDescription ?? "")
        }
        do { return try answer.read(type) } catch { throw .unreachable(error.detail) }
    }
}

import Authority
package import BenjiProtocol
import Crypto
import Foundation
import Store

/// The app's server exchanges a code for an ID token and an access token.
extension OpenIDProvider {
    package func token(_ credentials: ClientCredentials) async throws(OpenIDFailure) -> JSON {
        let client = try await authenticate(credentials, at: .token)
        let parameters = credentials.parameters
        switch try parameters.required("grant_type") {
        case "authorization_code": return try await exchangeCode(parameters, client)
        case "client_credentials": return try await ownToken(parameters, client)
        default:
            throw OpenIDFailure(
                .unsupportedGrantType, "grant_type: must be authorization_code or client_credentials")
        }
    }

    private func exchangeCode(
        _ parameters: OpenIDParameters, _ client: KnownClient
    ) async throws(OpenIDFailure) -> JSON {
        func refuse(_ detail: String) -> OpenIDFailure { OpenIDFailure(.invalidGrant, detail) }
        let secret = try parameters.required("code")
        guard let code = try await lookUp(secret).credential, code.kind == .code, code.appID == client.record.appID
        else { throw refuse("code: unknown") }
        let grant = try code.read { json throws(JSONError) in try OpenIDGrant(json) }
        guard parameters["redirect_uri"] == grant.redirectURI else {
            throw refuse("redirect_uri: is not the one of the authorization request")
        }
        let verifier = try parameters.required("code_verifier")
        // RFC 7636 §4.1.
        guard (43...128).contains(verifier.utf8.count),
            Base64URL.encode(Array(SHA256.hash(data: Array(verifier.utf8)))) == grant.challenge
        else { throw refuse("code_verifier: does not belong to the code_challenge") }

        // The operator may have changed the app since the code was issued.
        try client.check(grant.scopes)

        let access = newSecret()
        let now = now
        var credential = code
        credential.hash = CredentialHash(of: access)
        credential.kind = .access
        var next = grant
        (next.redirectURI, next.challenge, next.nonce) = ("", "", nil)
        credential.details = next.json.text
        credential.issuedAt = now
        credential.expiresAt = now + .seconds(Lifetime.accessToken)
        // Made before the code is spent, so that a fault on the way costs nobody a login. Without the scope openid it is a grant
        // of OAuth's, and names nobody.
        let idToken =
            grant.scopes.contains("openid") ? try await idToken(code, grant, client, accessToken: access) : nil
        try await spend(code, credential)
        return Self.tokenAnswer(access, grant.scopes, idToken: idToken)
    }

    /// RFC 6749 §5.1. There is never a refresh token.
    static func tokenAnswer(_ access: String, _ scopes: [String], idToken: String? = nil) -> JSON {
        .object([
            "access_token": .string(access), "token_type": "Bearer", "expires_in": .integer(Lifetime.accessToken),
            "scope": .string(scopes.joined(separator: " ")), "id_token": idToken.map { .string($0) },
        ])
    }

    private func spend(_ code: OpenIDCredential, _ access: OpenIDCredential) async throws(OpenIDFailure) {
        let outcome = try await exchange(
            OpenIDExchange(hash: code.hash, kind: .code, appID: code.appID, now: now, next: access))
        let end: (situation: Situation, detail: String)
        switch outcome {
        case .spent: end = (.success, "the code was exchanged")
        case .alreadySpent:
            // RFC 6749 §4.1.2: whoever shows it again may be its thief, or the thief came first.
            do { try await store.revokeOpenIDCredentials(family: code.family) } catch { throw OpenIDFailure(error) }
            end = (.tokenSpent, "code: was used before; what it had bought is revoked")
        case .expired: end = (.tokenExpired, "code: is older than \(Lifetime.code) seconds")
        case .revoked:
            end = (.subscriptionChanged, "code: was revoked, or the SIM or the owner of the number changed")
        case .unknown, .wrongApp, .quotaExceeded: end = (.tokenUnknown, "code: unknown")
        }
        await authority.tracer.record(code.trace, .appServer, "openid.token", end.situation, end.detail)
        guard end.situation == .success else { throw OpenIDFailure(.invalidGrant, end.detail) }
    }

    /// OpenID Connect Core §2.
    private func idToken(
        _ code: OpenIDCredential, _ grant: OpenIDGrant, _ client: KnownClient, accessToken: String
    ) async throws(OpenIDFailure) -> String {
        let issued = authority.clock.now.seconds
        let payload = JSON.object([
            "iss": .string(configuration.issuer),
            "sub": .string(subject(try await subscription(code), grant, code.appID)),
            "aud": .string(code.appID.rawValue), "exp": .integer(issued + Lifetime.idToken), "iat": .integer(issued),
            "auth_time": .integer(grant.authenticatedAt.seconds), "nonce": grant.nonce.map { .string($0) },
            "acr": grant.context.map { .string($0.rawValue) },
            "amr": grant.context.map { .array($0.methods.map { .string($0) }) },
            // §3.1.3.6: the left half of the hash.
            "at_hash": .string(Base64URL.encode(Array(SHA256.hash(data: Array(accessToken.utf8))).prefix(16))),
        ])
        do { return try await clients.keys.sign(payload, client.record.idTokenAlgorithm) } catch {
            throw OpenIDFailure(error)
        }
    }

    /// Who this person is to this app (decision 5), or the name that one authorization without a page has.
    func subject(_ person: SubscriptionRecord, _ grant: OpenIDGrant, _ app: AppID) -> String {
        grant.subject ?? authority.vault.openID(person, app: app)
    }

    func subscription(_ credential: OpenIDCredential) async throws(OpenIDFailure) -> SubscriptionRecord {
        let changed = OpenIDFailure(.invalidGrant, "the owner of the number changed")
        guard let owner = credential.subject?.subscription else { throw changed }
        let row: SubscriptionRecord?
        do { row = try await store.subscription(owner.subscription) } catch {
            throw OpenIDFailure(.temporarilyUnavailable, "the store did not answer")
        }
        guard let row, row.epoch == owner.epoch else { throw changed }
        return row
    }
}

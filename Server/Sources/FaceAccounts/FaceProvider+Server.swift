package import Authority
package import BenjiFaceProtocol
@_spi(Server) package import BenjiProtocol
package import Requests
package import Store

/// Requests of an app's server for who logged in. A server must not trust the app's own statement about a login.
extension FaceProvider {
    /// An access token of the app's server.
    package struct ServerGrant: Hashable, Sendable {
        package var accessToken: String
        /// Seconds from the answer.
        package var lifetime: Int64
        package var openID: String
    }

    /// The user that logged in, identified by ``openID`` alone.
    package struct ServerUser: Hashable, Sendable {
        package var openID: String
        /// Drawn at random here, or what the phone has said: no server has confirmed that this person is that user.
        package var uid: String
        package var isRandomUID: Bool
        package var userInfo: FaceUserInfo
        /// When the face was last seen for this app.
        package var verifiedAt: Timestamp
    }

    package func registeredApp(_ id: AppID) async throws(Refusal) -> RegisteredApp {
        try await authority.registeredApp(id)
    }

    /// Whether a server's call may be answered at all. Call it after the sign was found right.
    ///
    /// - Parameter name: the request's own, which counts once.
    package func admit(
        _ call: ServerCall, needs capability: Capability = .face, name: String
    ) async throws(Refusal) {
        _ = try authority.admit(call, needs: capability)
        guard let sentAt = call.sentAt else { throw Refusal(.timestampInvalid, "timestamp: missing") }
        try await authority.consume("superid \(name)", of: call.app.record.id, sentAt: sentAt)
    }

    /// OAuth's authorization code grant (RFC 6749 §4.1.3): the code that the app got, once.
    package func exchangeCode(_ code: String, for call: ServerCall) async throws(Refusal) -> ServerGrant {
        let secret = CredentialGrammar.faceAccess.make(random: random)
        let app = call.app.record.id
        let access = credential(secret, .server, app: app)
        let outcome: FaceExchangeOutcome
        do {
            outcome = try await store.exchangeFaceCredential(
                FaceExchange(
                    hash: CredentialHash(of: code), kind: .code, appID: app, deviceKey: nil, now: now, next: [access]))
        } catch { throw Refusal(error) }
        switch outcome {
        case .spent(let holding):
            return ServerGrant(
                accessToken: secret, lifetime: Lifetime.server, openID: holding.binding?.openID ?? "")
        case .unknown: throw Refusal(.tokenUnknown, "code: the app has no such code")
        case .alreadySpent(let credential):
            // RFC 6749 §4.1.2: either this caller or the first one may have stolen the code.
            do { try await store.revokeFaceCredentials(family: credential.family) } catch { throw Refusal(error) }
            throw Refusal(.tokenSpent, "code: was used before; what it had bought is ended")
        case .expired: throw Refusal(.tokenExpired, "code: is older than a minute")
        case .revoked(_, let ending):
            if ending?.cause == .sim {
                throw Refusal(.subscriptionChanged, "code: the number has another SIM since; the person logs in again")
            }
            throw Refusal(.notAuthorized, "code: the authorisation was cancelled")
        case .frozen: throw Refusal(.accountFrozen, "code: the account is frozen")
        }
    }

    package func user(_ accessToken: String, for call: ServerCall) async throws(Refusal) -> ServerUser {
        let found: FaceCredentialLookup
        do { found = try await store.faceCredential(CredentialHash(of: accessToken)) } catch { throw Refusal(error) }
        guard case .live(let holding) = found, holding.credential.kind == .server,
            holding.credential.appID == call.app.record.id
        else { throw Refusal(.accessTokenInvalid, "access_token: the app has no such token, or it was ended") }
        guard now < holding.credential.expiresAt else {
            throw Refusal(.accessTokenExpired, "access_token: has expired")
        }
        guard !holding.account.isFrozen else { throw Refusal(.accountFrozen, "the account is frozen") }
        guard let binding = holding.binding else { throw Refusal(.notAuthorized, "the authorisation was cancelled") }
        return ServerUser(
            openID: binding.openID, uid: binding.uid, isRandomUID: binding.isRandomUID,
            userInfo: try await userInfo(holding.account, binding, for: .server), verifiedAt: binding.verifiedAt)
    }
}

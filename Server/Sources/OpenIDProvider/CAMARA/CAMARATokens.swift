import Authority
import BenjiProtocol
import Requests
import Store

/// A token that may be used for a call, before anything is spent.
struct CAMARAToken {
    var credential: OpenIDCredential
    var grant: OpenIDGrant
    var app: AppRecord

    /// How strongly it was earned; `nil` for the app's own.
    var assurance: Assurance? { grant.context?.assurance }
}

/// Access tokens as CAMARA's interfaces take them. The refusals are situations, because those dialects have codes of
/// their own.
struct CAMARATokens: Sendable {
    let context: ProviderContext

    /// - Parameters:
    ///   - call: the access token, and where it was shown.
    ///   - scopes: one of them must have been granted.
    func token(
        _ call: OpenIDProvider.BearerCall, for scopes: Set<CAMARAScope>
    ) async throws(Refusal) -> CAMARAToken {
        guard let text = call.token else {
            throw Refusal(.tokenMissing, "the access token goes into the Authorization header, as Bearer or DPoP")
        }
        let lookup: OpenIDLookup
        do { lookup = try await context.lookUp(text) } catch { throw Refusal(.storeUnavailable, error.detail) }
        let credential: OpenIDCredential
        switch lookup {
        case .live(let found) where found.kind == .access: credential = found
        case .spent(let found) where found.kind == .access:
            throw Refusal(.tokenSpent, "the access token was used before; it is good for one call", trace: found.trace)
        case .revoked(let found) where found.kind == .access:
            throw Refusal(.subscriptionChanged, "the access token was revoked", trace: found.trace)
        default: throw Refusal(.tokenUnknown, "the access token is unknown")
        }
        func refuse(_ situation: Situation, _ detail: String) -> Refusal {
            Refusal(situation, detail, trace: credential.trace, carrier: credential.subject?.carrier)
        }
        guard context.now < credential.expiresAt else { throw refuse(.tokenExpired, "the access token has expired") }
        let app: RegisteredApp
        do { app = try await context.authority.liveApp(credential.appID) } catch {
            throw refuse(error.situation, error.detail)
        }
        guard app.mayBeAnswered(at: call.peer) else {
            throw refuse(.serverAddressNotAllowed, "the address is not among the app's server addresses")
        }
        let grant: OpenIDGrant
        do { grant = try credential.read { json throws(JSONError) in try OpenIDGrant(json) } } catch {
            throw refuse(.internalError, error.detail)
        }
        do {
            try await context.checkPossession(
                of: grant.binding, call, of: try await context.knownClient(credential.appID.rawValue).record)
        } catch {
            switch error.error {
            case .temporarilyUnavailable: throw refuse(.storeUnavailable, error.detail)
            case let problem where problem.isOfProof: throw refuse(Situation(ofProof: problem), error.detail)
            default: throw refuse(.tokenUnknown, error.detail)
            }
        }
        let granted = scopes.filter { grant.scopes.contains($0.rawValue) }
        guard let scope = granted.first else {
            let names = scopes.map(\.rawValue).sorted().joined(separator: " or ")
            throw refuse(.scopeMissing, "the access token has no scope \(names)")
        }
        if let problem = app.record.lacks(scope) { throw refuse(.capabilityMissing, problem) }
        // Checked again, although such a token is never issued.
        guard !scope.isOfNumberVerification || grant.context?.methods.contains("nba") == true else {
            throw refuse(.notByNetwork, "the token was not earned over the mobile network")
        }
        return CAMARAToken(credential: credential, grant: grant, app: app.record)
    }

    /// The subscription that a token of a person stands for.
    func person(of token: CAMARAToken) async throws(Refusal) -> SubscriptionRecord {
        do { return try await context.subscription(token.credential) } catch {
            let situation: Situation = error.error == .invalidGrant ? .subscriptionChanged : .storeUnavailable
            throw Refusal(situation, error.detail, trace: token.credential.trace)
        }
    }

    func number(of subscription: SubscriptionRecord, _ token: CAMARAToken) throws(Refusal) -> PhoneNumber {
        do { return try context.authority.vault.number(of: subscription) } catch {
            throw Refusal(error, "the subscription's number does not open", trace: token.credential.trace)
        }
    }

    /// The one write that an answer rests on: the token is spent, if it is a person's, and the answer billed.
    ///
    /// - Parameters:
    ///   - interface: for the ledger and the trace.
    ///   - result: the ledger's word for the answer.
    func use(
        _ token: CAMARAToken, at interface: String, result: String, _ detail: String
    ) async throws(Refusal) {
        if let carrier = token.credential.subject?.carrier { RequestSubject.current?.note(carrier: carrier) }
        let now = context.now
        let outcome: OpenIDExchangeOutcome
        do {
            outcome = try await context.store.exchange(
                OpenIDExchange(
                    hash: token.credential.hash, kind: .access, appID: token.credential.appID, now: now,
                    billing: OpenIDExchange.Billing(
                        interface: interface, result: result, assurance: token.assurance,
                        quota: context.authority.quota(of: token.app, at: now),
                        day: CalendarDay(now).number,
                        event: token.app.event(
                            ofResult: result, of: token.credential, assurance: token.assurance, interface: interface,
                            openID: nil, at: now, random: context.authority.random)),
                    end: token.credential.subject == nil ? .kept : .spent)
            )
        } catch { throw Refusal(error) }
        let end: (situation: Situation, detail: String) =
            switch outcome {
            case .spent: (.success, detail)
            case .quotaExceeded: (.quotaExceeded, Refusal.quotaIsUsedUp)
            case .alreadySpent: (.tokenSpent, "the access token was used before")
            case .expired: (.tokenExpired, "the access token has expired")
            case .revoked: (.subscriptionChanged, "the SIM or the owner of the number changed")
            case .unknown, .wrongApp, .answered: (.tokenUnknown, "the access token is unknown")
            }
        await context.tracer.record(token.credential.trace, .appServer, interface, end.situation, end.detail)
        guard end.situation == .success else {
            throw Refusal(end.situation, end.detail, trace: token.credential.trace)
        }
    }
}

import Authority
@_spi(Server) import BenjiProtocol
import Requests
import Store

/// The userinfo endpoint (OpenID Connect Core §5.3): an access token buys the number once, and gets the same answer as
/// long as it lives. Tokens of CAMARA's are good for one.
struct UserInfoEndpoint: Sendable {
    let context: ProviderContext

    func userInfo(_ call: OpenIDProvider.BearerCall) async throws(OpenIDFailure) -> JSON {
        func refuse(_ detail: String) -> OpenIDFailure { OpenIDFailure(.invalidToken, detail) }
        guard let text = call.token else {
            throw refuse(
                "the access token goes into the Authorization header, or as access_token into a form, and not into both"
            )
        }
        guard case .live(let token) = try await context.lookUp(text), token.kind.isAccessToken else {
            throw refuse("the access token is unknown, was used before or was revoked")
        }
        let client: KnownClient
        do { client = try await context.knownClient(token.appID.rawValue) } catch {
            throw error.error == .temporarilyUnavailable ? error : refuse("the app may not be answered")
        }
        guard client.app.mayBeAnswered(at: call.peer) else {
            throw refuse("the address is not among the app's server addresses")
        }
        let grant = try token.read { json throws(JSONError) in try OpenIDGrant(json) }
        guard call.formToken == nil || client.record.profile != .fapi2 else {
            throw refuse("the access token goes into the Authorization header")
        }
        try await context.checkPossession(of: grant.binding, call, of: client.record)
        guard grant.scopes.contains("openid") else { throw refuse("the access token's scope has no openid") }
        do { try client.check(grant.scopes) } catch { throw refuse("the app may not be answered") }
        do { try client.check(grant.context) } catch { throw refuse(error.detail) }
        let subscription: SubscriptionRecord
        do { subscription = try await context.subscription(token) } catch {
            throw error.error == .invalidGrant ? refuse(error.detail) : error
        }
        let releasesNumber = grant.scopes.contains("phone")
        var number: PhoneNumber?
        if releasesNumber {
            do { number = try context.authority.vault.number(of: subscription) } catch {
                throw OpenIDFailure(Refusal(error, "the subscription's number does not open"))
            }
        }
        if let carrier = token.subject?.carrier { RequestSubject.current?.note(carrier: carrier) }
        // Only that write is billed, and only a number costs something.
        let now = context.now
        let outcome = try await context.exchange(
            OpenIDExchange(
                hash: token.hash, kind: .access, appID: token.appID, now: now,
                billing: releasesNumber
                    ? OpenIDExchange.Billing(
                        interface: "openid.userinfo", result: "released", assurance: grant.context?.assurance,
                        quota: context.authority.quota(of: client.app.record, at: now),
                        day: CalendarDay(now).number,
                        event: client.app.record.event(
                            ofResult: "released", of: token, assurance: grant.context?.assurance,
                            interface: "openid.userinfo",
                            openID: context.subject(subscription, grant, token.appID), at: now,
                            random: context.authority.random)) : nil,
                end: CAMARAScopes.areAsked(Set(grant.scopes)) ? .spent : .answered))
        // A repeated request writes nothing, neither here nor in the ledger.
        var isRepeated = false
        let end: (situation: Situation, detail: String)
        switch outcome {
        case .spent: end = (.success, releasesNumber ? "the number was released" : "the person was named")
        case .quotaExceeded: end = (.quotaExceeded, Refusal.quotaIsUsedUp)
        case .alreadySpent: end = (.tokenSpent, "the access token was used before")
        case .expired: end = (.tokenExpired, "the access token has expired")
        case .revoked: end = (.subscriptionChanged, "the access token was revoked, or the SIM or the owner changed")
        case .unknown, .wrongApp: end = (.tokenUnknown, "the access token is unknown")
        case .answered: (end, isRepeated) = ((.success, "the answer was repeated"), true)
        }
        if !isRepeated {
            await context.tracer.record(token.trace, .appServer, "openid.userinfo", end.situation, end.detail)
        }
        switch end.situation {
        case .success: break
        case .quotaExceeded: throw OpenIDFailure(.temporarilyUnavailable, end.detail, retriesSoon: false)
        // Which of these it is, is the app's to look up in the trace.
        default: throw refuse("the access token has expired, was used before or was revoked")
        }
        // A repeated answer rests on this alone; the first on the write.
        return .object([
            "sub": .string(context.subject(subscription, grant, token.appID)),
            "phone_number": number.map { .string("+" + $0.e164) },
            "phone_number_verified": releasesNumber ? .bool(true) : nil,
        ])
    }
}

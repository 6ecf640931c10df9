import Authority
import BenjiPage
import BenjiPolicy
package import BenjiProtocol
import Requests
import Sightings
import Store

/// A person's own page: what apps ask the holder of this phone's number, and a yes or a no to each.
struct RequestsEndpoint: Sendable {
    private let context: ProviderContext
    private let limits: BackchannelLimits
    private let notices: BackchannelNotices?
    private let limiter: RateBucket<Int64>
    /// The most requests on one page; the limits of a number leave no room for more.
    private static let mostShown = 50

    init(context: ProviderContext, limits: BackchannelLimits, notices: BackchannelNotices?) {
        self.context = context
        self.limits = limits
        self.notices = notices
        let configuration = context.authority.configuration
        limiter = RateBucket(
            perSecond: 1, burst: configuration.prefetchesPerNumber, capacity: configuration.rememberedCallers)
    }

    private struct Shown {
        var credential: OpenIDCredential
        var content: BackchannelContent
        var client: KnownClient
    }

    /// - Parameter decision: what the person decided, before the list is made.
    func requests(
        deciding decision: BackchannelDecision?, _ call: OpenIDProvider.BrowserCall
    ) async throws(OpenIDStop) -> [WaitingRequest] {
        let language = Language(wanted: call.languages)
        func stop(_ situation: Situation) -> OpenIDStop { .person(situation, language, otherWay: nil) }
        let seen: (sighting: Sighting, subscription: SubscriptionRecord)
        do { seen = try await context.authority.acceptedSighting(call.sighting) } catch { throw stop(error.situation) }
        guard limiter.admits(seen.subscription.id, now: context.now) else { throw stop(.tooManyRequests) }
        do {
            var waiting = try await waiting(for: seen.sighting.subscription, language)
            if let decision {
                // Only this phone's requests are searched: a form cannot name another phone's.
                guard let place = waiting.firstIndex(where: { $0.credential.family == decision.family }),
                    waiting[place].content.content.digest == decision.digest,
                    try await decide(decision.isYes, waiting[place], seen.sighting, seen.subscription)
                else { throw stop(.scripExpired) }
                waiting.remove(at: place)
            }
            return waiting.map { WaitingRequest($0.credential, $0.content) }
        } catch let stop as OpenIDStop {
            throw stop
        } catch {
            throw stop(.storeUnavailable)
        }
    }

    private func waiting(for holder: SubscriptionReference, _ language: Language) async throws -> [Shown] {
        var shown: [Shown] = []
        for credential in try await context.store.backchannelRequests(
            of: holder, at: context.now, limit: Self.mostShown)
        {
            // Not shown: requests whose app has since lost the right to ask, or was suspended.
            let client: KnownClient
            do { client = try await context.knownClient(credential.appID.rawValue) } catch {
                if error.error == .temporarilyUnavailable { throw error }
                continue
            }
            guard client.record.backchannel != nil else { continue }
            let content = try BackchannelContent(
                credential, client.app.record, language, policy: context.authority.configuration.policy.version)
            guard (try? client.checkBrowser(content.details.scopes)) != nil else { continue }
            shown.append(Shown(credential: credential, content: content, client: client))
        }
        return shown
    }

    /// One conditional write, a yes with the evidence of it.
    ///
    /// - Returns: whether it was this that decided.
    private func decide(
        _ isYes: Bool, _ shown: Shown, _ sighting: Sighting, _ subscription: SubscriptionRecord
    ) async throws -> Bool {
        let request = shown.credential
        let tappedAt = context.authority.clock.now
        var agreed: OpenIDCredential?
        if isYes {
            var grant = OpenIDGrant(scopes: shown.content.details.scopes, issuedAt: tappedAt)
            grant.context = .network
            var credential = request
            credential.hash = request.hash.agreed
            credential.kind = .agreed
            // From now on it rests on the address that the tap came from, and dies with doubt about it.
            credential.subject = OpenIDCredential.Subject(
                subscription: sighting.subscription, carrier: sighting.carrier, binding: sighting.binding)
            credential.details = grant.json.text
            agreed = credential
        }
        let outcome = try await context.exchange(
            OpenIDExchange(
                hash: request.hash, kind: .backchannel, appID: request.appID, now: context.now, next: agreed,
                consent: isYes ? try evidence(shown, subscription, at: tappedAt) : nil))
        guard case .spent = outcome else { return false }
        await context.tracer.record([
            context.tracer.event(request.trace, sighting: sighting, of: request.appID),
            context.tracer.event(
                request.trace, .device, "openid.backchannel-answer", isYes ? .success : .userCancelled,
                isYes ? "agreed to on the phone, \(AuthenticationContext.network.rawValue)" : "refused on the phone"),
        ])
        ping(shown)
        if !isYes, let number = try? context.authority.vault.number(of: subscription) {
            // It is decided; that the store fails now takes nothing of that back.
            try? await limits.silence(request.appID, number)
        }
        return true
    }

    /// Pings a client that wants it. A lost ping does no harm: the client may poll.
    private func ping(_ shown: Shown) {
        guard let notices, let endpoint = shown.client.record.backchannel?.notificationEndpoint,
            let sealed = shown.content.details.ping,
            let (token, id) = context.authority.vault.ping(sealed, of: shown.credential.hash)
        else { return }
        let ping = BackchannelPing(
            appID: shown.credential.appID, endpoint: endpoint, token: token,
            payload: JSON.object(["auth_req_id": .string(id)]).text)
        notices.later(ping.appID) { await notices.ping(ping) }
    }

    /// The authority's signed word about which request it showed, and that a tap on that phone agreed (decision 25).
    private func evidence(
        _ shown: Shown, _ subscription: SubscriptionRecord, at tappedAt: Timestamp
    ) throws -> ConsentEvidence {
        let request = shown.credential
        let digest = shown.content.content.digest
        let record = try CompactJWS.sign(
            header: [JSON.Member("typ", "benji-backchannel-consent+jwt")],
            payload: .object([
                "iss": .string(context.configuration.issuer), "app": .string(request.appID.rawValue),
                "trace": .string(request.trace.rawValue), "content": shown.content.content.json,
                "contentDigest": .string(digest),
                "scopes": .array(shown.content.details.scopes.map { .string($0) }),
                "bindingMessage": shown.content.details.bindingMessage.map { .string($0) },
                "askedAt": .integer(request.issuedAt.milliseconds), "tappedAt": .integer(tappedAt.milliseconds),
            ]), with: context.authority.vault.receiptSigner)
        return ConsentEvidence(
            appID: request.appID, trace: request.trace, subscription: subscription.reference, contentDigest: digest,
            record: record, assurance: AuthenticationContext.network.assurance, receivedAt: tappedAt)
    }
}

import Authority
import BenjiPage
package import BenjiProtocol
import Requests
import Sightings
import Store

/// An app that a person's consent is remembered for, as the person's own page shows it.
package struct RememberedApp: Hashable, Sendable {
    /// Identifies the consent to users of the same phone. It serves only to end the consent.
    package var family: Int64
    package var name: String
    package var agreedAt: Timestamp
    package var usedAt: Timestamp?
    package var expiresAt: Timestamp
    /// Whether the app is given the number.
    package var getsNumber: Bool

    package init(
        family: Int64, name: String, agreedAt: Timestamp, usedAt: Timestamp?, expiresAt: Timestamp, getsNumber: Bool
    ) {
        self.family = family
        self.name = name
        self.agreedAt = agreedAt
        self.usedAt = usedAt
        self.expiresAt = expiresAt
        self.getsNumber = getsNumber
    }
}

/// The consents that a person ends on that page.
package enum ConsentEnding: Hashable, Sendable {
    case one(family: Int64)
    case all
}

/// A person's own page: which apps are remembered for this phone's number, in whatever browser, and their end.
struct ConsentsEndpoint: Sendable {
    private let context: ProviderContext
    private let limiter: RateBucket<Int64>

    init(context: ProviderContext) {
        self.context = context
        let configuration = context.authority.configuration
        limiter = RateBucket(
            perSecond: 1, burst: configuration.prefetchesPerNumber, capacity: configuration.rememberedCallers)
    }

    func consents(
        ending: ConsentEnding?, _ call: OpenIDProvider.BrowserCall
    ) async throws(OpenIDStop) -> [RememberedApp] {
        let language = Language(wanted: call.languages)
        let seen: (sighting: Sighting, subscription: SubscriptionRecord)
        do { seen = try await context.authority.acceptedSighting(call.sighting) } catch {
            throw .person(error.situation, language, otherWay: nil)
        }
        guard limiter.admits(seen.subscription.id, now: context.now) else {
            throw .person(.tooManyRequests, language, otherWay: nil)
        }
        let holder = seen.sighting.subscription
        do {
            switch ending {
            case .one(let family): try await context.store.endRememberedConsents(of: holder, family: family)
            case .all: try await context.store.endRememberedConsents(of: holder, family: nil)
            case nil: break
            }
            var apps: [RememberedApp] = []
            var names: [AppID: String] = [:]
            for one in try await context.store.rememberedConsents(of: holder, at: context.now) {
                let credential = one.credential
                let details = try credential.read { json throws(JSONError) in try RememberedDetails(json) }
                if names[credential.appID] == nil {
                    // An app that is being deleted has no name to show, and logs no person in.
                    let app = try? await context.authority.apps.find(credential.appID)
                    names[credential.appID] = app?.record.shownName ?? credential.appID.rawValue
                }
                apps.append(
                    RememberedApp(
                        family: credential.family, name: names[credential.appID] ?? "",
                        agreedAt: details.agreedAt, usedAt: one.usedAt, expiresAt: credential.expiresAt,
                        getsNumber: details.scopes.contains("phone")))
            }
            return apps
        } catch {
            throw .person(.storeUnavailable, language, otherWay: nil)
        }
    }
}

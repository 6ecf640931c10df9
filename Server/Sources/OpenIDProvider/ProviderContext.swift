package import Authority
import BenjiProtocol
package import Requests
import Sightings
import Store

/// The common state of the protocol's steps. A step itself holds only its own state.
struct ProviderContext: Sendable {
    let configuration: OpenIDProvider.Configuration
    let authority: Authority
    let store: any OpenIDStore & RegisterStore & RowCodeStore
    let clients: OpenIDClients
    /// The signers of clients' certificates; `nil` if no client is asked for one.
    let clientAuthorities: ClientAuthorities?
    /// Limits web logins and codes without a page of which something lasting is kept.
    private let lasting: RateLimiter

    init(
        configuration: OpenIDProvider.Configuration, authority: Authority,
        store: any OpenIDStore & RegisterStore & RowCodeStore,
        clientAuthorities: ClientAuthorities? = nil
    ) {
        self.configuration = configuration
        self.clientAuthorities = clientAuthorities
        self.authority = authority
        self.store = store
        lasting = RateLimiter(
            limit: authority.configuration.prefetchesPerNumber, window: .seconds(600),
            capacity: authority.configuration.rememberedCallers)
        clients = OpenIDClients(authority: authority, store: store)
    }

    var random: any RandomSource { authority.random }
    var now: Timestamp { authority.expiryClock.now }
    var tracer: Tracer { authority.tracer }

    func url(_ path: OpenIDProvider.Path) -> String { configuration.url(path) }

    /// A new unguessable credential: 43 characters, of which 36 are random, 214 bits.
    func newCredential() -> String { CredentialGrammar.openID.make(at: now, random: random) }
    /// A secret that is not kept as a credential: 43 random characters, 256 bits.
    func newSecret() -> String { CredentialGrammar.openID.make(random: random) }

    /// Counts pages for one app on one phone, or codes without a page: 20 a second, whatever else comes. Nothing
    /// distinguishes a browser from a guest on the phone's connection, who could use up a count of ten minutes. A
    /// request that an app's server pushed or signed is counted by its own name (``ValidRequest/name(for:)``).
    func newLimiter() -> RateBucket<String> {
        RateBucket(
            perSecond: 20, burst: authority.configuration.prefetchesPerNumber,
            capacity: authority.configuration.rememberedCallers)
    }

    /// Where a login at a phone's address shows a page, and where it shows none.
    enum Beginning: String { case page, remembered, network }

    /// Counts a login at an app that was begun at a phone's address. Returns whether it is *brief*, as in
    /// `PrefetchBudget`: more were begun in ten minutes than a person needs. Any script at that address can begin them.
    /// No step of a brief login is written into a trace, and its consent is written when its code is redeemed.
    ///
    /// Requests that the app's server pushed or signed count as well: a script at the app's link has it push as often.
    /// Each beginning has a count of its own, so that redirects without a page make no login on a page brief.
    func isBrief(_ beginning: Beginning, _ app: AppID, for phone: Int64) -> Bool {
        !lasting.admits("\(beginning.rawValue) \(app.rawValue)/\(phone)", now: now)
    }

    func lookUp(_ secret: String) async throws(OpenIDFailure) -> OpenIDLookup {
        guard CredentialGrammar.openID.matches(secret) else { return .unknown }
        do {
            let found = try await store.openIDCredential(CredentialHash(of: secret, .openID))
            if case .live = found { RequestSubject.current?.prove() }
            return found
        } catch {
            throw OpenIDFailure(error)
        }
    }

    func exchange(_ exchange: OpenIDExchange) async throws(OpenIDFailure) -> OpenIDExchangeOutcome {
        do { return try await store.exchange(exchange) } catch { throw OpenIDFailure(error) }
    }

    func insert(_ credential: OpenIDCredential) async throws(OpenIDFailure) {
        do { try await store.insertOpenIDCredential(credential) } catch { throw OpenIDFailure(error) }
    }

    /// Ends everything that one login has bought.
    func revoke(family: Int64) async throws(OpenIDFailure) {
        do { try await store.revokeOpenIDCredentials(family: family) } catch { throw OpenIDFailure(error) }
    }

    /// The person's identifier at this app (decision 5), or the name that one authorization without a page has.
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

/// Seconds. A code is shown by a server at once (ASVS 10.4.3 asks for a minute at most); a page is read by a person.
enum OpenIDLifetime {
    static let pushedRequest: Int64 = 60
    static let page: Int64 = 300
    /// As long as the longest life of a code by SMS: a person may ask for another, or correct the number.
    static let smsPage: Int64 = 1800
    static let code: Int64 = 60
    static let accessToken: Int64 = 300
    static let idToken: Int64 = 300
    /// Of a remembered consent.
    static let remembered: Int64 = Int64(RememberedConsentStrings.days) * 86400
}

extension OpenIDFailure {
    init(_ error: StoreError) { self.init(Refusal(error)) }

    /// A client's error for a refusal of the authority.
    package init(_ refusal: Refusal) {
        switch refusal.situation {
        case .storeUnavailable, .overloaded:
            self.init(.temporarilyUnavailable, refusal.detail, situation: refusal.situation)
        case .appUnknown: self.init(.invalidClient, refusal.detail, situation: refusal.situation)
        case .appSuspended, .appNotAllowed, .capabilityMissing:
            self.init(.unauthorizedClient, refusal.detail, situation: refusal.situation)
        default: self.init(.serverError, refusal.detail, situation: refusal.situation)
        }
    }
}

package import Authority
package import BenjiFaceProtocol
package import BenjiProtocol
package import FaceMatching
import Logging
package import Requests
package import Store
import Synchronization

/// The stores that face login needs besides the authority's. A one-tap token is redeemed here too.
package typealias FaceProviderStore = FaceStore & RegisterStore & CredentialStore & LedgerStore & GuessStore

/// Face accounts: a number, a face that opens it, and apps that its holder has let know them.
///
/// A session names the account first, and the face is compared with that one template. The exception is a search in an
/// app's group of people who agreed to it, and its result is no login (`FaceProvider+Search.swift`). Start reading at
/// `FaceProvider+Begin.swift`; the walk goes on in `+Consent`, `+Challenge`, `+Finish` and `+Access`.
package final class FaceProvider: Sendable {
    package struct Configuration: Hashable, Sendable {
        /// The terms that a person accepts before their face is used.
        package var terms: FaceTerms
        /// The least assurance of a one-tap token that begins a session. If the app demands a higher one, that applies.
        /// An enrolled face is permanent, so a moment behind another user's address must not suffice.
        package var leastAssurance = Assurance.netApp
        /// Challenges of one session.
        package var attempts = 3
        /// The limit of comparisons with one account in ten minutes, against trying faces until one fits. It counts all
        /// comparisons in one process, and mismatches in all processes of the installation.
        package var comparisons = 10
        /// Mismatches with one account in a day, in all processes of the installation. If one face in 10,000 is alike
        /// enough, an attacker with the phone needs 200 days on average. At ten in ten minutes it would be a week.
        package var dailyFaces = 50
        /// Sessions of one account for one app in ten minutes that begin without a one-tap token.
        package var begins = 30
        /// Searches that open templates at once, in this process: a group's are some 25 MB.
        package var searchesAtOnce = 2
        /// Searches in an app's groups in ten minutes: of one install, begun from one address, and made by all of the
        /// app's. The limits of an address, here and below, count only requests of unknown keys; see ``FaceBudget``.
        package var searches = 10
        package var addressSearches = 60
        package var appSearches = 600
        /// App tokens for one app in ten minutes: of one install, and from one address or /64 of IPv6.
        package var appTokens = 60
        package var addressAppTokens = 1200
        /// Questions whether a uid is tied, likewise.
        package var questions = 120
        package var addressQuestions = 600
        /// Requests of all kinds: of one install at once, and in each second after that. Requests beyond these count
        /// against the address, in ten minutes.
        package var requests = 600
        package var requestsPerSecond = 2
        package var addressRequests = 30_000
        /// Groups of one app, and people of one group.
        package var groups = 100
        package var groupMembers = 10_000

        package init(terms: FaceTerms) { self.terms = terms }
    }

    /// Seconds.
    enum Lifetime {
        static let appToken: Int64 = 7200
        /// Given out above an address's budget.
        static let briefAppToken: Int64 = 600
        static let session: Int64 = 600
        static let access: Int64 = 7200
        /// From the last use: an authorisation expires when a person stays away.
        static let refresh: Int64 = 60 * 86400
        static let remembered: Int64 = 365 * 86400
        static let code: Int64 = 60
        static let server: Int64 = 7200
        /// How long a face that was shown is fresh enough for what cannot be taken back.
        static let fresh: Int64 = 300

        static func of(_ kind: FaceCredential.Kind) -> Int64 {
            switch kind {
            case .access: access
            case .refresh: refresh
            case .remembered: remembered
            case .code: code
            case .server: server
            }
        }
    }

    package let configuration: Configuration
    let authority: Authority
    let store: any FaceProviderStore
    let analyzer: any FaceAnalyzer
    let challenges: any FaceChallenging
    let appTokens = FaceAppTokens(capacity: 200_000)
    let sessions = FaceSessions(capacity: 20_000)
    let begins: RateLimiter
    let comparisons: RateLimiter
    let searching = Mutex(0)
    let appSearches: RateLimiter
    /// 2,000 requests a second for twice a proof's life.
    let proofs = FaceProofs(capacity: 1_000_000)
    let standings = FrameStandings(capacity: 80_000)
    let freshness = FaceFreshness(life: .seconds(Lifetime.fresh), capacity: 200_000)
    let keyRequests: RateBucket<String>
    let requests: SourceLimiter
    let tokenBudget: FaceBudget
    let searchBudget: FaceBudget
    let questionBudget: FaceBudget

    package init(
        configuration: Configuration, authority: Authority, store: any FaceProviderStore, analyzer: any FaceAnalyzer,
        challenges: any FaceChallenging
    ) {
        self.configuration = configuration
        self.authority = authority
        self.store = store
        self.analyzer = analyzer
        self.challenges = challenges
        begins = RateLimiter(limit: configuration.begins, window: .seconds(600), capacity: 1_000_000)
        comparisons = RateLimiter(limit: configuration.comparisons, window: .seconds(600), capacity: 1_000_000)
        appSearches = RateLimiter(limit: configuration.appSearches, window: .seconds(600), capacity: 100_000)
        keyRequests = RateBucket(
            perSecond: configuration.requestsPerSecond, burst: configuration.requests, capacity: FaceBudget.capacity)
        requests = SourceLimiter(calls: configuration.addressRequests)
        tokenBudget = FaceBudget(
            perKey: configuration.appTokens, perAddress: configuration.addressAppTokens, servesBriefly: true)
        searchBudget = FaceBudget(perKey: configuration.searches, perAddress: configuration.addressSearches)
        questionBudget = FaceBudget(perKey: configuration.questions, perAddress: configuration.addressQuestions)
    }

    var random: any RandomSource { authority.random }
    var now: Timestamp { authority.expiryClock.now }

    /// Why no face can be looked at here, a sentence for the administrator; `nil` if it can.
    package var unavailability: String? { analyzer.unavailability ?? challenges.unavailability }

    func failure(
        _ situation: Situation, _ detail: String, trace: TraceID? = nil, since: Timestamp? = nil
    ) -> Refusal {
        var failure = authority.failure(situation, detail, trace: trace)
        failure.since = since
        return failure
    }

    /// Something sealed did not open, or could not be read then.
    func failure(opening detail: String, _ error: any Error, trace: TraceID? = nil) -> Refusal {
        let refusal = Refusal(error as? VaultError ?? VaultError(), detail)
        return failure(refusal.situation, refusal.detail, trace: trace)
    }

    /// Every request of a phone: its proof is of our time and new, and its app may have face login.
    func admit(_ device: DeviceCall, app id: AppID) async throws(Refusal) -> RegisteredApp {
        try authority.checkTime(of: device.proof)
        let app = try await authority.liveApp(id)
        try admit(device, app)
        return app
    }

    /// Admits a request whose app was just read and whose proof's time was checked. The key has an app token or a
    /// session, so it has a budget of its own. Only requests beyond that budget count against the address.
    func admit(_ device: DeviceCall, _ app: RegisteredApp) throws(Refusal) {
        try checkGrant(of: app)
        let id = app.record.id
        guard
            keyRequests.admits("\(id.rawValue) \(device.proof.key.thumbprint)", now: now)
                || requests.admits(device.source, id, now: now)
        else { throw failure(.tooManyRequests, "too many requests of this phone; try again later") }
        try checkNew(device)
    }

    /// The app may have face login, and there is one.
    func checkGrant(of app: RegisteredApp) throws(Refusal) {
        guard app.record.capabilities.contains(.face) else {
            throw failure(.capabilityMissing, "the app is not registered for face login; see: benji app face set")
        }
        if let problem = unavailability { throw failure(.faceUnavailable, problem) }
    }

    func checkNew(_ device: DeviceCall) throws(Refusal) {
        guard proofs.insert(device.proof, now: now) else {
            throw failure(.proofReplayed, "this proof was used before")
        }
    }

    /// The same by an app token.
    func admit(_ device: DeviceCall, appToken: String) async throws(Refusal) -> RegisteredApp {
        let thumbprint = device.proof.key.thumbprint
        guard let entry = appTokens.entry(of: appToken, deviceKey: thumbprint, now: now) else {
            throw failure(.appTokenInvalid, "the app token is unknown, expired or another device key's")
        }
        return try await admit(device, app: entry.holder.app)
    }

    /// Counts one more call that a budget is for, by the holder of an app token.
    func count(
        _ device: DeviceCall, by budget: FaceBudget, appToken: String, app: AppID
    ) async throws(Refusal) {
        let thumbprint = device.proof.key.thumbprint
        let entry = appTokens.entry(of: appToken, deviceKey: thumbprint, now: now)
        let service = try await budget.take(
            thumbprint, app, from: device.source, isAttested: entry?.isAttested ?? false, now: now
        ) { () async throws(Refusal) -> Bool in try await isKnown(device, to: app) }
        guard service != .refused else {
            throw failure(.tooManyRequests, "too many of these requests; try again later")
        }
    }

    /// Runs a call of the store.
    func stored<Value>(
        trace: TraceID? = nil, _ body: () async throws(StoreError) -> Value
    ) async throws(Refusal) -> Value {
        do { return try await body() } catch { throw authority.failure(error, trace: trace) }
    }

    /// Removes sessions that have expired. Call it every minute or so.
    package func forgetExpired() { sessions.removeExpired(now: now) }
}

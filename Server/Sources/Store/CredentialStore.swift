package import BenjiProtocol
package import Sightings

/// A scrip: what a phone holds between prefetch and authorize.
package struct ScripRecord: Hashable, Sendable {
    package var hash: CredentialHash
    /// All generations of one prefetch share it, so that a stolen old generation ends them all.
    package var family: Int64
    /// Counts rotations, from 1.
    package var generation: Int32
    package var appID: AppID
    package var subscription: SubscriptionReference
    package var carrier: Carrier
    package var binding: BindingID
    /// Thumbprint of the device key.
    package var deviceKey: String
    /// Hash of the nonce that the consent must repeat.
    package var nonceHash: CredentialHash
    package var trace: TraceID
    package var dialect: Dialect
    package var reusable: Bool
    /// It was issued while too many asked for this number. Nothing lasting is kept of it: its login has no trace.
    package var isBrief: Bool
    package var expiresAt: Timestamp

    package init(
        hash: CredentialHash, family: Int64, generation: Int32, appID: AppID, subscription: SubscriptionReference,
        carrier: Carrier, binding: BindingID, deviceKey: String, nonceHash: CredentialHash, trace: TraceID,
        dialect: Dialect, reusable: Bool, isBrief: Bool = false, expiresAt: Timestamp
    ) {
        self.hash = hash
        self.family = family
        self.generation = generation
        self.appID = appID
        self.subscription = subscription
        self.carrier = carrier
        self.binding = binding
        self.deviceKey = deviceKey
        self.nonceHash = nonceHash
        self.trace = trace
        self.dialect = dialect
        self.reusable = reusable
        self.isBrief = isBrief
        self.expiresAt = expiresAt
    }
}

/// A token: what an app's server redeems, once.
package struct TokenRecord: Hashable, Sendable {
    package var hash: CredentialHash
    package var appID: AppID
    package var purpose: TokenPurpose
    package var subscription: SubscriptionReference
    package var carrier: Carrier
    package var binding: BindingID
    package var deviceKey: String
    package var assurance: Assurance
    package var trace: TraceID
    package var dialect: Dialect
    package var issuedAt: Timestamp
    package var expiresAt: Timestamp

    package init(
        hash: CredentialHash, appID: AppID, purpose: TokenPurpose, subscription: SubscriptionReference,
        carrier: Carrier,
        binding: BindingID, deviceKey: String, assurance: Assurance, trace: TraceID, dialect: Dialect,
        issuedAt: Timestamp, expiresAt: Timestamp
    ) {
        self.hash = hash
        self.appID = appID
        self.purpose = purpose
        self.subscription = subscription
        self.carrier = carrier
        self.binding = binding
        self.deviceKey = deviceKey
        self.assurance = assurance
        self.trace = trace
        self.dialect = dialect
        self.issuedAt = issuedAt
        self.expiresAt = expiresAt
    }
}

/// A consent as it is kept: evidence, never changed. It is pending until the token or code that it bought is spent. A
/// pending consent is deleted with its token or code.
package struct ConsentEvidence: Hashable, Sendable {
    package var appID: AppID
    package var trace: TraceID
    package var subscription: SubscriptionReference
    package var contentDigest: String
    /// The signed record as the device sent it.
    package var record: String
    /// How strongly the request with it was earned; `nil` where that is kept elsewhere. At
    /// ``BenjiProtocol/Assurance/net`` the record shows that somebody at the address signed it, and not that a page was
    /// shown.
    package var assurance: Assurance?
    package var receivedAt: Timestamp

    package init(
        appID: AppID, trace: TraceID, subscription: SubscriptionReference, contentDigest: String, record: String,
        assurance: Assurance? = nil, receivedAt: Timestamp
    ) {
        self.appID = appID
        self.trace = trace
        self.subscription = subscription
        self.contentDigest = contentDigest
        self.record = record
        self.assurance = assurance
        self.receivedAt = receivedAt
    }
}

/// How many tokens are issued to an app for one number on a day.
package struct NumberLimit: Hashable, Sendable {
    /// As in `20261121`, UTC+8.
    package var day: Int32
    package var tokens: Int

    package init(day: Int32, tokens: Int) {
        self.day = day
        self.tokens = tokens
    }
}

/// Everything that authorize wants to happen at once, or not at all.
package struct TokenIssue: Hashable, Sendable {
    /// The scrip generation that is presented. It is used up by this.
    package var scrip: CredentialHash
    /// The revision of the app's record that this request was judged by, or `nil` for whichever there is; see
    /// ``Redemption/appRevision``.
    package var appRevision: Int64?
    /// Under which ownership the phone was seen; `nil` if its gateway is of no pair.
    package var fence: PairFence?
    /// The next generation; `nil` if the scrip may be used once.
    package var nextScrip: ScripRecord?
    package var token: TokenRecord
    /// Pending until ``token`` is spent.
    package var consent: ConsentEvidence?
    package var now: Timestamp
    /// Tokens issued after this moment count against ``unusedPerKey``, expired or not, until they are spent or revoked.
    /// A caller that asks and never redeems must not get more because time passes.
    package var unusedSince: Timestamp
    /// Unused tokens that one device key may have of this app and number. The limit refuses only that key.
    package var unusedPerKey: Int
    /// Unused tokens that all keys together may have of this app, number and assurance, whenever they were issued. The
    /// next one puts an older one out, and its consent with it: first those of keys that have several, then the oldest.
    package var unusedPerNumber: Int
    /// Counted with the token, whatever becomes of that; `nil` where nothing is counted.
    package var numberLimit: NumberLimit?

    package init(
        scrip: CredentialHash, appRevision: Int64? = nil, fence: PairFence? = nil, nextScrip: ScripRecord?,
        token: TokenRecord, consent: ConsentEvidence?, now: Timestamp, unusedSince: Timestamp, unusedPerKey: Int,
        unusedPerNumber: Int, numberLimit: NumberLimit? = nil
    ) {
        self.scrip = scrip
        self.appRevision = appRevision
        self.fence = fence
        self.nextScrip = nextScrip
        self.token = token
        self.consent = consent
        self.now = now
        self.unusedSince = unusedSince
        self.unusedPerKey = unusedPerKey
        self.unusedPerNumber = unusedPerNumber
        self.numberLimit = numberLimit
    }
}

package enum TokenIssueOutcome: Hashable, Sendable {
    case issued
    /// The app's record is another than ``TokenIssue/appRevision``; nothing was changed: read the app again and ask
    /// again.
    case appChanged
    /// ``TokenIssue/fence`` is not the pair's any more; nothing was changed.
    case gatewayReplaced
    /// The scrip is gone, another request used this generation first, or the scrip's or the token's binding was
    /// revoked; nothing was changed.
    case scripGone
    /// The device key has too many unused tokens of this app and number; the scrip is untouched.
    case tooManyForKey
    /// The register has a newer SIM generation or epoch than the scrip; nothing was changed.
    case subscriptionChanged
    /// The number had all tokens of ``TokenIssue/numberLimit``; nothing was changed.
    case tooManyForNumber
}

package enum ScripLookup: Hashable, Sendable {
    case unknown
    /// The present generation. It may have expired: the caller compares.
    case current(ScripRecord)
    /// An older generation, used before. It may be a thief who shows it: end the family.
    case superseded(ScripRecord)
    /// Ended by forget, by a theft, or by the gateway.
    case revoked(ScripRecord)
}

/// Keeps scrips and tokens, only ever as hashes.
package protocol CredentialStore: Sendable {
    /// A scrip whose binding has been revoked is stored too, but dead: ``scrip(_:)`` finds it
    /// ``ScripLookup/revoked(_:)``.
    ///
    /// - Parameters:
    ///   - appRevision: the revision of the app's record that the request was judged by, or `nil` for whichever there
    ///     is.
    ///   - fence: under which ownership the phone was seen; `nil` if its gateway is of no pair.
    /// - Throws: ``StoreError/Code/alreadyExists`` if a scrip has this hash; ``StoreError/Code/outdated`` if the app
    ///   has another revision; ``StoreError/Code/gatewayReplaced`` if the fence is outdated. Then nothing was stored.
    func insertScrip(_ scrip: ScripRecord, appRevision: Int64?, fence: PairFence?) async throws(StoreError)
    func scrip(_ hash: CredentialHash) async throws(StoreError) -> ScripLookup
    /// Ends all generations of a family.
    func revokeScrips(family: Int64) async throws(StoreError)
    /// Ends all scrips and unspent tokens that were earned through these bindings, and remembers the bindings. A
    /// request that saw one of them before and stores its credential later must not get past the revocation.
    ///
    /// They are remembered until ``ExpiryStore/deleteExpiredCredentials(before:limit:)`` is called with a moment after
    /// `at`, the time of the revocation; revoking again counts from the later time.
    func revokeCredentials(bindings: [BindingID], at: Timestamp) async throws(StoreError)
    /// One durable, atomic step; see ``TokenIssue``.
    func issueToken(_ issue: TokenIssue) async throws(StoreError) -> TokenIssueOutcome
    /// The consents of a login, in the order in which they were received.
    func consents(of trace: TraceID) async throws(StoreError) -> [ConsentEvidence]
    /// A token without spending it.
    func token(_ hash: CredentialHash) async throws(StoreError) -> TokenRecord?
    /// Whether a login token of this device key has been redeemed by this app for the person who holds the number now.
    func isFamiliar(
        deviceKey: String, app: AppID, subscription: SubscriptionReference
    ) async throws(StoreError) -> Bool
}

extension CredentialStore {
    /// Stores the scrip of a request that was judged by the app's record as it is.
    package func insertScrip(_ scrip: ScripRecord) async throws(StoreError) {
        try await insertScrip(scrip, appRevision: nil, fence: nil)
    }
}

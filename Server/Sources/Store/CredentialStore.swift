public import BenjiProtocol

/// A scrip: what a phone holds between prefetch and authorize.
public struct ScripRecord: Hashable, Sendable {
    public var hash: CredentialHash
    /// All generations of one prefetch share it, so that a stolen old generation ends them all.
    public var family: Int64
    /// Counts rotations, from 1.
    public var generation: Int32
    public var appID: AppID
    public var subscription: SubscriptionReference
    public var carrier: Carrier
    public var binding: BindingID
    /// Thumbprint of the device key.
    public var deviceKey: String
    /// Hash of the nonce that the consent must repeat.
    public var nonceHash: CredentialHash
    public var trace: TraceID
    public var dialect: Dialect
    public var reusable: Bool
    /// Issued while so many asked for this number that nothing lasting is kept of it: its login has no trace.
    public var isBrief: Bool
    public var expiresAt: Timestamp

    public init(
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
public struct TokenRecord: Hashable, Sendable {
    public var hash: CredentialHash
    public var appID: AppID
    public var purpose: TokenPurpose
    public var subscription: SubscriptionReference
    public var carrier: Carrier
    public var binding: BindingID
    public var deviceKey: String
    public var assurance: Assurance
    public var trace: TraceID
    public var dialect: Dialect
    public var issuedAt: Timestamp
    public var expiresAt: Timestamp

    public init(
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

/// A consent as it is kept: evidence, never changed.
public struct ConsentEvidence: Hashable, Sendable {
    public var appID: AppID
    public var trace: TraceID
    public var subscription: SubscriptionReference
    public var contentDigest: String
    /// The signed record as the device sent it.
    public var record: String
    /// How strongly the request with it was earned; `nil` where that is kept elsewhere. At ``BenjiProtocol/Assurance/net`` the record shows that somebody at the
    /// address signed it, and not that a page was shown.
    public var assurance: Assurance?
    public var receivedAt: Timestamp

    public init(
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

/// Everything that authorize wants to happen at once, or not at all.
public struct TokenIssue: Hashable, Sendable {
    /// The scrip generation that is presented. It is used up by this.
    public var scrip: CredentialHash
    /// The next generation; `nil` if the scrip may be used once.
    public var nextScrip: ScripRecord?
    public var token: TokenRecord
    public var consent: ConsentEvidence?
    public var now: Timestamp
    /// Tokens issued after this moment count against ``unusedPerKey``, expired or not, until they are spent or revoked:
    /// whoever asks and never redeems must not be given more because time passes.
    public var unusedSince: Timestamp
    /// Unused tokens that one device key may have of this app and number. It refuses, and so stops nobody else.
    public var unusedPerKey: Int
    /// Unused tokens that all keys together may have of this app, number and assurance, whenever they were issued. The next
    /// one puts an older one out, and its consent with it: first those of keys that have several, then the oldest.
    public var unusedPerNumber: Int

    public init(
        scrip: CredentialHash, nextScrip: ScripRecord?, token: TokenRecord, consent: ConsentEvidence?, now: Timestamp,
        unusedSince: Timestamp, unusedPerKey: Int, unusedPerNumber: Int
    ) {
        self.scrip = scrip
        self.nextScrip = nextScrip
        self.token = token
        self.consent = consent
        self.now = now
        self.unusedSince = unusedSince
        self.unusedPerKey = unusedPerKey
        self.unusedPerNumber = unusedPerNumber
    }
}

public enum TokenIssueOutcome: Hashable, Sendable {
    case issued
    /// The scrip is gone, another request used this generation first, or the scrip's or the token's binding was
    /// revoked; nothing was changed.
    case scripGone
    /// The device key has too many unused tokens of this app and number; the scrip is untouched.
    case tooManyForKey
    /// The register has a newer SIM generation or epoch than the scrip; nothing was changed.
    case subscriptionChanged
}

public enum ScripLookup: Hashable, Sendable {
    case unknown
    /// The present generation. It may have expired: the caller compares.
    case current(ScripRecord)
    /// An older generation, used before. Whoever shows it may be a thief: end the family.
    case superseded(ScripRecord)
    /// Ended by forget, by a theft, or by the gateway.
    case revoked(ScripRecord)
}

/// Keeps scrips and tokens, only ever as hashes.
public protocol CredentialStore: Sendable {
    /// A scrip whose binding has been revoked is stored too, but dead: ``scrip(_:)`` finds it ``ScripLookup/revoked(_:)``.
    ///
    /// - Throws: ``StoreError/Code/alreadyExists`` if a scrip has this hash.
    func insertScrip(_ scrip: ScripRecord) async throws(StoreError)
    func scrip(_ hash: CredentialHash) async throws(StoreError) -> ScripLookup
    /// Ends all generations of a family.
    func revokeScrips(family: Int64) async throws(StoreError)
    /// Ends all scrips and unspent tokens that were earned through these bindings, and remembers the bindings: a
    /// request that saw one of them before and stores its credential afterwards must not get past the revocation.
    ///
    /// They are remembered until ``deleteExpiredCredentials(before:limit:)`` is called with a moment after `at`, the
    /// time of the revocation; revoking again counts from the later time.
    func revokeCredentials(bindings: [BindingID], at: Timestamp) async throws(StoreError)
    /// One durable, atomic step; see ``TokenIssue``.
    func issueToken(_ issue: TokenIssue) async throws(StoreError) -> TokenIssueOutcome
    /// A token without spending it.
    func token(_ hash: CredentialHash) async throws(StoreError) -> TokenRecord?
    /// Deletes scrips and tokens that expired before `moment`, and forgets bindings that were revoked before it, at most
    /// `limit` of each; returns how many went.
    ///
    /// Callers leave tokens for at least as long as their spending must be told from never having existed and as they
    /// count against the limits, and bindings for longer than any request takes.
    func deleteExpiredCredentials(before moment: Timestamp, limit: Int) async throws(StoreError) -> Int
    /// Deletes scrips alone that expired before `moment`, at most `limit`; returns how many went.
    func deleteExpiredScrips(before moment: Timestamp, limit: Int) async throws(StoreError) -> Int

    /// Whether a login token of this device key has been redeemed by this app for the person who holds the number now.
    func isFamiliar(
        deviceKey: String, app: AppID, subscription: SubscriptionReference
    ) async throws(StoreError) -> Bool
    /// Forgets keys of which no login token was redeemed since `moment`, at most `limit`; returns how many.
    func forgetFamiliarKeys(since moment: Timestamp, limit: Int) async throws(StoreError) -> Int
}

public import BenjiProtocol

/// Something the OpenID provider gave out and will be shown once: kept only as a hash (decision 4).
public struct OpenIDCredential: Hashable, Sendable {
    /// What it is, and so where it may be shown.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// A pushed authorization request: its `request_uri`.
        case pushed
        /// A page that is shown in a browser.
        case page
        case code
        case access
    }

    /// The subscription that the phone's address belonged to.
    public struct Subject: Hashable, Sendable {
        public var subscription: SubscriptionReference
        public var carrier: Carrier
        public var binding: BindingID

        public init(subscription: SubscriptionReference, carrier: Carrier, binding: BindingID) {
            self.subscription = subscription
            self.carrier = carrier
            self.binding = binding
        }
    }

    public var hash: CredentialHash
    public var kind: Kind
    /// Page, code and access token of one login share it, so that a code shown twice ends them all.
    public var family: Int64
    public var appID: AppID
    /// `nil` before a phone was recognised.
    public var subject: Subject?
    public var trace: TraceID
    /// JSON that only the authority reads: what was asked, what was shown, what was granted.
    public var details: String
    public var issuedAt: Timestamp
    public var expiresAt: Timestamp

    public init(
        hash: CredentialHash, kind: Kind, family: Int64, appID: AppID, subject: Subject?, trace: TraceID,
        details: String, issuedAt: Timestamp, expiresAt: Timestamp
    ) {
        self.hash = hash
        self.kind = kind
        self.family = family
        self.appID = appID
        self.subject = subject
        self.trace = trace
        self.details = details
        self.issuedAt = issuedAt
        self.expiresAt = expiresAt
    }
}

public enum OpenIDLookup: Hashable, Sendable {
    case unknown
    /// Not spent and not revoked. It may have expired: the caller compares.
    case live(OpenIDCredential)
    case spent(OpenIDCredential)
    case revoked(OpenIDCredential)

    /// The credential, in whatever state.
    public var credential: OpenIDCredential? {
        switch self {
        case .live(let found), .spent(let found), .revoked(let found): found
        case .unknown: nil
        }
    }
}

/// Spending one credential, and everything that happens in the same instant or not at all.
public struct OpenIDExchange: Hashable, Sendable {
    /// An answer that is billed: a line of the ledger under the app's quota.
    public struct Billing: Hashable, Sendable {
        public var interface: String
        public var result: String
        public var dailyQuota: Int?
        public var day: Int32

        public init(interface: String, result: String, dailyQuota: Int?, day: Int32) {
            self.interface = interface
            self.result = result
            self.dailyQuota = dailyQuota
            self.day = day
        }
    }

    public var hash: CredentialHash
    public var kind: OpenIDCredential.Kind
    public var appID: AppID
    public var now: Timestamp
    /// What takes its place.
    public var next: OpenIDCredential?
    public var consent: ConsentEvidence?
    public var billing: Billing?
    /// Whether the credential stays good: everything is checked and billed, and nothing spent.
    public var keeps: Bool

    public init(
        hash: CredentialHash, kind: OpenIDCredential.Kind, appID: AppID, now: Timestamp, next: OpenIDCredential? = nil,
        consent: ConsentEvidence? = nil, billing: Billing? = nil, keeps: Bool = false
    ) {
        self.hash = hash
        self.kind = kind
        self.appID = appID
        self.now = now
        self.next = next
        self.consent = consent
        self.billing = billing
        self.keeps = keeps
    }
}

/// Checked in this order; only ``spent(_:)`` changes anything.
public enum OpenIDExchangeOutcome: Hashable, Sendable {
    case spent(OpenIDCredential)
    /// There is none of this kind under this hash.
    case unknown
    /// It is another app's. It stays unspent.
    case wrongApp(OpenIDCredential)
    case alreadySpent(OpenIDCredential)
    case expired(OpenIDCredential)
    /// The register has a newer SIM or owner, or the credential, its family or its binding was revoked.
    case revoked(OpenIDCredential)
    case quotaExceeded(OpenIDCredential)
}

package import BenjiProtocol
package import Sightings

/// Something the OpenID provider gave out and will be shown once: kept only as a hash (decision 4).
package struct OpenIDCredential: Hashable, Sendable {
    /// What it is, and so where it may be shown.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// A pushed authorization request: its `request_uri`.
        case pushed
        /// A page that is shown in a browser.
        case page
        case code
        case access
    }

    /// The subscription that the phone's address belonged to.
    package struct Subject: Hashable, Sendable {
        package var subscription: SubscriptionReference
        package var carrier: Carrier
        package var binding: BindingID

        package init(subscription: SubscriptionReference, carrier: Carrier, binding: BindingID) {
            self.subscription = subscription
            self.carrier = carrier
            self.binding = binding
        }
    }

    package var hash: CredentialHash
    package var kind: Kind
    /// Page, code and access token of one login share it, so that a code shown twice ends them all.
    package var family: Int64
    package var appID: AppID
    /// `nil` before a phone was recognised.
    package var subject: Subject?
    package var trace: TraceID
    /// JSON that only the authority reads: what was asked, what was shown, what was granted.
    package var details: String
    package var issuedAt: Timestamp
    package var expiresAt: Timestamp

    package init(
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

package enum OpenIDLookup: Hashable, Sendable {
    case unknown
    /// Not spent and not revoked. It may have expired: the caller compares.
    case live(OpenIDCredential)
    case spent(OpenIDCredential)
    case revoked(OpenIDCredential)

    /// The credential, in whatever state.
    package var credential: OpenIDCredential? {
        switch self {
        case .live(let found), .spent(let found), .revoked(let found): found
        case .unknown: nil
        }
    }
}

/// Spending one credential, and everything that happens in the same instant or not at all.
package struct OpenIDExchange: Hashable, Sendable {
    /// An answer that is billed: a line of the ledger under the app's quota.
    package struct Billing: Hashable, Sendable {
        package var interface: String
        package var result: String
        package var dailyQuota: Int?
        package var day: Int32
        /// What the app's callback is told of the answer, put into the outbox in the same commit.
        package var event: OutboxEvent?

        package init(interface: String, result: String, dailyQuota: Int?, day: Int32, event: OutboxEvent? = nil) {
            self.interface = interface
            self.result = result
            self.dailyQuota = dailyQuota
            self.day = day
            self.event = event
        }
    }

    package var hash: CredentialHash
    package var kind: OpenIDCredential.Kind
    package var appID: AppID
    package var now: Timestamp
    /// What takes its place.
    package var next: OpenIDCredential?
    package var consent: ConsentEvidence?
    package var billing: Billing?
    /// Whether the credential stays good: everything is checked and billed, and nothing spent.
    package var keeps: Bool

    package init(
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
package enum OpenIDExchangeOutcome: Hashable, Sendable {
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

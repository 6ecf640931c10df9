package import BenjiProtocol
package import Sightings

/// Something the OpenID provider gave out and will be shown once: kept only as a hash (decision 4).
package struct OpenIDCredential: Hashable, Sendable {
    /// The kind of a credential, and so where it may be shown.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// A pushed authorization request: its `request_uri`.
        case pushed
        /// A page that is shown in a browser.
        case page
        case code
        case access
        /// An access token that was answered and billed, and is good for the same answer as long as it lives.
        case answered
        /// A consent that the person had remembered: a browser's cookie. It is good for logins without a page until it
        /// expires.
        case remembered
        /// A backchannel authentication request (CIBA): its `auth_req_id`. It waits for the person; a yes and a no
        /// spend it.
        case backchannel
        /// The person's yes to one, which its `auth_req_id` turns into an access token.
        case agreed

        /// Whether it is an access token, answered before or not.
        package var isAccessToken: Bool { self == .access || self == .answered }
    }

    /// The subscription that the phone's address belonged to, or whose number a code was sent to.
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
    /// JSON that only the authority reads: the request, the page's content, the grant.
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
        /// How strongly the login behind the answer was earned; `nil` for an answer to the app's own token.
        package var assurance: Assurance?
        package var quota: AnswerQuota
        package var day: Int32
        /// The event for the app's callback, put into the outbox in the same commit.
        package var event: OutboxEvent?

        package init(
            interface: String, result: String, assurance: Assurance? = nil, quota: AnswerQuota, day: Int32,
            event: OutboxEvent? = nil
        ) {
            self.interface = interface
            self.result = result
            self.assurance = assurance
            self.quota = quota
            self.day = day
            self.event = event
        }
    }

    /// The credential's state after the exchange.
    package enum End: Hashable, Sendable {
        case spent
        /// It stays good: everything is checked and billed.
        case kept
        /// It stays good for the same answer, which is not billed again: it becomes one of the kind
        /// ``OpenIDCredential/Kind/answered``.
        case answered
        /// It stays good, and when it was used last is kept with it.
        case noted
    }

    package var hash: CredentialHash
    package var kind: OpenIDCredential.Kind
    package var appID: AppID
    package var now: Timestamp
    /// The credential that replaces it.
    package var next: OpenIDCredential?
    /// A consent that is remembered from this instant on, besides ``next``.
    package var remembered: OpenIDCredential?
    /// A consent that was remembered for the same app and holder, and ends in this instant.
    package var forgotten: CredentialHash?
    /// Pending until ``bought`` is spent; see ``ExpiryStore/deleteExpiredCredentials(before:limit:)``.
    package var consent: ConsentEvidence?
    package var billing: Billing?
    package var end: End
    /// A pushed request that is spent in the same instant. It may have expired, and must be unspent: one login for
    /// each.
    package var pushed: CredentialHash?

    package init(
        hash: CredentialHash, kind: OpenIDCredential.Kind, appID: AppID, now: Timestamp, next: OpenIDCredential? = nil,
        remembered: OpenIDCredential? = nil, forgotten: CredentialHash? = nil, consent: ConsentEvidence? = nil,
        billing: Billing? = nil, end: End = .spent, pushed: CredentialHash? = nil
    ) {
        self.hash = hash
        self.kind = kind
        self.appID = appID
        self.now = now
        self.next = next
        self.remembered = remembered
        self.forgotten = forgotten
        self.consent = consent
        self.billing = billing
        self.end = end
        self.pushed = pushed
    }

    /// The credential that ``consent`` bought. If it is never redeemed, the consent is deleted with it. `nil` if the
    /// consent is remembered, because later logins use it, and if the redemption itself writes the consent.
    package var bought: CredentialHash? { remembered == nil && kind != .code ? next?.hash : nil }
}

/// Checked in this order; only ``spent(_:)`` changes anything.
package enum OpenIDExchangeOutcome: Hashable, Sendable {
    case spent(OpenIDCredential)
    /// There is none of this kind under this hash.
    case unknown
    /// It is another app's. It stays unspent.
    case wrongApp(OpenIDCredential)
    /// It was spent, or the pushed request that is spent with it was.
    case alreadySpent(OpenIDCredential)
    case expired(OpenIDCredential)
    /// The register has a newer SIM or owner, or the credential, its family or its binding was revoked.
    case revoked(OpenIDCredential)
    /// An access token that was answered and billed before, and still holds: it may get the same answer again.
    case answered(OpenIDCredential)
    case quotaExceeded(OpenIDCredential)
}

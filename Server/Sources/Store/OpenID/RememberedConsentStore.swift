package import BenjiProtocol
package import Sightings

/// A consent that is remembered, and when it was used last.
package struct RememberedConsent: Hashable, Sendable {
    package var credential: OpenIDCredential
    /// When it last bought a code; `nil` if it has not.
    package var usedAt: Timestamp?

    package init(credential: OpenIDCredential, usedAt: Timestamp?) {
        self.credential = credential
        self.usedAt = usedAt
    }
}

/// Lists and ends the consents that people have had remembered. They are credentials of the kind
/// ``OpenIDCredential/Kind/remembered``.
package protocol RememberedConsentStore: Sendable {
    /// The consents that a holder of a number has had remembered and that hold at `moment`, newest first. They are with
    /// this SIM, not expired and not ended.
    func rememberedConsents(
        of holder: SubscriptionReference, at moment: Timestamp
    ) async throws(StoreError) -> [RememberedConsent]
    /// Ends a holder's remembered consents in one conditional write that is durable before this returns. From then on
    /// none of them buys a code.
    ///
    /// - Parameter family: of the one that ends; all of them if `nil`. One of another holder's stays.
    /// - Returns: how many ended.
    @discardableResult
    func endRememberedConsents(of holder: SubscriptionReference, family: Int64?) async throws(StoreError) -> Int
}

/// Lists what asks a person for a yes on their phone. They are credentials of the kind
/// ``OpenIDCredential/Kind/backchannel``.
package protocol BackchannelRequestStore: Sendable {
    /// The requests that wait for a holder of a number at `moment`, the newest first: with this SIM, not expired, not
    /// decided and not ended.
    ///
    /// - Parameter limit: how many are read at the most.
    func backchannelRequests(
        of holder: SubscriptionReference, at moment: Timestamp, limit: Int
    ) async throws(StoreError) -> [OpenIDCredential]
}

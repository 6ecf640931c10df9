package import Authority
package import BenjiProtocol
package import Sightings
package import Store

/// What a gateway's accounting needs of the authority, in the same process or over the link.
package protocol RegisterDesk: Sendable {
    /// Notes who was seen, durably, and answers which subscription each is, in the same order; `nil` for an observation
    /// that is older than a SIM change already seen.
    func observe(_ observations: [SubscriberObservation]) async throws(StoreError) -> [SubscriptionReference?]
    /// Ends every credential that was earned through these bindings. Bears being repeated.
    func revoke(_ bindings: [BindingID]) async throws(StoreError)
}

/// The register and the authority of this process.
package struct LocalRegisterDesk: RegisterDesk {
    private let register: Register
    private let authority: Authority

    package init(register: Register, authority: Authority) {
        self.register = register
        self.authority = authority
    }

    package func observe(_ observations: [SubscriberObservation]) async throws(StoreError) -> [SubscriptionReference?] {
        try await register.observe(observations)
    }

    package func revoke(_ bindings: [BindingID]) async throws(StoreError) {
        try await authority.revokeCredentials(bindings: bindings)
    }
}

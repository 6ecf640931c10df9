internal import Authority
internal import BenjiProtocol
@_spi(Server) internal import Gateway

/// Joins the gateway's wish for a register to the authority's, in one process.
struct RegisterLink: SubscriptionRegister {
    let register: Register
    let authority: Authority

    func observe(_ observations: [SubscriptionObservation]) async throws -> [SubscriptionReference?] {
        try await register.observe(
            observations.map {
                SubscriberObservation(number: $0.number, imsi: $0.imsi, carrier: $0.carrier, eventTime: $0.eventTime)
            })
    }

    func revoke(_ bindings: [BindingID]) async throws { try await authority.revokeCredentials(bindings: bindings) }
}

/// The authority's interface for a gateway's accounting, in the same process or over the link.
package protocol RegisterService: Sendable {
    /// Notes who was seen and answers which subscription each is, in the same order.
    ///
    /// Durable before it returns. `nil` for an observation of a card that no longer counts, and for a number that
    /// cannot log in. When it throws, no packet of the batch that needed it is answered, and the NAS repeats them.
    func observe(_ observations: [SubscriberObservation]) async throws -> [SubscriptionReference?]

    /// Ends every credential that was earned through one of these bindings: the address had passed to somebody else
    /// before we knew.
    ///
    /// Must bear being called again for the same bindings.
    func revoke(_ bindings: [BindingID]) async throws

    /// Returns the erased rows of the register, in order of erasure, since before the gateway's oldest believed
    /// session. The gateway removes the subscriber from its sessions of these rows.
    func erasedSubscriptions() async throws -> [Int64]
}

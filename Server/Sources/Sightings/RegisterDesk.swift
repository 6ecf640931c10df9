/// What a gateway's accounting needs of the authority, in the same process or over the link.
package protocol RegisterDesk: Sendable {
    /// Notes who was seen and answers which subscription each is, in the same order.
    ///
    /// Durable before it returns. `nil` for an observation of a card that no longer counts, and for a number that cannot log
    /// in. When it throws, no packet of the batch that needed it is answered, and the NAS repeats them.
    func observe(_ observations: [SubscriberObservation]) async throws -> [SubscriptionReference?]

    /// Ends every credential that was earned through one of these bindings: the address had passed to somebody else before
    /// we knew.
    ///
    /// Must bear being called again for the same bindings.
    func revoke(_ bindings: [BindingID]) async throws

    /// Rows of the register that were erased, in this order, since before the oldest session that a gateway believes. Its sessions of them
    /// are to be nobody's.
    func erasedSubscriptions() async throws -> [Int64]
}

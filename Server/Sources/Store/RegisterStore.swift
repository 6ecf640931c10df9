package import BenjiProtocol
package import Sightings

/// One row of the register: a number, who holds it now, and by which SIM.
package struct SubscriptionRecord: Hashable, Sendable {
    package var id: Int64
    /// Blind index of the number in E.164 form. One subscription a number.
    package var numberIndex: BlindIndex
    package var sealedNumber: Sealed
    package var carrier: Carrier
    package var epoch: Int32
    /// Sixteen random bytes, new with each epoch: what openIds are made from (decision 5).
    package var epochKey: [UInt8]
    package var simGeneration: Int32
    /// A keyed hash of the IMSI of this generation, sealed; `nil` while no feed has named one. Stores from before keys
    /// had ids have the hash unsealed.
    package var sealedSIM: Sealed?
    /// When this SIM generation was first seen: SIM-swap checks read it.
    package var simChangedAt: Timestamp
    package var epochStartedAt: Timestamp
    /// The last time that a feed spoke of this subscription.
    package var lastSeenAt: Timestamp

    package init(
        id: Int64, numberIndex: BlindIndex, sealedNumber: Sealed, carrier: Carrier, epoch: Int32, epochKey: [UInt8],
        simGeneration: Int32, sealedSIM: Sealed?, simChangedAt: Timestamp, epochStartedAt: Timestamp,
        lastSeenAt: Timestamp
    ) {
        self.id = id
        self.numberIndex = numberIndex
        self.sealedNumber = sealedNumber
        self.carrier = carrier
        self.epoch = epoch
        self.epochKey = epochKey
        self.simGeneration = simGeneration
        self.sealedSIM = sealedSIM
        self.simChangedAt = simChangedAt
        self.epochStartedAt = epochStartedAt
        self.lastSeenAt = lastSeenAt
    }

    package var reference: SubscriptionReference {
        SubscriptionReference(subscription: id, epoch: epoch, simGeneration: simGeneration)
    }
}

/// Keeps the register of subscriptions.
package protocol RegisterStore: Sendable {
    /// - Throws: ``StoreError/Code/keyChanged`` if the index is under another key than the current one.
    func subscription(numberIndex: NumberIndex) async throws(StoreError) -> SubscriptionRecord?
    func subscription(_ id: Int64) async throws(StoreError) -> SubscriptionRecord?
    /// One of the subscriptions, whichever is found first; `nil` only if there are none.
    func anySubscription() async throws(StoreError) -> SubscriptionRecord?

    /// Reads the row of each number, lets `change` decide the new row, and writes it, all in one durable transaction.
    /// So two gateways that see the same number at once make one subscription.
    ///
    /// `change` gets the present row or `nil`, and a row number to use for a new one. Its result is stored; `nil`
    /// leaves things as they are. It may run more than once and must not have effects. The result holds each number's
    /// row afterwards.
    ///
    /// A row that is there keeps its index. A new one gets the current one.
    ///
    /// - Parameter audit: the order's line, written if `change` returned a row; `nil` for a feed's report.
    /// - Throws: ``StoreError/Code/keyChanged`` if an index is under another key than the current one.
    func changeSubscriptions(
        _ numberIndices: [NumberIndex], audit: AuditEntry?,
        _ change: @escaping @Sendable (_ position: Int, _ present: SubscriptionRecord?) -> SubscriptionRecord?
    ) async throws(StoreError) -> [SubscriptionRecord?]
}

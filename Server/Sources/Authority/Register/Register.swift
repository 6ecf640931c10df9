@_spi(Server) package import BenjiProtocol
package import Sightings
package import Store

/// The durable list of subscriptions: who holds a number now, and by which SIM.
///
/// A new IMSI is a new SIM generation: the same person with a new card. A new *epoch*, a new person, begins only on
/// evidence of reassignment: the operator's order, or a number that was silent longer than the quarantine and comes
/// back with another IMSI (decision 5).
package struct Register: RegisterDesk {
    private let store: any RegisterStore & CredentialStore
    private let vault: Vault
    private let clock: any WallClock
    private let random: any RandomSource
    /// How long a number rests before carriers give it to somebody else.
    package let quarantine: Duration

    /// How old `lastSeenAt` may get before it is written again: it is compared with months.
    static let sightingPrecision: Duration = .seconds(6 * 3600)

    package init(
        store: any RegisterStore & CredentialStore, vault: Vault, clock: any WallClock = SystemWallClock(),
        random: any RandomSource = SystemRandomSource(), quarantine: Duration = .seconds(90 * 86400)
    ) {
        self.store = store
        self.vault = vault
        self.clock = clock
        self.random = random
        self.quarantine = quarantine
    }

    /// Takes in what a feed says, durably, and answers who each number's holder is.
    ///
    /// `nil` for an observation of a card that no longer counts, and of a number that is another carrier's.
    package func observe(_ observations: [SubscriberObservation]) async throws(StoreError) -> [SubscriptionReference?] {
        struct Prepared: Sendable {
            var observation: SubscriberObservation
            var numberIndex: BlindIndex
            var simIndex: BlindIndex?
            var sealed: Sealed
            var epochKey: [UInt8]
        }
        var prepared: [Prepared] = []
        for observation in observations {
            let index = vault.index(of: observation.number)
            guard let sealed = try? vault.seal(observation.number, index: index) else {
                throw StoreError(.corrupt, "a number could not be sealed")
            }
            prepared.append(
                Prepared(
                    observation: observation, numberIndex: index, simIndex: observation.imsi.map(vault.index(ofIMSI:)),
                    sealed: sealed, epochKey: random.bytes(16)))
        }
        let fixed = prepared
        let quarantine = quarantine
        let rows = try await store.changeSubscriptions(fixed.map(\.numberIndex), audit: nil) { position, present in
            let new = fixed[position]
            let time = new.observation.eventTime
            guard var row = present else {
                return SubscriptionRecord(
                    id: 0, numberIndex: new.numberIndex, sealedNumber: new.sealed, carrier: new.observation.carrier,
                    epoch: 1, epochKey: new.epochKey, simGeneration: 1, simIndex: new.simIndex, simChangedAt: time,
                    epochStartedAt: time, lastSeenAt: time)
            }
            // Another carrier's feed cannot take a number over: porting it is the operator's order (``port(_:to:at:)``).
            guard row.carrier == new.observation.carrier else { return nil }
            if let simIndex = new.simIndex, simIndex != row.simIndex {
                // Only a session that begins after the last change shows a new card: one that began before may be the
                // replaced card's, or the number's old owner's, and still be talking.
                guard new.observation.startsSession, time > max(row.simChangedAt, row.epochStartedAt) else {
                    return nil
                }
                if row.simIndex != nil {
                    if time - row.lastSeenAt > quarantine {
                        row.beginEpoch(at: time, key: new.epochKey)
                    } else {
                        row.simGeneration += 1
                        row.simChangedAt = time
                    }
                }
                row.simIndex = simIndex
            } else if time - row.lastSeenAt < Self.sightingPrecision {
                return nil
            }
            row.lastSeenAt = max(row.lastSeenAt, time)
            return row
        }
        return zip(rows, fixed).map { row, new in
            guard let row, row.carrier == new.observation.carrier,
                new.simIndex == nil || new.simIndex == row.simIndex
            else { return nil }
            return row.reference
        }
    }

    /// Ends every credential that was earned through these bindings.
    package func revoke(_ bindings: [BindingID]) async throws(StoreError) {
        try await store.revokeCredentials(bindings: bindings, at: clock.now)
    }

    /// The operator's order: the number has been given to somebody else.
    ///
    /// Every credential of the old holder dies with the epoch, and every app sees a new person.
    /// - Returns: the new epoch, or `nil` if the register has never seen the number.
    package func reassign(
        _ number: PhoneNumber, at time: Timestamp, by note: OrderNote
    ) async throws(StoreError) -> SubscriptionReference? {
        let index = vault.index(of: number)
        let key = random.bytes(16)
        let entry = try await entry(note, index)
        return try await store.changeSubscriptions([index], audit: entry) { _, present in
            guard var row = present else { return nil }
            row.beginEpoch(at: time, key: key)
            row.simIndex = nil
            return row
        }.first.flatMap { $0?.reference }
    }

    /// The operator's order: the number has moved to another carrier. The person stays, what was earned before dies.
    ///
    /// A feed cannot do it alone, or any gateway could make itself the carrier of every number.
    /// - Returns: the new SIM generation, or `nil` if the register has never seen the number.
    package func port(
        _ number: PhoneNumber, to carrier: Carrier, at time: Timestamp, by note: OrderNote
    ) async throws(StoreError) -> SubscriptionReference? {
        let index = vault.index(of: number)
        let entry = try await entry(note, index, to: carrier)
        return try await store.changeSubscriptions([index], audit: entry) { _, present in
            guard var row = present else { return nil }
            row.carrier = carrier
            row.simGeneration += 1
            row.simIndex = nil
            row.simChangedAt = time
            return row
        }.first.flatMap { $0?.reference }
    }

    /// The line of an order about a number, which names its row instead.
    private func entry(
        _ note: OrderNote, _ index: BlindIndex, to carrier: Carrier? = nil
    ) async throws(StoreError) -> AuditEntry {
        let row = try await store.subscription(numberIndex: index)
        let before = JSON.object(["carrier": row.map { .string($0.carrier.rawValue) }])
        let after = carrier.map { JSON.object(["carrier": .string($0.rawValue)]) }
        return note.entry(
            at: clock.now, subject: row.map { "subscription \($0.id)" }, from: after == nil ? nil : before, to: after)
    }

    /// The row of a number.
    package func subscription(of number: PhoneNumber) async throws(StoreError) -> SubscriptionRecord? {
        try await store.subscription(numberIndex: vault.index(of: number))
    }
}

extension SubscriptionRecord {
    fileprivate mutating func beginEpoch(at time: Timestamp, key: [UInt8]) {
        epoch += 1
        epochKey = key
        simGeneration = 1
        simChangedAt = time
        epochStartedAt = time
        lastSeenAt = max(lastSeenAt, time)
    }
}

@_spi(Server) package import BenjiProtocol
package import Sightings
package import Store

/// The durable list of subscriptions: who holds a number now, and by which SIM.
///
/// A new IMSI is a new SIM generation: the same person with a new card. A new *epoch*, a new person, begins only on
/// evidence of reassignment (decision 5). Evidence is the operator's order, or a number that was silent longer than the
/// quarantine and returns with another IMSI.
package struct Register: RegisterService {
    private let store: any RegisterStore & CredentialStore & SubscriberStore
    private let vault: Vault
    private let clock: any WallClock
    private let random: any RandomSource
    /// How long a number rests before carriers give it to somebody else.
    package let quarantine: Duration

    /// How old `lastSeenAt` may get before it is written again: it is compared with months.
    static let sightingPrecision: Duration = .seconds(6 * 3600)

    package init(
        store: any RegisterStore & CredentialStore & SubscriberStore, vault: Vault,
        clock: any WallClock = SystemWallClock(),
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
        try await vault.following { () throws(StoreError) in try await write(observations) }
    }

    private func write(_ observations: [SubscriberObservation]) async throws(StoreError) -> [SubscriptionReference?] {
        struct Prepared: Sendable {
            var observation: SubscriberObservation
            var numberIndex: NumberIndex
            var sim: SIMCode?
        }
        let prepared = observations.map { observation in
            Prepared(
                observation: observation, numberIndex: vault.index(of: observation.number),
                sim: observation.imsi.map { vault.sim($0) })
        }
        let key = vault.masterKey
        let quarantine = quarantine
        let rows = try await store.changeSubscriptions(prepared.map(\.numberIndex), audit: nil) { position, present in
            let new = prepared[position]
            let time = new.observation.eventTime
            guard var row = present else {
                // Sealed here and not for every observation: the register knows nearly all numbers that it is asked
                // about.
                let index = new.numberIndex.current
                guard let sealed = try? key.seal(new.observation.number, index: index) else { return nil }
                return SubscriptionRecord(
                    id: 0, numberIndex: index, sealedNumber: sealed, carrier: new.observation.carrier, epoch: 1,
                    epochKey: random.bytes(16), simGeneration: 1,
                    sealedSIM: new.sim.flatMap { try? key.seal($0, index: index) }, simChangedAt: time,
                    epochStartedAt: time, lastSeenAt: time)
            }
            // Another carrier's feed cannot take a number over: porting it is the operator's order
            // (``port(_:to:at:)``).
            guard row.carrier == new.observation.carrier else { return nil }
            if let sim = new.sim, !vault.isSIM(sim, of: row) {
                // Only a session that begins after the last change shows a new card. An earlier session may belong to
                // the replaced card or the number's old owner, and still report.
                guard new.observation.startsSession, time > max(row.simChangedAt, row.epochStartedAt) else {
                    return nil
                }
                // The row keeps its index, which a rotation may not have come to.
                guard let sealed = try? vault.seal(sim, index: row.numberIndex) else { return nil }
                if row.sealedSIM != nil {
                    if time - row.lastSeenAt > quarantine {
                        row.beginEpoch(at: time, key: random.bytes(16))
                    } else {
                        row.simGeneration += 1
                        row.simChangedAt = time
                    }
                }
                row.sealedSIM = sealed
            } else if time - row.lastSeenAt < Self.sightingPrecision {
                return nil
            }
            row.lastSeenAt = max(row.lastSeenAt, time)
            return row
        }
        return zip(rows, prepared).map { row, new in
            guard let row, row.carrier == new.observation.carrier,
                new.sim.map({ vault.isSIM($0, of: row) }) ?? true
            else { return nil }
            return row.reference
        }
    }

    /// Ends every credential that was earned through these bindings.
    package func revoke(_ bindings: [BindingID]) async throws(StoreError) {
        try await store.revokeCredentials(bindings: bindings, at: clock.now)
    }

    package func erasedSubscriptions() async throws(StoreError) -> [Int64] {
        try await store.erasedSubscriptions(since: clock.now - SubscriberErasure.memory)
    }

    /// The operator's order: the number has been given to somebody else.
    ///
    /// Every credential of the old holder dies with the epoch, and every app sees a new person.
    /// - Returns: the new epoch, or `nil` if the register has never seen the number.
    package func reassign(
        _ number: PhoneNumber, at time: Timestamp, by note: OrderNote
    ) async throws(StoreError) -> SubscriptionReference? {
        let key = random.bytes(16)
        return try await vault.following { () throws(StoreError) in
            let index = vault.index(of: number)
            let entry = try await entry(note, index)
            return try await store.changeSubscriptions([index], audit: entry) { _, present in
                guard var row = present else { return nil }
                row.beginEpoch(at: time, key: key)
                row.sealedSIM = nil
                return row
            }.first.flatMap { $0?.reference }
        }
    }

    /// Moves a number to another carrier by the operator's order. The person stays; earlier credentials end.
    ///
    /// A feed cannot do it alone, or any gateway could make itself the carrier of every number.
    /// - Returns: the new SIM generation, or `nil` if the register has never seen the number.
    package func port(
        _ number: PhoneNumber, to carrier: Carrier, at time: Timestamp, by note: OrderNote
    ) async throws(StoreError) -> SubscriptionReference? {
        try await vault.following { () throws(StoreError) in
            let index = vault.index(of: number)
            let entry = try await entry(note, index, to: carrier)
            return try await store.changeSubscriptions([index], audit: entry) { _, present in
                guard var row = present else { return nil }
                row.carrier = carrier
                row.simGeneration += 1
                row.sealedSIM = nil
                row.simChangedAt = time
                return row
            }.first.flatMap { $0?.reference }
        }
    }

    /// The line of an order about a number, which names its row instead.
    private func entry(
        _ note: OrderNote, _ index: NumberIndex, to carrier: Carrier? = nil
    ) async throws(StoreError) -> AuditEntry {
        let row = try await store.subscription(numberIndex: index)
        let before = JSON.object(["carrier": row.map { .string($0.carrier.rawValue) }])
        let after = carrier.map { JSON.object(["carrier": .string($0.rawValue)]) }
        return note.entry(
            at: clock.now, subject: row.map { "subscription \($0.id)" }, from: after == nil ? nil : before, to: after)
    }

    /// The row of a number.
    package func subscription(of number: PhoneNumber) async throws(StoreError) -> SubscriptionRecord? {
        try await vault.subscription(of: number, in: store)
    }
}

extension Vault {
    /// The row of a number.
    package func subscription(
        of number: PhoneNumber, in store: any RegisterStore
    ) async throws(StoreError) -> SubscriptionRecord? {
        try await following { () throws(StoreError) in try await store.subscription(numberIndex: index(of: number)) }
    }

    /// Whether a subscription has this card. If the kept card does not open, it counts as another one: credentials
    /// earned by it must not live on.
    fileprivate func isSIM(_ sim: SIMCode, of row: SubscriptionRecord) -> Bool { (try? self.sim(of: row)) == sim }
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

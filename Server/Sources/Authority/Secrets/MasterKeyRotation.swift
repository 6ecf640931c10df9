package import BenjiProtocol
package import Requests
package import Store

/// Replaces the present master key by a new one, while other processes use the store (decision 33).
///
/// Each step is durable before the next begins, and can be repeated: running it after a crash continues.
package struct MasterKeyRotation: Sendable {
    /// How far it has come.
    package struct Progress: Hashable, Sendable {
        /// Values that were sealed again in this run.
        package var sealed: Int
        /// Values that were under another key when this run began.
        package var total: Int
    }

    /// The result of a rotation.
    package struct Outcome: Hashable, Sendable {
        /// The current key.
        package var current: MasterKeyID
        /// The keys that nothing is under any more, and that were taken out of where the keys are kept.
        package var retired: [MasterKeyID]
        package var sealed: Int
        /// Whether one that broke off was finished.
        package var resumed: Bool
        /// Whether the operator still has to take the retired keys out of where they are kept.
        package var leftToRemove: Bool
        /// Where retired keys lie that were taken out.
        package var formerKeyFiles: [FormerKeyFile]
        /// Waiting keys that are unknown to the store and were passed over. New keys are kept otherwise: these are in
        /// clear although there is a wrapping key, say. Nothing is under them.
        package var passedOver: [MasterKeyID]
    }

    /// Receives the progress of this task's rotations. It must not wait.
    @TaskLocal package static var observer: (@Sendable (Progress) -> Void)?

    private static let slice = 500

    private let vault: Vault
    private let store: any MasterKeyStore
    private let clock: any WallClock
    private let random: any RandomSource
    private let discardsFormer: Bool

    /// - Parameter discardsFormer: whether keys that are taken out are kept nowhere, because they were stolen.
    package init(
        vault: Vault, store: any MasterKeyStore, clock: any WallClock, random: any RandomSource,
        discardsFormer: Bool = false
    ) {
        self.vault = vault
        self.store = store
        self.clock = clock
        self.random = random
        self.discardsFormer = discardsFormer
    }

    /// Runs it to its end.
    package func run(by note: OrderNote) async throws(Refusal) -> Outcome {
        guard let keeper = vault.keeper else { throw Refusal(.internalError, "this process keeps no master key") }
        guard let hold = try kept({ () throws(MasterKeyError) in try keeper.hold() }) else {
            throw Refusal(.overloaded, "another rotation is at work; wait until it ends")
        }
        defer { withExtendedLifetime(hold) {} }
        // Only what follows the removal says that the request was carried out: sent again before, it goes on.
        var note = note
        note.request = nil
        let outcome = try await pass(keeper, note)
        // It may have begun before the settings said where keys go.
        guard outcome.resumed, try kept(keeper.kept).otherwise.contains(outcome.current) else { return outcome }
        var last = try await pass(keeper, note)
        last.retired = outcome.retired.filter { !last.retired.contains($0) } + last.retired
        last.formerKeyFiles =
            outcome.formerKeyFiles.filter { !last.formerKeyFiles.contains($0) } + last.formerKeyFiles
        last.sealed += outcome.sealed
        last.resumed = true
        return last
    }

    /// Goes on with the rotation that broke off, or makes one.
    private func pass(_ keeper: any MasterKeyKeeper, _ note: OrderNote) async throws(Refusal) -> Outcome {
        var ring = try await ring()
        let resumed = ring.outgoing != nil
        let before = try kept(keeper.kept)
        // Keys that a run left because it ended too early, or that somebody put back for an old backup.
        let left = retired(among: before, ring)
        let isTakenOut = try takeOut(left, keeper)
        if !resumed { try await begin(ring, keeper, before, note, unneeded: isTakenOut ? [] : left) }
        try await stored { () throws(StoreError) in try await vault.follow() }
        let sealed = try await sealAnew()
        ring = try await self.ring()
        if ring.outgoing != nil { try await end(note) }
        ring = try await self.ring()
        var after = try kept(keeper.kept)
        var former = retired(among: after, ring)
        former += left.filter { key in !former.contains { $0.id == key.id } }
        let isRemoved = try takeOut(former, keeper)
        let (current, ids) = (vault.masterKey.id, former.map(\.id))
        after.removeAll { ids.contains($0.key.id) }
        return Outcome(
            current: current, retired: ids, sealed: sealed, resumed: resumed, leftToRemove: !isRemoved,
            formerKeyFiles: keeper.formerKeyFiles().filter { ids.contains($0.id) },
            passedOver: after.otherwise.subtracting([current]).sorted {
                $0.bytes.lexicographicallyPrecedes($1.bytes)
            })
    }

    /// - Returns: whether they are out; else only the operator can do it.
    private func takeOut(_ keys: [MasterKey], _ keeper: any MasterKeyKeeper) throws(Refusal) -> Bool {
        try kept { () throws(MasterKeyError) in try keeper.remove(keys, discarding: discardsFormer) }
    }

    /// - Parameters:
    ///   - present: the keys, as they were read before.
    ///   - unneeded: retired keys that only the operator can take out.
    private func begin(
        _ ring: MasterKeyRing, _ keeper: any MasterKeyKeeper, _ present: [KeptMasterKey], _ note: OrderNote,
        unneeded: [MasterKey]
    ) async throws(Refusal) {
        guard let current = ring.current?.check else { throw Refusal(.internalError, "the store belongs to no key") }
        // The key is kept before anything is sealed under it. One that is kept and unknown to the store is that of a
        // run that broke off here, or was put there for this.
        let known = Set(ring.keys.map(\.check))
        let waiting = present.map(\.key).filter { !known.contains($0.check) }
        // A rotation to an HSM must not end with a key in clear, or with one that the former HSM opens.
        let otherwise = present.otherwise
        let key = try kept { () throws(MasterKeyError) -> MasterKey in
            if let key = waiting.last(where: { !otherwise.contains($0.id) }) { return key }
            do throws(MasterKeyError) { return try keeper.add(random: random) } catch {
                var problem = error.problem
                if !waiting.isEmpty {
                    problem += ". \(Self.names(waiting)) waits there and was not taken: new keys are kept otherwise"
                }
                if !unneeded.isEmpty {
                    problem += ". Nothing is under \(Self.names(unneeded)) any more: take that out there"
                }
                throw MasterKeyError(problem)
            }
        }
        let now = clock.now
        let entry = note.entry(
            at: now, from: .object(["masterKey": .string(current.name)]),
            to: .object(["masterKey": .string(key.check.name), "outgoing": .string(current.name)]))
        try await stored { () throws(StoreError) in
            try await store.beginRotation(from: current, to: key.check, at: now, audit: entry)
        }
    }

    private func end(_ note: OrderNote) async throws(Refusal) {
        for _ in 0..<100 {
            let ring = try await ring()
            guard let outgoing = ring.outgoing?.check.name else { return }
            let now = clock.now
            let entry = note.entry(
                at: now, from: .object(["outgoing": .string(outgoing)]), to: .object(["retired": .string(outgoing)]))
            let isDone = try await stored { () throws(StoreError) in try await store.endRotation(at: now, audit: entry)
            }
            if isDone {
                await store.forgetReplaced()
                return
            }
            // Somebody has written a value under the outgoing key meanwhile.
            _ = try await sealAnew()
        }
        throw Refusal(.overloaded, "others write under the former key without a pause; run this again")
    }

    // MARK: sealing again

    private func sealAnew() async throws(Refusal) -> Int {
        let key = vault.masterKey
        let counts = try await stored { () throws(StoreError) in try await store.sealedCounts() }
        var progress = Progress(
            sealed: 0,
            total: counts.filter { $0.key != key.id && $0.kind != .sims }.reduce(0) { $0 + $1.count })
        while true {
            let rows = try await sealNumbers(key, &progress)
            let values = try await sealOthers(key, &progress)
            if rows, values { return progress.sealed }
        }
    }

    /// - Returns: whether there was nothing left.
    private func sealNumbers(_ key: WorkingKey, _ progress: inout Progress) async throws(Refusal) -> Bool {
        var row: Int64 = 0
        var isDone = true
        while true {
            let slice = try await stored { [row] () throws(StoreError) in
                try await store.subscriptions(notUnder: key.id, after: row, limit: Self.slice)
            }
            guard let last = slice.last else { return isDone }
            isDone = false
            var changes: [(old: SubscriptionRecord, new: SubscriptionRecord)] = []
            for old in slice { changes.append((old, try anew(old, key))) }
            let changed = changes
            progress.sealed += try await stored { () throws(StoreError) in try await store.reseal(changed) }
            Self.observer?(progress)
            row = last.id
        }
    }

    private func anew(_ old: SubscriptionRecord, _ key: WorkingKey) throws(Refusal) -> SubscriptionRecord {
        do {
            let number = try vault.number(of: old)
            let sim = try vault.sim(of: old)
            var new = old
            new.numberIndex = key.index(of: number)
            new.sealedNumber = try key.seal(number, index: new.numberIndex)
            new.sealedSIM = try sim.map { try key.seal($0, index: new.numberIndex) }
            return new
        } catch {
            throw Self.unopened("subscription \(old.id)")
        }
    }

    /// - Returns: whether there was nothing left.
    private func sealOthers(_ key: WorkingKey, _ progress: inout Progress) async throws(Refusal) -> Bool {
        var isDone = true
        while true {
            let slice = try await stored { () throws(StoreError) in
                try await store.sealedValues(notUnder: key.id, limit: Self.slice)
            }
            guard !slice.isEmpty else { return isDone }
            isDone = false
            var changes: [(old: SealedValue, new: Sealed)] = []
            for old in slice { changes.append((old, try anew(old, key))) }
            let changed = changes
            progress.sealed += try await stored { () throws(StoreError) in try await store.reseal(changed) }
            Self.observer?(progress)
        }
    }

    private func anew(_ old: SealedValue, _ key: WorkingKey) throws(Refusal) -> Sealed {
        let (purpose, owner, name): (String, [UInt8], String)
        switch old.subject {
        case .dataSecrets: (purpose, owner, name) = (DataSecrets.purpose, [], "the data secrets")
        case .receiptKey(let id): (purpose, owner, name) = (ReceiptKey.purpose, Array(id.utf8), "receipt key \(id)")
        case .openIDKey(let id): (purpose, owner, name) = ("openid-key", Array(id.utf8), "ID-token key \(id)")
        case .faceKey(let account, let subscription, let epoch):
            (purpose, owner, name) = (
                Vault.faceKeyPurpose, Vault.faceKeyOwner(subscription: subscription, epoch: epoch),
                "the key of face account \(account)"
            )
        case .appKey(let app, let use, let version):
            name = "the \(use) key of app \(app)"
            guard let id = AppID(rawValue: app), let use = AppKeyUse(rawValue: use) else { throw Self.unopened(name) }
            (purpose, owner) = (Apps.purpose(use), Apps.owner(id, version))
        }
        do {
            let text = try vault.open(old.sealed.withoutPadding, purpose: purpose, owner: owner)
            return try key.seal(text, purpose: purpose, owner: owner)
        } catch { throw Self.unopened(name) }
    }

    private static func unopened(_ name: String) -> Refusal {
        Refusal(
            .internalError,
            "\(name) does not open under any key at hand, so it cannot be sealed anew, and the former key stays in use "
                + "beside the "
                + "new one; if another key is missing, put it beside them and run this again")
    }

    // MARK: around

    private static func names(_ keys: [MasterKey]) -> String { keys.map(\.id.text).joined(separator: ", ") }

    private func ring() async throws(Refusal) -> MasterKeyRing {
        try await stored { () throws(StoreError) in try await store.masterKeyRing() }
    }

    /// Keys that the store calls retired and that are kept all the same.
    private func retired(among kept: [KeptMasterKey], _ ring: MasterKeyRing) -> [MasterKey] {
        let retired = Set(ring.keys.filter { $0.state == .retired }.map(\.check))
        return kept.map(\.key).filter { retired.contains($0.check) }
    }

    private func kept<Value>(_ body: () throws(MasterKeyError) -> Value) throws(Refusal) -> Value {
        do { return try body() } catch { throw Refusal(.parameterInvalid, error.description) }
    }

    private func stored<Value>(_ body: () async throws(StoreError) -> Value) async throws(Refusal) -> Value {
        do { return try await body() } catch { throw Refusal(error) }
    }
}

extension MasterKeyCheck {
    /// The key's id as people read it.
    package var name: String { id?.text ?? "" }
}

extension MasterKeyID {
    package var text: String { Hexadecimal.encode(bytes) }

    /// `nil` if the text is not an id.
    package init?(text: some StringProtocol) {
        guard let bytes = Hexadecimal.decode(text) else { return nil }
        self.init(bytes: bytes)
    }
}

package import BenjiProtocol
package import Logging
package import Store

/// The stores that hold sealed values and the state of their master keys.
package typealias SealedStore = MasterKeyStore & AppStore & RegisterStore & OpenIDKeyStore & RowCodeStore

/// Whether master keys are those under which a store's secrets are sealed.
package enum MasterKeyVerification: Hashable, Sendable {
    case fits
    /// The store has no sealed values and belongs to no key, so any key fits.
    case nothingSealed
    case doesNotFit

    /// Compares without changing anything.
    /// - Parameters:
    ///   - keys: those in question; with none of them nothing but an empty store fits.
    ///   - keeper: where they were read, if they may have been changed there since.
    package static func judge(
        _ keys: [MasterKey], of keeper: (any MasterKeyKeeper)? = nil, store: any SealedStore
    ) async throws(StoreError) -> MasterKeyVerification {
        let ring = try await store.masterKeyRing()
        guard ring.keys.isEmpty else {
            return try await present(keys, ring, of: keeper, store) == nil ? .doesNotFit : .fits
        }
        switch try await older(keys, store) {
        case .none: return .doesNotFit
        case .some(let key): return key == nil ? .nothingSealed : .fits
        }
    }

    /// Ties the store to the first of the keys that fits, if it belongs to none yet. Gives rows of an earlier version
    /// their codes.
    ///
    /// - Parameter memory: where this node remembers that rows have codes; `nil` if it does not.
    /// - Returns: the vault of the store's keys. `nil` if they are not among `keys`: then nothing was changed.
    /// - Throws: ``Store/StoreError/Code/corrupt`` also if codes were begun before and the store records that they were
    ///   not. Then nothing was changed.
    package static func tie(
        _ keys: [MasterKey], of keeper: any MasterKeyKeeper, to store: any SealedStore, at moment: Timestamp,
        random: some RandomSource, memory: SealedRowsFile? = nil, logger: Logger = Logger(label: "benji")
    ) async throws(StoreError) -> Vault? {
        let hadCodes = memory?.isThere ?? false
        var ring = try await store.masterKeyRing()
        if ring.keys.isEmpty {
            guard let sealer = try await older(keys, store) else { return nil }
            let found = try await store.codedRows()
            if found.hasMark || hadCodes && (sealer != nil || found.hasRows) {
                // Another process may have tied it since the ring was read, and begun the codes.
                ring = try await store.masterKeyRing()
                guard !ring.keys.isEmpty else { throw RowCodes.begunBefore }
            }
        }
        if ring.keys.isEmpty {
            guard let sealer = try await older(keys, store), let first = sealer ?? keys.first else { return nil }
            let key = WorkingKey(first)
            let isNew = sealer == nil
            let secrets = isNew ? DataSecrets.make(random: random) : DataSecrets(of: first)
            do {
                let receiptKey = isNew ? ReceiptKey.make() : ReceiptKey(of: first)
                // Another process may tie it meanwhile: the first one decides.
                ring = try await store.tie(
                    to: MasterKeyRecord(check: first.check, state: .current, since: moment),
                    dataSecrets: try key.seal(secrets.bytes, purpose: DataSecrets.purpose, owner: []),
                    receiptKey: try receiptKey.record(from: isNew ? moment : nil, under: key))
            } catch {
                throw error as? StoreError
                    ?? StoreError(.corrupt, "tie to a master key: nothing can be sealed under it")
            }
        }
        for _ in 0..<3 {
            guard let now = try await present(keys, ring, of: keeper, store) else { return nil }
            let vault: Vault
            do { vault = try Vault(now.keys, now.ring, keeper: keeper, store: store, logger: logger) } catch {
                throw StoreError(.corrupt, "open the data secrets: \(error)")
            }
            let areProtected = try await vault.protectRows(
                of: store, dataSecrets: now.ring.dataSecrets, onlyIfEmpty: hadCodes, at: moment)
            if areProtected {
                memory?.keep(logger)
                return vault
            }
            // Another process has sealed the rows, or the data secrets under another key.
            ring = try await store.masterKeyRing()
        }
        throw StoreError(.unavailable, "give codes to rows: the data secrets change all the time; start again")
    }

    /// The vault for reading a store that the keys fit; nothing is changed. If codes were begun before and the store
    /// records that they were not, this is added to the store's ``Store/RowCodes/problems``.
    package static func look(
        _ keys: [MasterKey], of keeper: any MasterKeyKeeper, at store: any SealedStore,
        memory: SealedRowsFile? = nil, logger: Logger = Logger(label: "benji")
    ) async throws(StoreError) -> Vault {
        let ring = try await store.masterKeyRing()
        guard !ring.keys.isEmpty else {
            guard let sealer = try await older(keys, store), let key = sealer ?? keys.first else {
                throw StoreError(.corrupt, "look: the master key is not the store's")
            }
            try await noteFormerCodes(of: store, memory)
            return Vault(key, keeper: keeper, store: store, logger: logger)
        }
        let now = try await present(keys, ring, of: keeper, store) ?? (keys, ring)
        let vault: Vault
        do { vault = try Vault(now.keys, now.ring, keeper: keeper, store: store, logger: logger) } catch {
            throw StoreError(.corrupt, "open the data secrets: \(error)")
        }
        try await vault.checkRows(of: store, memory)
        return vault
    }

    /// Notes that codes were begun before, in a store that says that they were not.
    static func noteFormerCodes(of store: any RowCodeStore, _ memory: SealedRowsFile?) async throws(StoreError) {
        let found = try await store.codedRows()
        let hadCodes = found.hasMark || found.hasRows && memory?.isThere == true
        store.rowCodes.note(secretsProblem: hadCodes ? RowCodes.begunBefore.detail : nil)
    }

    /// Keys and ring as they are now: a rotation may have changed both since the keys were read.
    /// - Returns: `nil` if the keys are not the ring's.
    private static func present(
        _ keys: [MasterKey], _ ring: MasterKeyRing, of keeper: (any MasterKeyKeeper)?, _ store: any SealedStore
    ) async throws(StoreError) -> (keys: [MasterKey], ring: MasterKeyRing)? {
        var (keys, ring) = (keys, ring)
        for _ in 0..<3 {
            if holds(keys, ring) { return (keys, ring) }
            guard let again = try? keeper?.keys() else { return nil }
            keys = again
            if holds(keys, ring) { return (keys, ring) }
            // The file may have changed once more before it was read again.
            ring = try await store.masterKeyRing()
        }
        return nil
    }

    /// The ids of keys that are at hand although nothing is sealed under them any more.
    package static func retired(among keys: [MasterKey], _ ring: MasterKeyRing) -> [MasterKeyID] {
        let retired = Set(ring.keys.filter { $0.state == .retired }.map(\.check))
        return keys.filter { retired.contains($0.check) }.map(\.id)
    }

    private static func holds(_ keys: [MasterKey], _ ring: MasterKeyRing) -> Bool {
        [ring.current, ring.outgoing].compactMap { $0 }.allSatisfy { record in
            keys.contains { $0.check == record.check }
        }
    }

    /// For a store that an older version made: the key that opens one of its values. `.some(nil)` if it has no value to
    /// open.
    private static func older(
        _ keys: [MasterKey], _ store: any SealedStore
    ) async throws(StoreError) -> MasterKey?? {
        let apps = try await store.apps()
        let subscription = try await store.anySubscription()
        let openIDKeys = try await store.openIDKeys(at: Timestamp(milliseconds: 0))
        if apps.isEmpty, subscription == nil, openIDKeys.isEmpty { return .some(nil) }
        let sealer = keys.first { key in
            let vault = Vault(masterKey: key)
            return apps.contains { app in
                app.keys.contains { key in
                    let owner = Apps.owner(app.id, key.version)
                    return (try? vault.open(key.sealed, purpose: Apps.purpose(key.use), owner: owner)) != nil
                }
            }
                || subscription.map { (try? vault.number(of: $0)) != nil } ?? false
                || openIDKeys.contains { key in
                    key.sealedKey.map {
                        (try? vault.open($0, purpose: "openid-key", owner: Array(key.id.utf8))) != nil
                    } ?? false
                }
        }
        return sealer.map { .some($0) }
    }
}

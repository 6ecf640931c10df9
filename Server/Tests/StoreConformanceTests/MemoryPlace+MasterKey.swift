import BenjiProtocol
import Store

extension MemoryPlace {
    func tie(_ key: MasterKeyRecord, _ secrets: Sealed, _ receiptKey: ReceiptKeyRecord) async -> MasterKeyRing {
        if !ring.keys.isEmpty, flaw != .replacesTheMasterKey { return ring }
        await gap(.keepsMasterKeysInTwoSteps)
        ring = MasterKeyRing(keys: [key], dataSecrets: secrets, receiptKeys: [receiptKey])
        return ring
    }

    func seal(_ old: Sealed, _ new: Sealed) -> Bool {
        guard ring.dataSecrets == old else { return false }
        ring.dataSecrets = new
        return true
    }

    func beginRotation(
        _ current: MasterKeyCheck, _ check: MasterKeyCheck, _ moment: Timestamp, _ audit: AuditEntry?
    ) throws(StoreError) {
        guard ring.outgoing == nil, let place = ring.keys.firstIndex(where: { $0.check == current }),
            ring.keys[place].state == .current
        else { throw StoreError(.outdated, "rotation") }
        ring.keys[place].state = .outgoing
        ring.keys.append(MasterKeyRecord(check: check, state: .current, since: moment))
        try note(audit)
    }

    func endRotation(_ moment: Timestamp, _ audit: AuditEntry?) throws(StoreError) -> Bool {
        guard let place = ring.keys.firstIndex(where: { $0.state == .outgoing }) else {
            throw StoreError(.outdated, "rotation")
        }
        let isLeft = values.contains { $0.sealed.masterKey != ring.current?.check.id }
        guard !isLeft || flaw == .retiresKeysInUse else { return false }
        ring.keys[place].state = .retired
        ring.keys[place].retiredAt = moment
        try note(audit)
        return true
    }

    /// Refuses values under keys that are not in use.
    func check(_ sealed: Sealed) throws(StoreError) {
        let known = [ring.current, ring.outgoing].compactMap { $0?.check.id }
        guard let key = sealed.masterKey, !known.isEmpty, flaw != .takesValuesUnderAnyKey else { return }
        guard known.contains(key) else { throw StoreError(.keyChanged, "key") }
    }

    func check(_ indices: [NumberIndex]) throws(StoreError) {
        guard let current = ring.current?.check.id, flaw != .searchesByFormerKeys else { return }
        guard indices.allSatisfy({ $0.key == nil || $0.key == current }) else { throw StoreError(.keyChanged, "key") }
    }

    func find(_ index: NumberIndex) -> SubscriptionRecord? {
        let all = [index.current] + (flaw == .forgetsFormerIndices ? [] : index.former)
        return subscriptions.first { all.contains($0.numberIndex) }
    }

    func subscriptions(notUnder key: MasterKeyID, after row: Int64, _ limit: Int) -> [SubscriptionRecord] {
        let found = subscriptions.filter { record in
            record.id > row
                && (record.sealedNumber.masterKey != key || record.sealedSIM.map { $0.masterKey != key } == true)
        }
        return Array(found.sorted { $0.id < $1.id }.prefix(limit))
    }

    /// Numbers are not among them.
    var values: [SealedValue] {
        var values: [SealedValue] = []
        if let secrets = ring.dataSecrets { values.append(SealedValue(subject: .dataSecrets, sealed: secrets)) }
        for key in ring.receiptKeys {
            if let sealed = key.sealedKey {
                values.append(SealedValue(subject: .receiptKey(id: key.id), sealed: sealed))
            }
        }
        for key in openIDKeys {
            if let sealed = key.sealedKey {
                values.append(SealedValue(subject: .openIDKey(id: key.id), sealed: sealed))
            }
        }
        for app in apps.values {
            values += app.keys.map { key in
                SealedValue(
                    subject: .appKey(app: app.id.rawValue, use: key.use.rawValue, version: key.version),
                    sealed: key.sealed)
            }
        }
        return values
    }

    func reseal(_ changes: [(old: SubscriptionRecord, new: SubscriptionRecord)]) -> Int {
        changes.reduce(0) { count, change in
            guard let place = subscriptions.firstIndex(where: { $0.id == change.old.id }) else { return count }
            let isSame =
                subscriptions[place].sealedNumber == change.old.sealedNumber
                && subscriptions[place].sealedSIM == change.old.sealedSIM
            guard isSame || flaw == .sealsOverWhatChanged else { return count }
            subscriptions[place].numberIndex = change.new.numberIndex
            subscriptions[place].sealedNumber = change.new.sealedNumber
            subscriptions[place].sealedSIM = change.new.sealedSIM
            return count + 1
        }
    }

    func reseal(_ changes: [(old: SealedValue, new: Sealed)]) -> Int {
        changes.filter { values.contains($0.old) || flaw == .sealsOverWhatChanged }.reduce(0) { count, change in
            switch change.old.subject {
            case .dataSecrets: ring.dataSecrets = change.new
            case .receiptKey(let id):
                guard let place = ring.receiptKeys.firstIndex(where: { $0.id == id }) else { return count }
                ring.receiptKeys[place].sealedKey = change.new
            case .openIDKey(let id):
                guard let place = openIDKeys.firstIndex(where: { $0.id == id }) else { return count }
                openIDKeys[place].sealedKey = change.new
            case .appKey(let app, let use, let version):
                guard let id = AppID(rawValue: app),
                    let place = apps[id]?.keys.firstIndex(where: { $0.use.rawValue == use && $0.version == version })
                else { return count }
                apps[id]?.keys[place].sealed = change.new
                apps[id]?.revision += 1
            case .faceKey: return count
            }
            return count + 1
        }
    }

    var counts: [SealedCount] {
        var counts: [SealedCount] = []
        func add(_ kind: SealedCount.Kind, _ sealed: [Sealed]) {
            for (key, values) in Dictionary(grouping: sealed, by: \.masterKey) {
                counts.append(SealedCount(kind: kind, key: key, count: values.count))
            }
        }
        add(.numbers, subscriptions.map(\.sealedNumber))
        add(.sims, subscriptions.compactMap(\.sealedSIM))
        add(.openIDKeys, openIDKeys.compactMap(\.sealedKey))
        add(.appKeys, apps.values.flatMap(\.keys).map(\.sealed))
        add(.receiptKeys, ring.receiptKeys.compactMap(\.sealedKey))
        add(.dataSecrets, ring.dataSecrets.map { [$0] } ?? [])
        return counts
    }

    func add(_ key: ReceiptKeyRecord, _ until: Timestamp, _ audit: AuditEntry?) throws(StoreError) {
        if let sealed = key.sealedKey { try check(sealed) }
        for place in ring.receiptKeys.indices where ring.receiptKeys[place].until == nil {
            ring.receiptKeys[place].until = until
            ring.receiptKeys[place].sealedKey = nil
        }
        ring.receiptKeys.insert(key, at: 0)
        try note(audit)
    }
}

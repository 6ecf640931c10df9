import BenjiProtocol
import Store

extension MemoryPlace {
    func put(
        _ client: OpenIDClientRecord, _ images: [OpenIDMedia], _ removed: [String]
    ) async throws(StoreError) -> OpenIDClientRecord {
        let app = client.appID
        guard let owner = apps[app], owner.deletedAfter == nil else { throw StoreError(.notFound, "app") }
        let present = clients[app]?.revision ?? 0
        if flaw == .changesImagesOfARefusal { change(images, removed, of: app) }
        await gap(.changesClientsInTwoSteps)
        guard client.revision == present || flaw == .overwritesClients else { throw StoreError(.outdated, "client") }
        var stored = client
        if present > 0 {
            stored.revision = present + 1
        } else {
            clientsMade += 1
            stored.revision = flaw == .countsEachClientFromOne ? 1 : clientsMade << 32
        }
        if flaw == .keepsTheFirstFrameAncestors, let before = clients[app] {
            stored.frameAncestors = before.frameAncestors
        }
        clients[app] = stored
        change(images, removed, of: app)
        return stored
    }

    private func change(_ images: [OpenIDMedia], _ removed: [String], of app: AppID) {
        let names = Set(removed + images.map(\.name))
        media[app, default: []].removeAll { names.contains($0.name) || flaw == .dropsImagesThatWereNotNamed }
        media[app, default: []] += images
    }

    func removeClient(_ app: AppID) {
        clients[app] = nil
        media[app] = nil
        revokeCredentials { $0.appID == app }
    }

    func add(
        _ keys: [OpenIDKeyRecord], _ publicKeys: [String: String], _ othersPublishedUntil: Timestamp?
    ) throws(StoreError) {
        let before = openIDKeys
        for index in openIDKeys.indices where openIDKeys[index].publicKey == nil {
            openIDKeys[index].publicKey = publicKeys[openIDKeys[index].id]
        }
        do throws(StoreError) {
            for key in keys { try add(key, othersPublishedUntil) }
        } catch {
            if flaw != .addsSigningKeysOneByOne { openIDKeys = before }
            throw error
        }
    }

    private func add(_ key: OpenIDKeyRecord, _ othersPublishedUntil: Timestamp?) throws(StoreError) {
        if let sealed = key.sealedKey { try check(sealed) }
        if othersPublishedUntil == nil, flaw != .keepsStolenKeys {
            openIDKeys.removeAll { $0.algorithm == key.algorithm }
        }
        guard !openIDKeys.contains(where: { $0.id == key.id }) else { throw StoreError(.alreadyExists, "key") }
        for index in openIDKeys.indices where openIDKeys[index].algorithm == key.algorithm {
            if openIDKeys[index].publishedUntil == nil { openIDKeys[index].publishedUntil = othersPublishedUntil }
            if openIDKeys[index].publicKey != nil, flaw != .keepsFormerSigningKeys { openIDKeys[index].sealedKey = nil }
        }
        openIDKeys.append(key)
    }

    func keys(at moment: Timestamp) -> [OpenIDKeyRecord] {
        openIDKeys.filter { $0.publishedUntil.map { $0 > moment } ?? true }.sorted { $0.createdAt > $1.createdAt }
    }

    func insert(_ credential: OpenIDCredential) throws(StoreError) {
        if credentials[credential.hash] != nil { throw StoreError(.alreadyExists, "credential") }
        let dead = credential.subject.map { revokedBindings[$0.binding] != nil } ?? false
        credentials[credential.hash] = (credential, false, dead)
    }

    func revokeCredentials(_ matches: (OpenIDCredential) -> Bool) {
        for (hash, found) in credentials where !found.spent && matches(found.record) {
            credentials[hash]?.revoked = true
        }
    }

    func exchange(_ ask: OpenIDExchange) async throws(StoreError) -> OpenIDExchangeOutcome {
        guard let found = credentials[ask.hash], found.record.kind == ask.kind || flaw == .takesAnyKind else {
            return .unknown
        }
        let record = found.record
        if record.appID != ask.appID { return .wrongApp(record) }
        if found.spent { return .alreadySpent(record) }
        if ask.now >= record.expiresAt { return .expired(record) }
        if found.revoked || !(record.subject.map { holds($0.subscription) } ?? true) { return .revoked(record) }
        if flaw == .spendsOverTheQuota { credentials[ask.hash]?.spent = true }
        if let billing = ask.billing, let quota = billing.dailyQuota, billed(ask.appID, billing.day) >= quota {
            return .quotaExceeded(record)
        }
        await gap(.exchangesInTwoSteps)
        if !ask.keeps || flaw == .spendsWhatIsKept { credentials[ask.hash]?.spent = true }
        if let next = ask.next { try insert(next) }
        if let consent = ask.consent { consents.append((consent, nil)) }
        if let billing = ask.billing {
            answered["\(ask.appID) \(billing.day)", default: 0] += 1
            entryDays.append(billing.day)
            entries.append(
                LedgerEntry(
                    id: Int64(entries.count + 1), appID: ask.appID, trace: record.trace, interface: billing.interface,
                    result: billing.result, at: ask.now))
            if flaw != .forgetsTheEvent, let event = billing.event { try queue(event) }
        }
        return .spent(record)
    }
}

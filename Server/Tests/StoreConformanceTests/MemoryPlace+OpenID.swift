import BenjiProtocol
import Sightings
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
        let remembered = clients[app]?.remembersConsent == true || flaw == .remembersBesideTheWithdrawal
        clients[app] = stored
        if !(remembered && stored.remembersConsent), flaw != .remembersForClientsThatMayNot {
            revokeCredentials { $0.appID == app && $0.kind == .remembered }
        }
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

    func remembered(of holder: SubscriptionReference, at moment: Timestamp) -> [RememberedConsent] {
        credentials.values.filter { found in
            let isTheirs = found.record.subject?.subscription == holder
            return found.record.kind == .remembered && isTheirs && !found.revoked && found.record.expiresAt > moment
        }.map { RememberedConsent(credential: $0.record, usedAt: usedAt[$0.record.hash]) }
            .sorted { $0.credential.issuedAt > $1.credential.issuedAt }
    }

    func waiting(for holder: SubscriptionReference, at moment: Timestamp) -> [OpenIDCredential] {
        credentials.values.filter { found in
            let isTheirs = found.record.subject?.subscription == holder || flaw == .showsRequestsToOthers
            let isOpen = !found.spent && !found.revoked || flaw == .showsWhatIsDecided
            return found.record.kind == .backchannel && isTheirs && isOpen && found.record.expiresAt > moment
        }.map(\.record).sorted { $0.issuedAt > $1.issuedAt }
    }

    func endRemembered(of holder: SubscriptionReference, family: Int64?) -> Int {
        var count = 0
        for (hash, found) in credentials where found.record.kind == .remembered && !found.revoked {
            guard found.record.subject?.subscription == holder || flaw == .endsConsentsOfOthers,
                found.record.family == family ?? found.record.family
            else { continue }
            credentials[hash]?.revoked = true
            count += 1
        }
        return count
    }

    func exchange(_ ask: OpenIDExchange) async throws(StoreError) -> OpenIDExchangeOutcome {
        guard let found = credentials[ask.hash] else { return .unknown }
        let isAnswered = ask.kind == .access && found.record.kind == .answered
        guard isAnswered || found.record.kind == ask.kind || flaw == .takesAnyKind else { return .unknown }
        var record = found.record
        if record.appID != ask.appID { return .wrongApp(record) }
        if found.spent { return .alreadySpent(record) }
        if ask.now >= record.expiresAt { return .expired(record) }
        if found.revoked || !(record.subject.map { holds($0.subscription) } ?? true) { return .revoked(record) }
        if isAnswered, flaw != .billsEachAnswer {
            return ask.end == .answered ? .answered(record) : .alreadySpent(record)
        }
        if let pushed = ask.pushed, flaw != .logsInTwiceByOnePush {
            guard let request = credentials[pushed], !request.spent, !request.revoked else {
                return .alreadySpent(record)
            }
            credentials[pushed]?.spent = true
        }
        if flaw == .spendsOverTheQuota { credentials[ask.hash]?.spent = true }
        if let billing = ask.billing, !hasRoom(billing.quota, ask.appID, billing.day) {
            return .quotaExceeded(record)
        }
        await gap(.exchangesInTwoSteps)
        if ask.end == .spent || flaw == .spendsWhatIsKept { credentials[ask.hash]?.spent = true }
        if ask.end == .answered {
            record.kind = .answered
            credentials[ask.hash]?.record.kind = .answered
        }
        if ask.end == .noted, flaw != .forgetsUses { usedAt[ask.hash] = ask.now }
        if let forgotten = ask.forgotten, let consent = credentials[forgotten]?.record, consent.kind == .remembered,
            consent.appID == record.appID,
            flaw == .endsConsentsOfOthers
                || consent.subject?.subscription.subscription == record.subject?.subscription.subscription,
            flaw != .keepsForgottenConsents
        {
            credentials[forgotten]?.revoked = true
        }
        if let next = ask.next { try insert(next) }
        if let remembered = ask.remembered { try insert(remembered) }
        if let consent = ask.consent { keep(consent, ask.bought) }
        if let billing = ask.billing {
            answered["\(ask.appID) \(billing.day)", default: 0] += 1
            entryDays.append(billing.day)
            lastEntry += 1
            entries.append(
                LedgerEntry(
                    id: lastEntry, appID: ask.appID, trace: record.trace, interface: billing.interface,
                    result: billing.result, assurance: flaw == .forgetsTheStrength ? nil : billing.assurance,
                    at: ask.now))
            if flaw != .forgetsTheEvent, let event = billing.event { try queue(event) }
        }
        return .spent(record)
    }
}

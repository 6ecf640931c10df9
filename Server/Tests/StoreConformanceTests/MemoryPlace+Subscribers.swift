import BenjiProtocol
import Sightings
import Store

extension MemoryPlace {
    private func traces(of subscription: Int64) -> Set<TraceID> {
        Set(events.filter { $0.login?.subscription == subscription }.map(\.trace))
    }

    private func accounts(of subscription: Int64) -> Set<Int64> {
        Set(faces.accounts.values.filter { $0.subscription == subscription }.map(\.id))
    }

    /// Whether a key of ``familiarKeys`` or ``guesses`` is about a row.
    private func isAbout(_ subscription: Int64, _ name: String) -> Bool {
        name.split(separator: " ").first == Substring(String(subscription))
    }

    func counts(of subscription: Int64) -> [SubscriberPart: Int] {
        let accounts = accounts(of: subscription)
        return [
            .scrips: scrips.values.count { $0.record.subscription.subscription == subscription },
            .tokens: tokens.values.count { $0.record.subscription.subscription == subscription },
            .openIDCredentials: credentials.values.count {
                $0.record.subject?.subscription.subscription == subscription
            },
            .smsCodes: smsCodes.count { $0.record.subscription?.subscription == subscription },
            .smsUpstream: smsUpstream.count { $0.record.subscription?.subscription == subscription },
            .familiarKeys: familiarKeys.keys.count { isAbout(subscription, $0) },
            .wrongGuesses: guesses.keys.count { isAbout(subscription, $0) },
            .tokenCounts: numberCounts.keys.count { isAbout(subscription, $0) },
            .traces: traces(of: subscription).count,
            .callbackEvents: outbox.count { $0.entry.event.holder?.subscription == subscription },
            .consents: consents.count { $0.evidence.subscription.subscription == subscription && subscription != 0 },
            .faceAccounts: accounts.count,
            .faceAuthorizations: faces.bindings.count { accounts.contains($0.account) },
            .faceCredentials: faces.credentials.values.count { accounts.contains($0.record.account) },
        ]
    }

    func records(of subscription: Int64, epoch: Int32) -> SubscriberRecords {
        func isTheirs(_ reference: SubscriptionReference?) -> Bool {
            reference?.subscription == subscription
                && (reference?.epoch == epoch || flaw == .exportsFormerHolders)
        }
        var records = SubscriberRecords()
        records.faceAccount = faces.accounts.values.first { $0.subscription == subscription && $0.epoch == epoch }
        let account = records.faceAccount?.id
        records.faceBindings = faces.bindings.filter { $0.account == account }
        records.credentials += scrips.values.filter { isTheirs($0.record.subscription) }.map {
            .init(kind: "scrip", appID: $0.record.appID, issuedAt: nil, expiresAt: $0.record.expiresAt)
        }
        records.credentials += tokens.values.filter { isTheirs($0.record.subscription) }.map {
            .init(
                kind: "token \($0.record.purpose.rawValue)", appID: $0.record.appID, issuedAt: $0.record.issuedAt,
                expiresAt: $0.record.expiresAt)
        }
        records.credentials += credentials.values.filter { isTheirs($0.record.subject?.subscription) }.map {
            .init(
                kind: "openid \($0.record.kind.rawValue)", appID: $0.record.appID, issuedAt: $0.record.issuedAt,
                expiresAt: $0.record.expiresAt)
        }
        records.credentials += smsCodes.map(\.record).filter { isTheirs($0.subscription) }.map {
            .init(
                kind: "sms code \($0.purpose.rawValue)", appID: $0.appID, issuedAt: $0.issuedAt, expiresAt: $0.expiresAt
            )
        }
        records.credentials += smsUpstream.map(\.record).filter { isTheirs($0.subscription) }.map {
            .init(kind: "sms upstream", appID: $0.appID, issuedAt: $0.issuedAt, expiresAt: $0.expiresAt)
        }
        records.credentials += faces.credentials.values.filter { $0.record.account == account }.map {
            .init(
                kind: "face \($0.record.kind.rawValue)", appID: $0.record.appID, issuedAt: $0.record.issuedAt,
                expiresAt: $0.record.expiresAt)
        }
        for (name, known) in familiarKeys where isAbout(subscription, name) && known.epoch == epoch {
            let parts = name.split(separator: " ").map(String.init)
            guard parts.count == 3, let app = AppID(rawValue: parts[1]) else { continue }
            records.familiarKeys.append(.init(appID: app, deviceKey: parts[2], seenAt: known.at))
        }
        records.callbackEvents = outbox.map(\.entry).filter {
            $0.event.holder == .init(subscription: subscription, epoch: epoch)
        }
        records.consents = consents.map(\.evidence).filter { isTheirs($0.subscription) }
        records.traces = traces(TraceFilter(subscription: subscription, epoch: epoch), limit: .max)
        let known = Set(records.traces.map(\.trace) + records.consents.map(\.trace))
        records.ledger = entries.filter { known.contains($0.trace) }
        return records
    }

    func erase(_ erasure: SubscriberErasure) throws(StoreError) -> SubscriberErased {
        let row = erasure.subscription.id
        guard let present = subscriptions.first(where: { $0.id == row }),
            present.epoch == erasure.subscription.epoch || flaw == .erasesTheNextHolder
        else { throw StoreError(.outdated, "erasure") }
        let counts = counts(of: row)
        try append(erasure.audit(counts))
        forget(row, erasure.openIDs)
        erased[row] = erasure.at
        return SubscriberErased(counts: counts, isForgotten: true)
    }

    func forget(_ row: Int64, _ openIDs: [String] = []) {
        for account in accounts(of: row) { faces.erase(account, telling: nil) }
        let families = credentials.values.filter { $0.record.subject?.subscription.subscription == row }.map(
            \.record.family)
        credentials = credentials.filter { _, found in
            !families.contains(found.record.family)
                && (flaw == .keepsAskedSubjects || !openIDs.contains { found.record.details.contains($0) })
        }
        scrips = scrips.filter { $0.value.record.subscription.subscription != row }
        tokens = tokens.filter { $0.value.record.subscription.subscription != row }
        if flaw != .keepsSMSCodesOfTheErased {
            let numbers = Set(
                smsCodes.filter { $0.record.subscription?.subscription == row }.map(\.record.number))
            smsCodes.removeAll { numbers.contains($0.record.number) }
        }
        if flaw != .keepsSMSUpstreamOfTheErased {
            let numbers = Set(
                smsUpstream.filter { $0.record.subscription?.subscription == row }.map(\.record.number))
            smsUpstream.removeAll { numbers.contains($0.record.number) }
        }
        familiarKeys = familiarKeys.filter { !isAbout(row, $0.key) }
        guesses = guesses.filter { !isAbout(row, $0.key) }
        if flaw != .keepsNumbersOfTheErased { numberCounts = numberCounts.filter { !isAbout(row, $0.key) } }
        outbox.removeAll { $0.entry.event.holder?.subscription == row }
        let gone = traces(of: row)
        events.removeAll { gone.contains($0.trace) && (flaw != .erasesOnlyTheNamedStep || $0.login != nil) }
        for place in consents.indices where consents[place].evidence.subscription.subscription == row {
            consents[place].evidence.subscription = SubscriptionReference(subscription: 0, epoch: 0, simGeneration: 0)
            consents[place].token = nil
        }
        if flaw == .erasesEvidence { consents.removeAll { $0.evidence.subscription.subscription == 0 } }
        forgetLog(of: row)
        subscriptions.removeAll { $0.id == row }
    }

    func withdraw(_ withdrawal: ConsentWithdrawal) throws(StoreError) -> [SubscriberPart: Int] {
        let (row, app) = (withdrawal.subscription.id, withdrawal.appID)
        guard subscriptions.contains(where: { $0.id == row && $0.epoch == withdrawal.subscription.epoch }) else {
            throw StoreError(.outdated, "withdrawal")
        }
        func isTheirs(_ reference: SubscriptionReference?, _ of: AppID) -> Bool {
            reference?.subscription == row
                && (reference?.epoch == withdrawal.subscription.epoch || flaw == .withdrawsFromFormerHolders)
                && (of == app || flaw == .withdrawsFromEveryApp)
        }
        let families = credentials.values.filter { isTheirs($0.record.subject?.subscription, $0.record.appID) }
            .map(\.record.family)
        let before = (
            scrips.count, tokens.count, credentials.count, familiarKeys.count, smsUpstream.count
        )
        scrips = scrips.filter { !isTheirs($0.value.record.subscription, $0.value.record.appID) }
        tokens = tokens.filter { !isTheirs($0.value.record.subscription, $0.value.record.appID) }
        credentials = credentials.filter {
            !families.contains($0.value.record.family) || $0.value.record.appID != app
                || flaw == .leavesPagesOfWithdrawals && $0.value.record.subject == nil
        }
        familiarKeys = familiarKeys.filter { name, known in
            !isAbout(row, name) || known.epoch != withdrawal.subscription.epoch
                || name.split(separator: " ").dropFirst().first != Substring(app.rawValue)
        }
        let codes = smsCodes.indices.filter { place in
            let code = smsCodes[place]
            return isTheirs(code.record.subscription, code.record.appID) && code.record.purpose == .login
                && !code.isSpent && !code.hasEnded
        }
        for place in codes { smsCodes[place].hasEnded = true }
        if flaw == .forgetsCodesOfWithdrawals { for place in codes.reversed() { smsCodes.remove(at: place) } }
        smsUpstream.removeAll { isTheirs($0.record.subscription, $0.record.appID) }
        let bindings = faces.bindings.filter { binding in
            let account = faces.accounts[binding.account]
            return account?.subscription == row && account?.epoch == withdrawal.subscription.epoch
                && binding.appID == app
        }
        for binding in bindings {
            _ = cancel(binding.account, app, binding.revision, withdrawal.at, keepsAccount: true)
        }
        let counts: [SubscriberPart: Int] = [
            .scrips: before.0 - scrips.count, .tokens: before.1 - tokens.count,
            .openIDCredentials: before.2 - credentials.count, .familiarKeys: before.3 - familiarKeys.count,
            .smsCodes: codes.count, .smsUpstream: before.4 - smsUpstream.count,
            .faceAuthorizations: bindings.count,
            .consents: consents.count {
                $0.evidence.subscription.subscription == row && $0.evidence.appID == app
                    && $0.evidence.subscription.epoch == withdrawal.subscription.epoch
            },
        ].filter { $0.value > 0 }
        guard !counts.isEmpty else { return [:] }
        if let event = withdrawal.event, flaw != .tellsNoAppOfWithdrawals { try queue(event) }
        try append(withdrawal.audit(counts))
        return counts
    }

    func finishErasures(at now: Timestamp) -> Int {
        if flaw != .leavesLateWrites {
            for (row, moment) in erased where moment <= now - .seconds(3600) { forget(row) }
        }
        erased = erased.filter { $0.value > now - .seconds(30 * 86400) }
        return 0
    }
}

extension MemoryPlace {
    func deleteConsents(before moment: Timestamp, limit: Int) -> Int {
        let old = consents.prefix(limit).indices.filter {
            let at = consents[$0].evidence.receivedAt
            return flaw == .deletesConsentsAtTheMoment ? at <= moment : at < moment
        }
        forgetLog(.consent, old.map { consents[$0].row })
        for place in old.reversed() { consents.remove(at: place) }
        return old.count
    }

    func shortenLedger(to day: Int32, limit: Int) -> Int {
        ledgerBegin = flaw == .letsTheLedgerBeginEarlier ? day : max(ledgerBegin, day)
        answered = answered.filter { entry in
            flaw == .keepsOldCounts || (entry.key.split(separator: " ").last.flatMap { Int32($0) } ?? .max) >= day
        }
        forgetSums(before: ledgerBegin)
        let old = entries.indices.prefix(limit).filter { entryDays[$0] < day }
        forgetLog(.release, old.map { entries[$0].id })
        for place in old.reversed() {
            entries.remove(at: place)
            entryDays.remove(at: place)
        }
        return old.count
    }
}

extension MemoryStore {
    func deleteConsents(before moment: Timestamp, limit: Int) async throws(StoreError) -> Int {
        try await opened().deleteConsents(before: moment, limit: limit)
    }
    func shortenLedger(to day: Int32, limit: Int) async throws(StoreError) -> Int {
        try await opened().shortenLedger(to: day, limit: limit)
    }
    func ledgerBegin() async throws(StoreError) -> Int32 { try await opened().ledgerBegin }
    func subscriberCounts(_ subscription: Int64) async throws(StoreError) -> [SubscriberPart: Int] {
        try await opened().counts(of: subscription)
    }
    func subscriberRecords(_ subscription: Int64, epoch: Int32) async throws(StoreError) -> SubscriberRecords {
        try await opened().records(of: subscription, epoch: epoch)
    }
    var searchesFiles: Bool { false }

    func eraseSubscriber(_ erasure: SubscriberErasure) async throws(StoreError) -> SubscriberErased {
        try await opened().erase(erasure)
    }
    func withdrawConsents(_ withdrawal: ConsentWithdrawal) async throws(StoreError) -> [SubscriberPart: Int] {
        try await opened().withdraw(withdrawal)
    }
    func finishErasures(at now: Timestamp, patience: Duration) async throws(StoreError) -> Int {
        try await opened().finishErasures(at: now)
    }
    func unfinishedErasures() async throws(StoreError) -> Int {
        _ = try opened()
        return 0
    }
    func unfinishedErasure(_ mark: [UInt8]) async throws(StoreError) -> Int64? {
        _ = try opened()
        return nil
    }
    func erasedSubscriptions(since moment: Timestamp) async throws(StoreError) -> [Int64] {
        try await opened().erased.filter { $0.value >= moment }.map(\.key)
    }
}

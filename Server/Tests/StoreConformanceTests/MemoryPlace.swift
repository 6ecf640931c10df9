import BenjiProtocol
import Sightings
import Store
import StoreConformance

/// The counterpart of a driver's file: the place that a ``MemoryStore`` opens, here with at most one flaw.
///
/// Not a store to use: it keeps nothing when the process ends. Without a flaw it keeps all promises, which shows that
/// they ask for nothing that only SQL can do; with one, a promise must break.
actor MemoryPlace {
    let flaw: Flaw?
    var apps: [AppID: AppRecord] = [:]
    var staleSources: [String: AppID] = [:]
    var subscriptions: [SubscriptionRecord] = []
    var scrips: [CredentialHash: (record: ScripRecord, used: Bool, revoked: Bool)] = [:]
    var tokens: [CredentialHash: (record: TokenRecord, spent: Bool, message: String?, revoked: Bool)] = [:]
    var revokedBindings: [BindingID: Timestamp] = [:]
    var messages: [String: Timestamp] = [:]
    var entries: [LedgerEntry] = []
    /// The day of each entry.
    var entryDays: [Int32] = []
    /// The number of the newest entry that there ever was.
    var lastEntry: Int64 = 0
    var ledgerSums = MemoryLedgerSums()
    /// With the token or code that each bought, if it bought one.
    var consents: [(row: Int64, evidence: ConsentEvidence, token: CredentialHash?)] = []
    private var lastConsent: Int64 = 0
    var answered: [String: Int] = [:]
    var events: [TraceEvent] = []
    var clients: [AppID: OpenIDClientRecord] = [:]
    var clientsMade: Int64 = 0
    var keyUsages: [AppKeyUsage] = []
    var media: [AppID: [OpenIDMedia]] = [:]
    var openIDKeys: [OpenIDKeyRecord] = []
    var credentials: [CredentialHash: (record: OpenIDCredential, spent: Bool, revoked: Bool)] = [:]
    /// Of remembered consents.
    var usedAt: [CredentialHash: Timestamp] = [:]

    var familiarKeys: [String: (epoch: Int32, at: Timestamp)] = [:]
    var guesses: [String: (epoch: Int32, count: Int, since: Timestamp)] = [:]
    /// By row of the register, app and day.
    var numberCounts: [String: Int] = [:]

    /// By counts without their count.
    var loginCounts: [LoginCount: Int] = [:]

    var smsCodes: [MemorySMSCode] = []
    var smsUpstream: [MemorySMSUpstream] = []
    /// By budgets without their limits.
    var smsBudgets: [SMSBudget: Int] = [:]

    var ring = MasterKeyRing()
    var faces = MemoryFaces()
    var auditLines: [AuditEntry] = []
    var adminRecords: [AdminRecord] = []
    var console = MemoryConsole()
    var attestedKeys: [AttestedKeyRecord] = []
    var log = MemoryLog()
    /// The first day of the ledger.
    var ledgerBegin: Int32 = 0
    /// Rows of the register that were erased, and when.
    var erased: [Int64: Timestamp] = [:]
    /// The last row number that was given out.
    private var lastSubscription: Int64 = 0
    var pages: [PageSubmission] = []
    var policies: [PolicyRecord] = []
    var pairs: [String: MemoryPair] = [:]
    var outbox: [MemoryEvent] = []
    var outboxCount: Int64 = 0

    init(flaw: Flaw?) { self.flaw = flaw }

    /// The moment between a check and a write in which all others of a race check too; nothing without that flaw.
    func gap(_ flaw: Flaw) async { if self.flaw == flaw { await Contender.current?.meetOthers() } }

    func keep(_ consent: ConsentEvidence, _ token: CredentialHash? = nil) {
        lastConsent += 1
        consents.append((lastConsent, consent, token))
    }

    func forgetIfFlawed() {
        guard flaw == .forgetsOnClose else { return }
        tokens = [:]
        guesses = [:]
    }

    // MARK: apps

    func create(_ app: AppRecord, _ audit: AuditEntry?) throws(StoreError) {
        if apps[app.id] != nil { throw StoreError(.alreadyExists, "app") }
        try beside(audit) { () throws(StoreError) in try put(app, revision: 1) }
    }

    func update(_ app: AppRecord, _ event: OutboxEvent?, _ audit: AuditEntry?) async throws(StoreError) {
        guard let old = apps[app.id] else { throw StoreError(.notFound, "app") }
        await gap(.changesAppsInTwoSteps)
        if flaw == .tellsOfRefusedChanges, let event { try queue(event) }
        guard app.revision == old.revision || flaw == .overwritesApps else { throw StoreError(.outdated, "app") }
        try beside(audit) { () throws(StoreError) in try put(app, revision: old.revision + 1) }
        if flaw != .tellsOfRefusedChanges, let event { try queue(event) }
        for source in old.sourceIDs where !app.sourceIDs.contains(source) { staleSources[source] = app.id }
    }

    private func put(_ app: AppRecord, revision: Int64) throws(StoreError) {
        let contract = apps[app.id]?.contract ?? []
        for source in app.sourceIDs {
            if let owner = self.app(source: source), owner.id != app.id {
                throw StoreError(.alreadyExists, "source id")
            }
        }
        for key in app.keys { try check(key.sealed) }
        apps[app.id] = app
        if flaw != .rewritesContracts {
            apps[app.id]?.contract = contract + app.contract.filter { $0.number > contract.last?.number ?? 0 }
        }
        apps[app.id]?.revision = revision
    }

    func app(source: String) -> AppRecord? {
        if let owner = apps.values.first(where: { $0.sourceIDs.contains(source) }) { return owner }
        return flaw == .keepsDroppedSourceIDs ? staleSources[source].flatMap { apps[$0] } : nil
    }

    func appsToErase(at moment: Timestamp) -> [AppID] {
        let due = apps.values.filter { app in
            let end = app.deletedAfter ?? (flaw == .erasesAppsThatStay ? moment : nil)
            return end.map { flaw == .erasesAppsLate ? $0 < moment : $0 <= moment } == true && !app.keys.isEmpty
        }
        return due.map(\.id).sorted { $0.rawValue < $1.rawValue }
    }

    func note(_ usages: [AppKeyUsage]) {
        for usage in usages {
            let known = keyUsages.firstIndex {
                ($0.appID, $0.use, $0.version) == (usage.appID, usage.use, usage.version)
            }
            guard let known else {
                keyUsages.append(usage)
                continue
            }
            keyUsages[known].day = flaw == .believesTheLastUsage ? usage.day : max(usage.day, keyUsages[known].day)
        }
    }

    func usages(of app: AppID) -> [AppKeyUsage] {
        keyUsages.filter { $0.appID == app }.sorted { ($0.use, $0.version) < ($1.use, $1.version) }
    }

    // MARK: register

    func change(
        _ indices: [NumberIndex], _ change: @Sendable (Int, SubscriptionRecord?) -> SubscriptionRecord?
    ) async throws(StoreError) -> [SubscriptionRecord?] {
        try check(indices)
        var rows: [SubscriptionRecord?] = []
        for (position, index) in indices.enumerated() {
            let present = find(index)
            await gap(.changesRegisterInTwoSteps)
            guard var wanted = change(position, present) else {
                rows.append(present)
                continue
            }
            wanted.id =
                present?.id ?? (flaw == .givesRowsTwice ? Int64(subscriptions.count + 1) : lastSubscription + 1)
            lastSubscription = max(lastSubscription, wanted.id)
            wanted.numberIndex = present?.numberIndex ?? index.current
            if let place = subscriptions.firstIndex(where: { $0.id == wanted.id }) {
                subscriptions[place] = wanted
            } else {
                subscriptions.append(wanted)
            }
            rows.append(wanted)
        }
        return rows
    }

    func holds(_ reference: SubscriptionReference) -> Bool {
        guard let row = subscriptions.first(where: { $0.id == reference.subscription }) else { return false }
        return (flaw == .ignoresNewOwners || row.epoch == reference.epoch)
            && (flaw == .ignoresNewSIMs || row.simGeneration == reference.simGeneration)
    }

    // MARK: scrips and tokens

    func insert(_ scrip: ScripRecord, _ appRevision: Int64?, _ fence: PairFence?) throws(StoreError) {
        if !isOwner(fence), flaw != .keepsScripsOfReplacedGateways {
            throw StoreError(.gatewayReplaced, "scrip")
        }
        if !isApp(scrip.appID, at: appRevision), flaw != .keepsScripsForOutdatedApps {
            throw StoreError(.outdated, "scrip")
        }
        if scrips[scrip.hash] != nil { throw StoreError(.alreadyExists, "scrip") }
        let dead = revokedBindings[scrip.binding] != nil && flaw != .storesLateScripsAlive
        scrips[scrip.hash] = (scrip, false, dead)
    }

    func revoke(family: Int64) {
        for (hash, scrip) in scrips where scrip.record.family == family {
            if flaw == .revokesOnlyTheCurrentGeneration, scrip.used { continue }
            scrips[hash]?.revoked = true
        }
    }

    func revoke(bindings: [BindingID], at: Timestamp) {
        for binding in bindings {
            let before = flaw == .believesTheLastRevocation ? nil : revokedBindings[binding]
            revokedBindings[binding] = before.map { max($0, at) } ?? at
        }
        for (hash, scrip) in scrips where bindings.contains(scrip.record.binding) { scrips[hash]?.revoked = true }
        if flaw != .forgetsOpenIDWhenRevoking {
            revokeCredentials { $0.subject.map { bindings.contains($0.binding) } ?? false }
        }
        if flaw == .spendsRevokedTokens { return }
        for (hash, token) in tokens where bindings.contains(token.record.binding) && !token.spent {
            tokens[hash]?.revoked = true
        }
    }

    private func isApp(_ id: AppID, at revision: Int64?) -> Bool { revision.map { apps[id]?.revision == $0 } ?? true }

    func issue(_ issue: TokenIssue) async throws(StoreError) -> TokenIssueOutcome {
        if !isOwner(issue.fence), flaw != .issuesForReplacedGateways { return .gatewayReplaced }
        if !isApp(issue.token.appID, at: issue.appRevision), flaw != .issuesForOutdatedApps { return .appChanged }
        func alive() -> Bool {
            guard let scrip = scrips[issue.scrip] else { return false }
            return (!scrip.used || flaw == .keepsOldGenerations) && !scrip.revoked && issue.now < scrip.record.expiresAt
        }
        guard alive() else { return .scripGone }
        if revokedBindings[issue.token.binding] != nil, flaw != .issuesUnderRevokedBindings { return .scripGone }
        if flaw == .usesUpTheScripOfARefusal { scrips[issue.scrip]?.used = true }
        let unused = tokens.values.filter {
            $0.record.subscription.subscription == issue.token.subscription.subscription
                && ($0.record.appID == issue.token.appID || flaw == .countsOtherApps)
                && ($0.record.deviceKey == issue.token.deviceKey || flaw == .countsOtherKeys)
                && (!$0.revoked || flaw == .countsRevokedTokens)
                && (!$0.spent || flaw == .countsSpentTokens)
                && (flaw != .forgetsExpiredTokens || $0.record.expiresAt > issue.now)
                && ($0.record.issuedAt > issue.unusedSince
                    || flaw == .countsTheWindowsFirstMoment && $0.record.issuedAt == issue.unusedSince)
        }
        if unused.count >= issue.unusedPerKey { return .tooManyForKey }
        guard let scrip = scrips[issue.scrip], holds(scrip.record.subscription), holds(issue.token.subscription) else {
            return .subscriptionChanged
        }
        let number = numberName(issue)
        if let limit = issue.numberLimit, numberCounts[number, default: 0] >= limit.tokens { return .tooManyForNumber }
        await gap(.countsUnusedInTwoSteps)
        await gap(.countsNumbersInTwoSteps)
        guard alive() else { return .scripGone }
        await gap(.usesScripsInTwoSteps)
        if tokens[issue.token.hash] != nil { throw StoreError(.alreadyExists, "token") }
        if issue.numberLimit != nil { numberCounts[number, default: 0] += 1 }
        scrips[issue.scrip]?.used = flaw != .keepsOldGenerations
        tokens[issue.token.hash] = (issue.token, false, nil, false)
        if let next = issue.nextScrip { try insert(next, nil, nil) }
        if let consent = issue.consent, flaw != .forgetsConsents { keep(consent, issue.token.hash) }
        makeRoom(issue)
        return .issued
    }

    private func numberName(_ issue: TokenIssue) -> String {
        let app = flaw == .countsNumbersOfAllApps ? "" : issue.token.appID.rawValue
        return "\(issue.token.subscription.subscription) \(app) \(issue.numberLimit?.day ?? 0)"
    }

    func deleteNumberCounts(before day: Int32, limit: Int) -> Int {
        let old = numberCounts.keys.filter { name in
            let counted = name.split(separator: " ").last.flatMap { Int32($0) } ?? .max
            return flaw == .deletesNumbersAtTheDay ? counted <= day : counted < day
        }.prefix(limit)
        for name in old { numberCounts[name] = nil }
        return old.count
    }

    private func makeRoom(_ issue: TokenIssue) {
        var left = tokens.values.filter { token in
            !token.spent && !token.revoked
                && token.record.subscription.subscription == issue.token.subscription.subscription
                && token.record.appID == issue.token.appID
                && (token.record.assurance == issue.token.assurance || flaw == .putsOutWhatIsStronger)
        }.map(\.record)
        while left.count > issue.unusedPerNumber {
            let crowd = Dictionary(grouping: left, by: \.deviceKey).mapValues(\.count)
            // The oldest of a key that has the most; never the one that has just come.
            let out = left.filter { $0.hash != issue.token.hash }.min { one, other in
                let (many, more) = (crowd[one.deviceKey] ?? 0, crowd[other.deviceKey] ?? 0)
                return many != more && flaw != .putsOutTheOldest ? many > more : one.issuedAt < other.issuedAt
            }
            guard let out else { return }
            tokens[out.hash] = nil
            deletePendingConsent(of: out.hash, at: issue.now)
            left.removeAll { $0.hash == out.hash }
        }
    }

    private func deletePendingConsent(of credential: CredentialHash, at moment: Timestamp) {
        let oldest = moment - .seconds(31 * 86400)
        let gone = consents.filter {
            $0.token == credential && ($0.evidence.receivedAt >= oldest || flaw == .deletesOldConsents)
        }.map(\.row)
        if flaw != .keepsLeavesOfTokensPutOut { forgetLog(.consent, gone) }
        consents.removeAll { gone.contains($0.row) }
    }

    func token(_ hash: CredentialHash) -> TokenRecord? { tokens[hash]?.record }

    func deleteScrips(before moment: Timestamp, limit: Int) -> Int {
        let old = scrips.filter { $0.value.record.expiresAt < moment }.prefix(limit)
        for (hash, _) in old { scrips[hash] = nil }
        return old.count
    }

    // MARK: limits

    private func name(_ deviceKey: String, _ app: AppID, _ subscription: SubscriptionReference) -> String {
        "\(subscription.subscription) \(app) \(deviceKey)"
    }

    func isFamiliar(_ deviceKey: String, _ app: AppID, _ subscription: SubscriptionReference) -> Bool {
        guard let known = familiarKeys[name(deviceKey, app, subscription)] else { return false }
        return known.epoch == subscription.epoch || flaw == .knowsKeysOfOldOwners
    }

    func forgetKeys(since moment: Timestamp, limit: Int) -> Int {
        let old = familiarKeys.filter { $0.value.at < moment }.prefix(limit)
        for (name, _) in old { familiarKeys[name] = nil }
        return old.count
    }

    func settle(_ guess: Guess) async -> GuessOutcome {
        let name = "\(guess.subscription.subscription) \(flaw == .countsGuessesOfAllApps ? "" : guess.kind.name)"
        var known = guesses[name] ?? (guess.subscription.epoch, 0, guess.now)
        if known.epoch != guess.subscription.epoch || known.since + guess.window <= guess.now {
            known = (guess.subscription.epoch, 0, guess.now)
        }
        if guess.isRight {
            if flaw == .countsRightGuesses { guesses[name] = (known.epoch, known.count + 1, known.since) }
            return known.count < guess.limit || flaw == .tellsTheRightGuess ? .right : .tooMany
        }
        guard known.count < guess.limit else { return .tooMany }
        await gap(.countsGuessesInTwoSteps)
        known.count += 1
        guesses[name] = known
        return .wrong
    }

    func deleteGuesses(before moment: Timestamp, limit: Int) -> Int {
        let old = guesses.filter { $0.value.since < moment }.prefix(limit)
        for (name, _) in old { guesses[name] = nil }
        return old.count
    }

    func deletePages(_ expiry: Range<Timestamp>, limit: Int) -> Int {
        let old = credentials.filter { _, found in
            let isUnredeemed = !found.spent || flaw == .deletesRedeemedCodesEarly
            return expiry.contains(found.record.expiresAt)
                && (found.record.kind == .page || found.record.kind == .code && isUnredeemed)
        }.prefix(limit)
        for (hash, _) in old {
            credentials[hash] = nil
            deletePendingConsent(of: hash, at: expiry.upperBound)
        }
        return old.count
    }

    func deleteCredentials(before moment: Timestamp, limit: Int) -> Int {
        let oldScrips = scrips.filter { $0.value.record.expiresAt < moment }.prefix(limit)
        let oldTokens = tokens.filter { $0.value.record.expiresAt < moment }.prefix(limit)
        for (hash, _) in oldScrips { scrips[hash] = nil }
        for (hash, _) in oldTokens { tokens[hash] = nil }
        let oldCredentials = credentials.filter { $0.value.record.expiresAt < moment }.prefix(limit)
        for (hash, _) in oldCredentials { credentials[hash] = nil }
        if flaw != .keepsConsentsThatBoughtNothing {
            let ended = oldTokens.map { ($0.key, $0.value.spent) } + oldCredentials.map { ($0.key, $0.value.spent) }
            for (hash, isSpent) in ended where !isSpent || flaw == .deletesConsentsOfTheRedeemed {
                deletePendingConsent(of: hash, at: moment)
            }
        }
        let gone = oldScrips.count + oldTokens.count + oldCredentials.count
        if flaw == .remembersBindingsForever { return gone }
        let oldBindings = revokedBindings.filter { $0.value < moment }.prefix(limit)
        for (binding, _) in oldBindings { revokedBindings[binding] = nil }
        return gone + oldBindings.count
    }

    // MARK: ledger

    func redeem(
        _ ask: Redemption, _ result: @Sendable (TokenRecord, SubscriptionRecord) throws(StoreError) -> String,
        _ event: (@Sendable (TokenRecord, SubscriptionRecord, String) -> OutboxEvent?)?
    ) async throws(StoreError) -> RedemptionOutcome {
        if let issuer = ask.issuer, !isApp(issuer.appID, at: issuer.revision), flaw != .spendsOfOutdatedIssuers {
            return .appChanged
        }
        if !isApp(ask.appID, at: ask.appRevision), flaw != .spendsForOutdatedApps {
            if flaw == .takesNamesForOutdatedApps { tokens[ask.token]?.message = ask.messageID }
            return .appChanged
        }
        let outcome = try await spend(ask, result)
        if case .spent(let token, let row, let id) = outcome {
            let answer = entries.first { $0.id == id }?.result ?? ""
            if flaw != .forgetsTheEvent, let event = event?(token, row, answer) { try queue(event) }
            return outcome
        }
        if flaw == .tellsOfRefusals, let token = tokens[ask.token]?.record,
            let row = subscriptions.first(where: { $0.id == token.subscription.subscription }),
            let event = event?(token, row, "released")
        {
            try queue(event)
        }
        if flaw == .keepsNamesOfRefusedRequests { tokens[ask.token]?.message = ask.messageID }
        if flaw == .billsRefusals { _ = bill(ask, Scope.nowhere, "refused") }
        return outcome
    }

    private enum Scope { static let nowhere = TraceID(rawValue: String(repeating: "f", count: 32))! }

    private func spend(
        _ ask: Redemption, _ result: @Sendable (TokenRecord, SubscriptionRecord) throws(StoreError) -> String
    ) async throws(StoreError) -> RedemptionOutcome {
        guard let found = tokens[ask.token] else { return .unknown }
        let token = found.record
        if flaw == .spendsBeforeLookingAtTheApp { tokens[ask.token]?.spent = true }
        if token.appID != ask.tokenApp, flaw != .spendsAnyTokenForAnother || ask.issuer == nil {
            return .wrongApp(token)
        }
        if !ask.purposes.contains(token.purpose) { return .wrongPurpose(token) }
        if let trace = ask.trace, token.trace != trace, flaw != .ignoresTheNamedLogin { return .wrongLogin(token) }
        if let name = found.message, name == ask.messageID, flaw != .forgetsSpentNames { return .messageReplayed }
        if found.spent { return .alreadySpent(token) }
        if flaw == .validAtTheMomentOfExpiry ? ask.now > token.expiresAt : ask.now >= token.expiresAt {
            return .expired(token)
        }
        if flaw == .spendsBeforeLookingAtTheStrength { tokens[ask.token]?.spent = true }
        if token.assurance < ask.leastAssurance { return .tooWeak(token) }
        guard !found.revoked, holds(token.subscription),
            let row = subscriptions.first(where: { $0.id == token.subscription.subscription })
        else { return .subscriptionChanged(token) }
        guard hasRoom(ask.quota, ask.appID, ask.day) else { return .quotaExceeded(token) }
        if flaw == .spendsBeforeItKnowsTheAnswer { tokens[ask.token]?.spent = true }
        let answer = try result(token, row)
        await gap(.redeemsInTwoSteps)
        await gap(.countsQuotaInTwoSteps)
        tokens[ask.token]?.spent = true
        tokens[ask.token]?.message = ask.messageID
        if token.purpose == .login {
            familiarKeys[name(token.deviceKey, token.appID, token.subscription)] = (token.subscription.epoch, ask.now)
        }
        return .spent(token, row, entry: bill(ask, token.trace, answer, token.assurance))
    }

    private func bill(_ ask: Redemption, _ trace: TraceID, _ result: String, _ assurance: Assurance? = nil) -> Int64 {
        answered["\(ask.appID) \(ask.day)", default: 0] += 1
        lastEntry += 1
        let id = lastEntry
        entryDays.append(ask.day)
        entries.append(
            LedgerEntry(
                id: id, appID: ask.appID, trace: trace, interface: ask.interface, result: result,
                assurance: flaw == .forgetsTheStrength ? nil : assurance, at: ask.now))
        return id
    }

    private func key(_ name: String, of app: AppID) -> String {
        flaw == .sharesNamesBetweenApps ? name : "\(app) \(name)"
    }

    func take(_ name: String, of app: AppID, until: Timestamp, now: Timestamp) async -> Bool {
        if isTaken(name, of: app, now: now) { return false }
        await gap(.takesNamesInTwoSteps)
        messages[key(name, of: app)] = until
        return true
    }

    func isTaken(_ name: String, of app: AppID, now: Timestamp) -> Bool {
        let early: Duration = flaw == .forgetsNamesAMillisecondEarly ? .milliseconds(1) : .zero
        return messages[key(name, of: app)].map { now + early < $0 } ?? false
    }

    func hasRoom(_ quota: AnswerQuota, _ app: AppID, _ day: Int32) -> Bool {
        if let daily = quota.daily, billed(app, day) >= daily { return false }
        guard let monthly = quota.monthly, flaw != .ignoresTheMonth else { return true }
        return billed(app, inMonthOf: day) < monthly
    }

    func billed(_ app: AppID, inMonthOf day: Int32) -> Int {
        billed(app, (day / 100 * 100)...(day / 100 * 100 + 99)).values.reduce(0, +)
    }

    func billed(_ app: AppID, _ day: Int32) -> Int { answered["\(app) \(day)"] ?? 0 }

    func billed(_ app: AppID, _ days: ClosedRange<Int32>) -> [Int32: Int] {
        var found: [Int32: Int] = [:]
        for day in days where billed(app, day) > 0 { found[day] = billed(app, day) }
        return found
    }

    func entries(_ app: AppID, _ range: LedgerRange, before: Int64?, limit: Int) -> [LedgerEntry] {
        let found = entries.reversed().filter { entry in
            entry.appID == app && (range.since.map { entry.at >= $0 } ?? true)
                && (range.until.map { flaw == .countsTheEndOfALedgersRange ? entry.at <= $0 : entry.at < $0 } ?? true)
                && (before.map { entry.id < $0 } ?? true)
        }
        return Array(found.prefix(max(limit, 0)))
    }

    func deleteMessages(before moment: Timestamp, limit: Int) -> Int {
        let old = messages.filter { $0.value < moment }.prefix(limit)
        for (name, _) in old { messages[name] = nil }
        return old.count
    }

    // MARK: traces

    func append(_ new: [TraceEvent]) { events += new }

    func trace(_ id: TraceID) -> [TraceEvent] {
        let found = events.enumerated().filter { $0.element.trace == id }
            .sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map(\.element)
        return flaw == .listsTracesBackwards ? found.reversed() : found
    }

    func traces(_ filter: TraceFilter, limit: Int) -> [TraceSummary] {
        let found = events.enumerated().filter { _, event in
            guard let login = event.login else { return false }
            let steps = events.filter { $0.trace == event.trace }
            guard steps.first(where: { $0.login != nil }) == event || flaw == .tellsALoginTwice else { return false }
            return (filter.app == nil || login.app == filter.app || flaw == .findsOtherAppsLogins)
                && (filter.subscription == nil || login.subscription == filter.subscription)
                && (filter.epoch == nil || login.epoch == filter.epoch || flaw == .findsFormerHolders)
                && (filter.since.map { event.at >= $0 } ?? true) && (filter.until.map { event.at < $0 } ?? true)
                && (filter.after.map { isTold(event, after: $0) } ?? true)
                && (filter.situations.isEmpty || steps.contains { filter.situations.contains($0.situation) })
        }.sorted { ($0.element.at, $0.offset) > ($1.element.at, $1.offset) }
        return found.prefix(max(limit, 0)).map { _, event in
            let all = trace(event.trace)
            var outcome = LoginOutcome(of: flaw == .tellsTheFirstStep ? [all[0]] : all)!
            if flaw == .tellsTheLastStep { outcome.decisive = outcome.last }
            return TraceSummary(trace: event.trace, app: event.login!.app, at: event.at, outcome: outcome)
        }
    }

    /// Whether a login, by the event that found out whose it is, comes after another one, newest first.
    private func isTold(_ event: TraceEvent, after trace: TraceID) -> Bool {
        guard let last = events.firstIndex(where: { $0.trace == trace && $0.login != nil }),
            let place = events.firstIndex(where: { $0.trace == event.trace && $0.login != nil })
        else { return false }
        if flaw == .losesLoginsOfAMoment { return event.at < events[last].at }
        return (event.at, place) < (events[last].at, last)
    }

    func deleteEvents(before moment: Timestamp, limit: Int) -> Int {
        var left = limit
        let kept = events.filter { event in
            let old = flaw == .deletesAtTheMoment ? event.at <= moment : event.at < moment
            guard old, left > 0 else { return true }
            left -= 1
            return false
        }
        defer { events = kept }
        return events.count - kept.count
    }
}

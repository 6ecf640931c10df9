import BenjiProtocol
import Sightings
import Store
import Synchronization

/// One opening of a ``MemoryPlace``.
final class MemoryStore: Store {
    private let place: MemoryPlace
    private let open = Mutex(true)
    let rowCodes = RowCodes()

    init(_ place: MemoryPlace) { self.place = place }

    func opened() throws(StoreError) -> MemoryPlace {
        guard open.withLock({ $0 }) || place.flaw == .answersAfterClose else {
            throw StoreError(.unavailable, "closed")
        }
        return place
    }

    func check() async throws(StoreError) { _ = try opened() }

    func close() async {
        open.withLock { $0 = false }
        await place.forgetIfFlawed()
    }

    func masterKeyRing() async throws(StoreError) -> MasterKeyRing { try await opened().ring }
    func receiptKeys() async throws(StoreError) -> [ReceiptKeyRecord] { try await masterKeyRing().receiptKeys }
    func tie(
        to key: MasterKeyRecord, dataSecrets: Sealed, receiptKey: ReceiptKeyRecord
    ) async throws(StoreError) -> MasterKeyRing { try await opened().tie(key, dataSecrets, receiptKey) }
    func beginRotation(
        from current: MasterKeyCheck, to check: MasterKeyCheck, at moment: Timestamp, audit: AuditEntry?
    ) async throws(StoreError) { try await opened().beginRotation(current, check, moment, audit) }
    func endRotation(at moment: Timestamp, audit: AuditEntry?) async throws(StoreError) -> Bool {
        try await opened().endRotation(moment, audit)
    }
    func subscriptions(
        notUnder key: MasterKeyID, after row: Int64, limit: Int
    ) async throws(StoreError) -> [SubscriptionRecord] {
        try await opened().subscriptions(notUnder: key, after: row, limit)
    }
    func sealedValues(notUnder key: MasterKeyID, limit: Int) async throws(StoreError) -> [SealedValue] {
        try await Array(opened().values.filter { $0.sealed.masterKey != key }.prefix(limit))
    }
    func reseal(_ changes: [(old: SubscriptionRecord, new: SubscriptionRecord)]) async throws(StoreError) -> Int {
        try await opened().reseal(changes)
    }
    func reseal(_ changes: [(old: SealedValue, new: Sealed)]) async throws(StoreError) -> Int {
        try await opened().reseal(changes)
    }
    func sealedCounts() async throws(StoreError) -> [SealedCount] { try await opened().counts }
    func forgetReplaced() async {}
    func addReceiptKey(
        _ key: ReceiptKeyRecord, othersUntil until: Timestamp, audit: AuditEntry?
    ) async throws(StoreError) { try await opened().add(key, until, audit) }

    /// Only this process writes to it, so its rows need no codes.
    func codedRows() async throws(StoreError) -> CodedRows {
        _ = try opened()
        return CodedRows(hasMark: false, hasRows: false)
    }
    func sealRows(
        from old: Sealed, to new: Sealed, onlyIfEmpty: Bool, audit: AuditEntry
    ) async throws(StoreError) -> Bool { try await opened().seal(old, new) }
    func sealRevocations() async throws(StoreError) {}
    func rowToSeal(_ table: RowToSeal.Table, id: String) async throws(StoreError) -> RowToSeal? { nil }
    func seal(_ row: RowToSeal, audit: AuditEntry) async throws(StoreError) -> Bool { false }
    func auditLogProblem() async throws(StoreError) -> String? { nil }
    func markEvidence(at now: Timestamp?) async throws(StoreError) -> EvidenceProgress { EvidenceProgress() }
    func settleEvidence(inHour hour: Int?, at now: Timestamp?) async throws(StoreError) {}
    func evidenceProblems(inHour hour: Int?) async throws(StoreError) -> [String] { [] }

    func createApp(_ app: AppRecord, audit: AuditEntry?) async throws(StoreError) {
        try await opened().create(app, audit)
    }
    func createApp(
        _ app: AppRecord, of admin: String, atMost limit: Int, audit: AuditEntry?
    ) async throws(StoreError) -> Bool {
        try await opened().create(app, of: admin, atMost: limit, audit)
    }
    func updateApp(_ app: AppRecord, event: OutboxEvent?, audit: AuditEntry?) async throws(StoreError) {
        try await opened().update(app, event, audit)
    }
    func eraseApp(_ app: AppRecord, audit: AuditEntry?) async throws(StoreError) {
        let place = try opened()
        if place.flaw == .erasesClientsFirst { await place.removeClient(app.id) }
        try await place.update(app, nil, audit)
        await place.removeClient(app.id)
        await place.removePages(app.id)
        await place.removeEvents(of: app.id)
        await place.removeAttestedKeys(of: app.id)
    }
    func app(_ id: AppID) async throws(StoreError) -> AppRecord? { try await opened().apps[id] }
    func appRevision(_ id: AppID) async throws(StoreError) -> Int64? { try await opened().apps[id]?.revision }
    func apps() async throws(StoreError) -> [AppRecord] {
        try await opened().apps.values.sorted { $0.id.rawValue < $1.id.rawValue }
    }
    func appsToErase(at moment: Timestamp) async throws(StoreError) -> [AppID] {
        try await opened().appsToErase(at: moment)
    }
    func app(withSourceID sourceID: String) async throws(StoreError) -> AppRecord? {
        try await opened().app(source: sourceID)
    }
    func noteKeyUsages(_ usages: [AppKeyUsage]) async throws(StoreError) { try await opened().note(usages) }
    func keyUsages(of app: AppID) async throws(StoreError) -> [AppKeyUsage] { try await opened().usages(of: app) }

    func subscription(numberIndex: NumberIndex) async throws(StoreError) -> SubscriptionRecord? {
        let place = try opened()
        try await place.check([numberIndex])
        return await place.find(numberIndex)
    }
    func subscription(_ id: Int64) async throws(StoreError) -> SubscriptionRecord? {
        try await opened().subscriptions.first { $0.id == id }
    }
    func anySubscription() async throws(StoreError) -> SubscriptionRecord? {
        try await opened().subscriptions.first
    }
    func changeSubscriptions(
        _ numberIndices: [NumberIndex], audit: AuditEntry?,
        _ change: @escaping @Sendable (Int, SubscriptionRecord?) -> SubscriptionRecord?
    ) async throws(StoreError) -> [SubscriptionRecord?] {
        let place = try opened()
        let rows = try await place.change(numberIndices, change)
        if rows.contains(where: { $0 != nil }) { try await place.note(audit) }
        return rows
    }

    func insertScrip(_ scrip: ScripRecord, appRevision: Int64?, fence: PairFence?) async throws(StoreError) {
        try await opened().insert(scrip, appRevision, fence)
    }

    func standing(ofPair pair: String) async throws(StoreError) -> PairStanding { try await opened().standing(pair) }
    func pairStandings() async throws(StoreError) -> [String: PairStanding] {
        try await opened().pairs.mapValues(\.standing)
    }
    func pairNews(_ pair: String, after sequence: Int64, limit: Int) async throws(StoreError) -> PairNews {
        try await opened().news(pair, sequence, limit)
    }
    func claimPair(
        _ pair: String, by owner: String, seen: PairStanding
    ) async throws(StoreError) -> PairStanding { try await opened().claim(pair, owner, seen) }
    func recordForPair(
        _ entries: [PairEntry], under fence: PairFence, after sequence: Int64, at moment: Timestamp
    ) async throws(StoreError) -> PairRecording { try await opened().record(entries, fence, sequence, moment) }
    func releasePair(_ fence: PairFence) async throws(StoreError) { try await opened().release(fence) }
    func deletePairEnds(before moment: Timestamp, limit: Int) async throws(StoreError) -> Int {
        try await opened().deleteEnds(moment, limit)
    }
    func scrip(_ hash: CredentialHash) async throws(StoreError) -> ScripLookup {
        guard let found = try await opened().scrips[hash] else { return .unknown }
        return found.revoked ? .revoked(found.record) : found.used ? .superseded(found.record) : .current(found.record)
    }
    func revokeScrips(family: Int64) async throws(StoreError) { try await opened().revoke(family: family) }
    func revokeCredentials(bindings: [BindingID], at: Timestamp) async throws(StoreError) {
        try await opened().revoke(bindings: bindings, at: at)
    }
    func issueToken(_ issue: TokenIssue) async throws(StoreError) -> TokenIssueOutcome {
        try await opened().issue(issue)
    }
    func token(_ hash: CredentialHash) async throws(StoreError) -> TokenRecord? {
        try await opened().token(hash)
    }
    func deleteExpiredCredentials(before moment: Timestamp, limit: Int) async throws(StoreError) -> Int {
        let place = try opened()
        return await place.deleteCredentials(before: moment, limit: limit)
            + place.deleteFaceCredentials(before: moment, limit: limit)
    }

    func deleteExpiredPages(_ expiry: Range<Timestamp>, limit: Int) async throws(StoreError) -> Int {
        try await opened().deletePages(expiry, limit: limit)
    }

    func deleteExpiredScrips(before moment: Timestamp, limit: Int) async throws(StoreError) -> Int {
        try await opened().deleteScrips(before: moment, limit: limit)
    }
    func isFamiliar(
        deviceKey: String, app: AppID, subscription: SubscriptionReference
    ) async throws(StoreError) -> Bool { try await opened().isFamiliar(deviceKey, app, subscription) }
    func forgetFamiliarKeys(since moment: Timestamp, limit: Int) async throws(StoreError) -> Int {
        try await opened().forgetKeys(since: moment, limit: limit)
    }
    func settle(_ guess: Guess) async throws(StoreError) -> GuessOutcome { try await opened().settle(guess) }
    func deleteGuesses(before moment: Timestamp, limit: Int) async throws(StoreError) -> Int {
        try await opened().deleteGuesses(before: moment, limit: limit)
    }
    func deleteNumberCounts(before day: Int32, limit: Int) async throws(StoreError) -> Int {
        try await opened().deleteNumberCounts(before: day, limit: limit)
    }

    func redeem(
        _ redemption: Redemption,
        result: @escaping @Sendable (TokenRecord, SubscriptionRecord) throws(StoreError) -> String,
        event: (@Sendable (TokenRecord, SubscriptionRecord, String) -> OutboxEvent?)?
    ) async throws(StoreError) -> RedemptionOutcome { try await opened().redeem(redemption, result, event) }
    func ledgerEntries(
        app: AppID, _ range: LedgerRange, before: Int64?, limit: Int
    ) async throws(StoreError) -> [LedgerEntry] {
        try await opened().entries(app, range, before: before, limit: limit)
    }
    func ledgerCounts(app: AppID, days: ClosedRange<Int32>) async throws(StoreError) -> LedgerCounts {
        let place = try opened()
        return LedgerCounts(lines: await place.counts(app, days), billed: await place.billed(app, days))
    }
    func billed(app: AppID, day: Int32) async throws(StoreError) -> Int { try await opened().billed(app, day) }
    func billed(app: AppID, inMonthOf day: Int32) async throws(StoreError) -> Int {
        try await opened().billed(app, inMonthOf: day)
    }
    func consents(of trace: TraceID) async throws(StoreError) -> [ConsentEvidence] {
        try await opened().consents.map(\.evidence).filter { $0.trace == trace }
    }
    func outerConsents(of holder: LogLeaf.Holder) async throws(StoreError) -> [ConsentEvidence] {
        try await opened().outerConsents(of: holder)
    }
    func deleteExpiredMessages(before moment: Timestamp, limit: Int) async throws(StoreError) -> Int {
        try await opened().deleteMessages(before: moment, limit: limit)
    }

    func putOpenIDClient(
        _ client: OpenIDClientRecord, media: [OpenIDMedia], removedMedia: [String], audit: AuditEntry?
    ) async throws(StoreError) -> OpenIDClientRecord {
        let place = try opened()
        let stored = try await place.put(client, media, removedMedia)
        try await place.note(audit)
        return stored
    }
    func openIDClient(_ app: AppID) async throws(StoreError) -> OpenIDClientRecord? { try await opened().clients[app] }
    func openIDMediaDigests(of app: AppID) async throws(StoreError) -> [String: String] {
        Dictionary(try await opened().media[app, default: []].map { ($0.name, $0.digest) }) { first, _ in first }
    }
    func openIDMedia(digest: String) async throws(StoreError) -> OpenIDMedia? {
        try await opened().media.values.joined().first { $0.digest == digest }
    }
    func removeOpenIDClient(_ app: AppID, audit: AuditEntry?) async throws(StoreError) {
        let place = try opened()
        await place.removeClient(app)
        try await place.note(audit)
    }
    func addOpenIDKeys(
        _ keys: [OpenIDKeyRecord], publicKeys: [String: String], othersPublishedUntil: Timestamp?, audit: AuditEntry?
    ) async throws(StoreError) {
        let place = try opened()
        try await place.add(keys, publicKeys, othersPublishedUntil)
        try await place.note(audit)
    }
    func openIDKeys(at moment: Timestamp) async throws(StoreError) -> [OpenIDKeyRecord] {
        try await opened().keys(at: moment)
    }
    func insertOpenIDCredential(_ credential: OpenIDCredential) async throws(StoreError) {
        try await opened().insert(credential)
    }
    func openIDCredential(_ hash: CredentialHash) async throws(StoreError) -> OpenIDLookup {
        guard let found = try await opened().credentials[hash] else { return .unknown }
        return found.spent ? .spent(found.record) : found.revoked ? .revoked(found.record) : .live(found.record)
    }
    func rememberedConsents(
        of holder: SubscriptionReference, at moment: Timestamp
    ) async throws(StoreError) -> [RememberedConsent] { try await opened().remembered(of: holder, at: moment) }

    func backchannelRequests(
        of holder: SubscriptionReference, at moment: Timestamp, limit: Int
    ) async throws(StoreError) -> [OpenIDCredential] {
        Array(try await opened().waiting(for: holder, at: moment).prefix(limit))
    }

    func endRememberedConsents(
        of holder: SubscriptionReference, family: Int64?
    ) async throws(StoreError) -> Int { try await opened().endRemembered(of: holder, family: family) }

    func exchange(_ exchange: OpenIDExchange) async throws(StoreError) -> OpenIDExchangeOutcome {
        try await opened().exchange(exchange)
    }
    func revokeOpenIDCredentials(family: Int64) async throws(StoreError) {
        try await opened().revokeCredentials { $0.family == family }
    }
    func takeName(
        _ name: String, app: AppID, until: Timestamp, now: Timestamp
    ) async throws(StoreError) -> Bool { try await opened().take(name, of: app, until: until, now: now) }
    func isNameTaken(_ name: String, app: AppID, now: Timestamp) async throws(StoreError) -> Bool {
        try await opened().isTaken(name, of: app, now: now)
    }

    func appendTraceEvents(_ events: [TraceEvent]) async throws(StoreError) { try await opened().append(events) }
    func traceEvents(_ trace: TraceID) async throws(StoreError) -> [TraceEvent] { try await opened().trace(trace) }
    func traces(_ filter: TraceFilter, limit: Int) async throws(StoreError) -> [TraceSummary] {
        try await opened().traces(filter, limit: limit)
    }
    func deleteTraceEvents(before moment: Timestamp, limit: Int) async throws(StoreError) -> Int {
        try await opened().deleteEvents(before: moment, limit: limit)
    }

    func appendAudit(_ entry: AuditEntry) async throws(StoreError) { try await opened().append(entry) }
    func auditEntries(_ filter: AuditFilter, before: Int64?, limit: Int) async throws(StoreError) -> [AuditEntry] {
        try await opened().audit(filter, before: before, limit: limit)
    }
    func auditLines(after line: Int64, limit: Int) async throws(StoreError) -> [AuditEntry] {
        try await opened().audit(after: line, limit: limit)
    }
    func lastAuditLine() async throws(StoreError) -> Int64 { try await opened().auditLines.last?.id ?? 0 }
    func addPageSubmission(_ submission: PageSubmission, audit: AuditEntry?) async throws(StoreError) -> Int64 {
        try await opened().add(submission, audit)
    }
    func pageSubmission(_ id: Int64) async throws(StoreError) -> PageSubmission? {
        try await opened().pages.first { $0.id == id }
    }
    func pageSubmissions(
        app: AppID?, state: PageSubmission.State?, before: Int64?, limit: Int
    ) async throws(StoreError) -> [PageSubmission] {
        try await opened().pages(app, state, before: before, limit: limit)
    }
    func decidePageSubmission(
        _ submission: PageSubmission, from state: PageSubmission.State, app: AppRecord?, audit: AuditEntry?
    ) async throws(StoreError) { try await opened().decide(submission, state, app, audit) }

    func addPolicy(_ policy: PolicyRecord, audit: AuditEntry?) async throws(StoreError) -> Bool {
        try await opened().add(policy, audit)
    }
    func policies(before: Int64?, limit: Int) async throws(StoreError) -> [PolicyRecord] {
        let found = try await opened().policies.reversed().filter { policy in before.map { policy.id < $0 } ?? true }
        return Array(found.prefix(max(limit, 0)))
    }

    func auditEntry(actor: String, requestKey: String) async throws(StoreError) -> AuditEntry? {
        try await opened().auditLines.first { $0.actor == actor && $0.request?.key == requestKey }
    }

    func createAdmin(_ record: AdminRecord, audit: AuditEntry?) async throws(StoreError) {
        try await opened().create(record, audit: audit)
    }
    func updateAdmin(_ record: AdminRecord, audit: AuditEntry?) async throws(StoreError) -> Bool {
        try await opened().update(record, audit: audit)
    }
    func admins() async throws(StoreError) -> [AdminRecord] {
        try await opened().adminRecords.sorted { $0.name < $1.name }
    }
    func admin(named name: String) async throws(StoreError) -> AdminRecord? {
        try await opened().adminRecords.first { $0.name == name }
    }
    func admin(_ credential: CredentialHash) async throws(StoreError) -> AdminRecord? {
        try await opened().adminRecords.first { $0.credential == credential }
    }
    func team(of app: AppID) async throws(StoreError) -> [TeamMember] { try await opened().team(of: app) }
    func changeTeam(_ change: TeamChange, audit: AuditEntry) async throws(StoreError) -> TeamOutcome {
        try await opened().change(change, audit)
    }
    func noteAdminUse(_ name: String, day: Int32) async throws(StoreError) {
        try await opened().noteAdminUse(name, day: day)
    }
}

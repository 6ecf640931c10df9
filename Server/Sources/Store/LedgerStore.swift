package import BenjiProtocol

/// Spending a token: who asks, for what, and what else must hold in the same instant.
package struct Redemption: Hashable, Sendable {
    package var token: CredentialHash
    package var appID: AppID
    /// The revision of the app's record that this request was judged by, or `nil` for whichever there is. If the app
    /// has another by now, nothing happens (``RedemptionOutcome/appChanged``): a suspension or a new key counts for
    /// every redemption after it, in all processes.
    package var appRevision: Int64?
    /// The app that the token was issued to, with the revision of its record that this request was judged by. `nil` for
    /// the app's own tokens.
    package var issuer: Issuer?
    /// The token's purpose must be one of these.
    package var purposes: Set<TokenPurpose>
    /// The login that the token must have been earned in, or `nil` for any: some dialects name it beside the token.
    package var trace: TraceID?
    /// The request's own name, kept with the token that it spends: the same request again is a replay (decision 19).
    /// `nil` in dialects whose requests have none.
    package var messageID: String?
    package var now: Timestamp
    /// Answers that the app may have, and the day that counts (`20261121`, UTC+8).
    package var quota: AnswerQuota
    package var day: Int32
    package var leastAssurance: Assurance
    /// Which interface spends the token, for the ledger: "loginTokenValidate".
    package var interface: String

    package struct Issuer: Hashable, Sendable {
        package var appID: AppID
        package var revision: Int64

        package init(appID: AppID, revision: Int64) {
            self.appID = appID
            self.revision = revision
        }
    }

    /// The app whose tokens this may spend.
    package var tokenApp: AppID { issuer?.appID ?? appID }

    package init(
        token: CredentialHash, appID: AppID, appRevision: Int64? = nil, issuer: Issuer? = nil,
        purposes: Set<TokenPurpose>,
        trace: TraceID? = nil, messageID: String?, now: Timestamp, quota: AnswerQuota, day: Int32,
        leastAssurance: Assurance, interface: String
    ) {
        self.token = token
        self.appID = appID
        self.appRevision = appRevision
        self.issuer = issuer
        self.purposes = purposes
        self.trace = trace
        self.messageID = messageID
        self.now = now
        self.quota = quota
        self.day = day
        self.leastAssurance = leastAssurance
        self.interface = interface
    }
}

/// Checked in this order; only ``spent(_:_:entry:)`` changes anything.
package enum RedemptionOutcome: Hashable, Sendable {
    /// The token was spent by this very call, and the subscription is still the one it was issued for. `entry` is the
    /// ledger's row.
    case spent(TokenRecord, SubscriptionRecord, entry: Int64)
    /// A record is another than ``Redemption/appRevision`` or ``Redemption/issuer`` says: read the app again and ask
    /// again.
    case appChanged
    case unknown
    /// The token is another app's than ``Redemption/tokenApp``. It stays unspent.
    case wrongApp(TokenRecord)
    /// The token cannot be used here. It stays unspent.
    case wrongPurpose(TokenRecord)
    /// The token was earned in another login than the request names. It stays unspent.
    case wrongLogin(TokenRecord)
    /// A request of this name spent the token.
    case messageReplayed
    case alreadySpent(TokenRecord)
    case expired(TokenRecord)
    /// Weaker than the app accepts now.
    case tooWeak(TokenRecord)
    /// SIM generation or epoch differ from the register's, or the gateway revoked the binding.
    case subscriptionChanged(TokenRecord)
    case quotaExceeded(TokenRecord)
}

/// One line of the append-only ledger: a redemption and its bill.
package struct LedgerEntry: Hashable, Sendable {
    package var id: Int64
    package var appID: AppID
    package var trace: TraceID
    package var interface: String
    /// The answer, by its name in ``BilledResult``. Each is billed once.
    package var result: String
    /// The assurance of the redeemed credential; `nil` for a call without a phone, and in lines older than this member.
    package var assurance: Assurance?
    package var at: Timestamp

    package init(
        id: Int64, appID: AppID, trace: TraceID, interface: String, result: String, assurance: Assurance? = nil,
        at: Timestamp
    ) {
        self.id = id
        self.appID = appID
        self.trace = trace
        self.interface = interface
        self.result = result
        self.assurance = assurance
        self.at = at
    }
}

/// From when to when lines of a ledger are asked for: from a moment on, and before another.
package struct LedgerRange: Hashable, Sendable, Codable {
    package var since: Timestamp?
    package var until: Timestamp?

    package init(since: Timestamp? = nil, until: Timestamp? = nil) {
        self.since = since
        self.until = until
    }
}

/// How many lines of an app's ledger are of one day, interface and result.
package struct LedgerCount: Hashable, Sendable {
    /// As in 20261118, UTC+8.
    package var day: Int32
    package var interface: String
    package var result: String
    package var answers: Int

    package init(day: Int32, interface: String, result: String, answers: Int) {
        self.day = day
        self.interface = interface
        self.result = result
        self.answers = answers
    }
}

/// The counts of an app's ledger and its quotas for some days, as of one moment.
package struct LedgerCounts: Hashable, Sendable {
    /// By day, interface and result in this order.
    package var lines: [LedgerCount]
    /// The counts that quotas use. Days without answers are left out.
    package var billed: [Int32: Int]

    package init(lines: [LedgerCount], billed: [Int32: Int]) {
        self.lines = lines
        self.billed = billed
    }
}

/// Spends tokens and keeps the bills.
package protocol LedgerStore: Sendable {
    /// Spends a token: one conditional write that is durable before this returns (decision 4). However many calls and
    /// processes redeem one token, at most one gets ``RedemptionOutcome/spent(_:_:entry:)``.
    ///
    /// `result` names the answer for the ledger, given the subscription that was found; it may run more than once and
    /// must not have effects. If it throws, nothing was spent.
    ///
    /// - Parameter event: makes the event for the app's callback from the ledger's name of the answer; `nil` for none.
    ///   The ledger line's commit puts it into the outbox (``OutboxStore``). As `result`, it may run more than once.
    func redeem(
        _ redemption: Redemption,
        result: @escaping @Sendable (TokenRecord, SubscriptionRecord) throws(StoreError) -> String,
        event: (@Sendable (TokenRecord, SubscriptionRecord, String) -> OutboxEvent?)?
    ) async throws(StoreError) -> RedemptionOutcome
    /// Entries of an app, newest first, at most `limit`.
    /// - Parameter before: only entries with a smaller number; `nil` from the newest on.
    func ledgerEntries(
        app: AppID, _ range: LedgerRange, before: Int64?, limit: Int
    ) async throws(StoreError) -> [LedgerEntry]
    /// An app's entries counted, beside the count that its quota goes by: exact at any moment, however many are in sums
    /// (``sumLedger(limit:)``). Reads the sums of the days, and the app's entries that are in none yet. Days before
    /// ``ledgerBegin()`` have none.
    func ledgerCounts(app: AppID, days: ClosedRange<Int32>) async throws(StoreError) -> LedgerCounts
    /// Adds the next entries of all apps, at most `limit`, to the sums that ``ledgerCounts(app:days:)`` reads. Each
    /// entry is added once, however many callers do this at the same time. Redemptions do not wait for it. An entry is
    /// left for later while one with a smaller number may still be committed.
    ///
    /// - Returns: how many this call has added.
    func sumLedger(limit: Int) async throws(StoreError) -> Int
    /// The first day (20261101) of which lines are kept; 0 while all are.
    func ledgerBegin() async throws(StoreError) -> Int32
    /// Answers billed to an app on a day.
    func billed(app: AppID, day: Int32) async throws(StoreError) -> Int
    /// Answers billed to an app in a day's month.
    func billed(app: AppID, inMonthOf day: Int32) async throws(StoreError) -> Int
}

extension LedgerStore {
    /// Spends a token of which no callback is told.
    package func redeem(
        _ redemption: Redemption,
        result: @escaping @Sendable (TokenRecord, SubscriptionRecord) throws(StoreError) -> String
    ) async throws(StoreError) -> RedemptionOutcome {
        try await redeem(redemption, result: result, event: nil)
    }

    /// The newest entries of an app.
    package func ledgerEntries(app: AppID, limit: Int) async throws(StoreError) -> [LedgerEntry] {
        try await ledgerEntries(app: app, LedgerRange(), before: nil, limit: limit)
    }
}

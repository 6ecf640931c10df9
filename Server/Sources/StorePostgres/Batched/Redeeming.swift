import BenjiProtocol
import Store
import StoreRows

/// A redemption with what names its answer.
struct RedemptionRequest: Sendable {
    var redemption: Redemption
    var result: @Sendable (TokenRecord, SubscriptionRecord) throws(StoreError) -> String
    /// The event for the app's callback.
    var event: (@Sendable (TokenRecord, SubscriptionRecord, String) -> OutboxEvent?)?
}

/// Redemptions in one transaction: tokens and counts are locked, then looked at, then all is decided here, then
/// written.
///
/// No other transaction can spend a locked token (decision 4). The other rows that a redemption compares are read in
/// the same transaction, so the redemption counts as earlier than any later change to them.
enum Redeeming {
    static func locks(_ requests: [RedemptionRequest]) -> [StoreLock] {
        requests.filter { $0.redemption.quota == AnswerQuota() }.map { StoreLock.bill($0.redemption.appID).shared }
    }

    static func perform(
        _ requests: [RedemptionRequest], _ days: BilledDays, _ db: Session
    ) throws -> [Result<RedemptionOutcome, StoreError>] {
        var book = try RedemptionBatch(requests.map(\.redemption), db)
        let results = requests.map { request in
            Result { () throws(StoreError) in try book.decide(request, days) }
        }
        try book.write(db)
        return results
    }

    /// The rows that redemptions have found, and the rows to write.
    private struct RedemptionBatch {
        private struct Found {
            var token: TokenRecord
            var isSpent: Bool
            /// The name of the request that spent it, if that had one.
            var message: String?
            var isRevoked: Bool
            var subscription: SubscriptionRecord?
        }

        private struct Spent {
            var request: Redemption
            var token: TokenRecord
            var result: String
            var entry: Int64
            var event: OutboxEvent?
        }

        private var tokens: [CredentialHash: Found] = [:]
        private var revisions: [AppID: Int64] = [:]
        private var bills: BillingCounts
        private var entries: [Int64] = []
        private var spent: [Spent] = []

        init(_ redemptions: [Redemption], _ db: Session) throws {
            let hashes = Values(Set(redemptions.map(\.token.bytes)))
            bills = BillingCounts(
                redemptions.flatMap { redemption in
                    let day = BillingCounts.Day(app: redemption.appID, day: redemption.day)
                    return [day] + day.asked(by: redemption.quota)
                })
            var found: [Found] = []
            var revisions: [AppID: Int64] = [:]
            var bills = bills
            var entries: [Int64] = []
            let statements = [
                Statement(
                    "SELECT count(*) FROM (SELECT 1 FROM token WHERE hash = ANY($1) ORDER BY hash FOR UPDATE) AS t",
                    hashes),
                bills.locking, Self.looking(hashes),
                AppRows.revisions(of: redemptions.flatMap { [$0.appID, $0.tokenApp] }),
                // Numbers of the ledger's lines, so that the answers know theirs before anything is written.
                Statement(
                    "SELECT nextval('ledger_id_seq') FROM generate_series(1, $1)", redemptions.count),
            ]
            try db.run(statements) { place, answer in
                switch place {
                case 1: try bills.read(answer)
                case 2: found = try answer.rows(of: "token", read: Self.decode)
                case 3: revisions = try AppRows.revisions(answer)
                case 4: entries = try answer.rows(of: "ledger") { try $0.integer() }
                default: break
                }
            }
            self.revisions = revisions
            self.bills = bills
            self.entries = entries.reversed()
            for one in found { tokens[one.token.hash] = one }
        }

        /// Reads the tokens that were locked in their order, and later ones unless they are locked. Waiting for a later
        /// one could cause a deadlock. It was issued after its redemption was requested, so it is unknown.
        private static func looking(_ hashes: Values<[UInt8]>) -> Statement {
            Statement(
                """
                SELECT \(TokenRows.columns("t")), t.spent_at IS NOT NULL, t.message, t.revoked, \
                \(SubscriptionRows.columns("s"))
                FROM token AS t LEFT JOIN subscription AS s ON s.id = t.subscription WHERE t.hash = ANY($1)
                FOR UPDATE OF t SKIP LOCKED
                """, hashes)
        }

        private static func decode(_ columns: inout ColumnReader) throws -> Found {
            Found(
                token: try TokenRows.decode(&columns), isSpent: try columns.bool(),
                message: try columns.optionalText(), isRevoked: try columns.bool(),
                subscription: try SubscriptionRows.decodeIfThere(&columns))
        }

        // MARK: deciding

        /// In the order that ``RedemptionOutcome`` documents.
        mutating func decide(_ request: RedemptionRequest, _ days: BilledDays) throws(StoreError) -> RedemptionOutcome {
            let redemption = request.redemption
            if let revision = redemption.appRevision, revisions[redemption.appID] != revision { return .appChanged }
            if let issuer = redemption.issuer, revisions[issuer.appID] != issuer.revision { return .appChanged }
            guard let found = tokens[redemption.token] else { return .unknown }
            let token = found.token
            if let refusal = refusal(redemption, found) { return refusal }
            guard let subscription = found.subscription, subscription.reference == token.subscription else {
                return .subscriptionChanged(token)
            }
            let day = BillingCounts.Day(app: redemption.appID, day: redemption.day)
            guard bills.hasRows(day, quota: redemption.quota) else {
                days.forget(day, for: redemption.quota)
                throw StoreError(.unavailable, "redeem: the day's count is gone; the next attempt makes it anew")
            }
            guard bills.hasRoom(day, quota: redemption.quota) else { return .quotaExceeded(token) }
            let result = try request.result(token, subscription)
            guard let entry = entries.popLast() else {
                throw StoreError(.corrupt, "redeem: there are too few numbers for the ledger's lines")
            }
            tokens[token.hash]?.isSpent = true
            tokens[token.hash]?.message = redemption.messageID
            bills.count(day)
            let event = request.event?(token, subscription, result)
            spent.append(
                Spent(request: redemption, token: token, result: result, entry: entry, event: event))
            return .spent(token, subscription, entry: entry)
        }

        private func refusal(_ redemption: Redemption, _ found: Found) -> RedemptionOutcome? {
            let token = found.token
            if token.appID != redemption.tokenApp { return .wrongApp(token) }
            if !redemption.purposes.contains(token.purpose) { return .wrongPurpose(token) }
            if let trace = redemption.trace, token.trace != trace { return .wrongLogin(token) }
            if found.isSpent, let name = found.message, name == redemption.messageID { return .messageReplayed }
            if found.isSpent { return .alreadySpent(token) }
            if redemption.now >= token.expiresAt { return .expired(token) }
            if token.assurance < redemption.leastAssurance { return .tooWeak(token) }
            return found.isRevoked ? .subscriptionChanged(token) : nil
        }

        // MARK: writing

        func write(_ db: Session) throws {
            if spent.isEmpty { return try db.commit() }
            try db.commit(
                after: [
                    Statement(
                        """
                        UPDATE token SET spent_at = n.spent_at, message = n.message
                        FROM unnest($1, $2, $3) AS n (hash, spent_at, message) WHERE token.hash = n.hash
                        """, Values(spent.map(\.token.hash.bytes)), Values(spent.map(\.request.now.milliseconds)),
                        Values(spent.map(\.request.messageID))),
                    LedgerRows.inserting(
                        spent.map { one in
                            LedgerRows.New(
                                id: one.entry, app: one.request.appID, trace: one.token.trace,
                                interface: one.request.interface, result: one.result, assurance: one.token.assurance,
                                at: one.request.now, day: one.request.day)
                        }),
                ] + bills.writing + OutboxRows.inserting(spent.compactMap(\.event))
                    + FamiliarKeys.noting(
                        spent.filter { $0.token.purpose == .login }.map { ($0.token, $0.request.now) }))
        }
    }
}

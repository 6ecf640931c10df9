import BenjiProtocol
import GRDB
import Sightings
import Store
import StoreRows

/// The steps of one redemption. Each decides by its own statement, never by what an earlier one read (decision 4).
enum Redeeming {
    private static let holds = SubscriptionRows.holds("token")

    // Lists of fixed length keep the statement the same, and so prepared once; NULL equals nothing. For a RETURNING,
    // and for an IN of more than two, SQLite makes a table each time: half of what the statement took.
    private static let spending = spendingStatement(tokenApp: "?2", also: "")
    /// The same for tokens of another app: only requests that name one have the two parameters more.
    private static let spendingOfAnother = spendingStatement(
        tokenApp: "?18", also: "AND EXISTS (SELECT 1 FROM app WHERE id = ?18 AND revision = ?19)")

    private static func spendingStatement(tokenApp: String, also: String) -> String {
        """
        UPDATE token SET spent_at = ?3, message = ?13, room = \(TokenRows.room(beside: "?13"))
        WHERE hash = ?1 AND app = \(tokenApp) AND spent_at IS NULL AND revoked = 0 AND expires_at > ?3
            AND purpose IN (?6, ?7)
            AND (assurance = ?8 OR assurance = ?9 OR assurance = ?10 OR assurance = ?11 OR assurance = ?15
                OR assurance = ?16)
            AND (?12 IS NULL OR trace = ?12) AND \(holds)
            AND (?14 IS NULL OR EXISTS (SELECT 1 FROM app WHERE id = ?2 AND revision = ?14))
            AND \(Billing.hasRoom(app: "?2", day: "?4", daily: "?5", monthly: "?17")) \(also)
        """
    }

    private static let finding = """
        SELECT \(TokenRows.columns("token")), \(SubscriptionRows.columns("s"))
        FROM token JOIN subscription AS s ON s.id = token.subscription WHERE token.hash = ?
        """

    /// Spends the token if everything holds in this instant; `nil` if not, and then nothing was changed.
    static func spend(_ redemption: Redemption, _ db: Database) throws -> (TokenRecord, SubscriptionRecord)? {
        guard try isSpent(by: redemption, db) else { return nil }
        let found = try db.row(finding, of: "token", redemption.token.bytes) { columns in
            (try TokenRows.decode(&columns), try SubscriptionRows.decode(&columns))
        }
        guard let found else {
            throw StoreError(.corrupt, "redeem: a subscription that was just compared is missing")
        }
        return found
    }

    private static func isSpent(by redemption: Redemption, _ db: Database) throws -> Bool {
        func purpose(_ purpose: TokenPurpose) -> String? {
            redemption.purposes.contains(purpose) ? purpose.rawValue : nil
        }
        func assurance(_ assurance: Assurance) -> String? {
            assurance >= redemption.leastAssurance ? assurance.rawValue : nil
        }
        guard let issuer = redemption.issuer else {
            return try db.run(
                spending, redemption.token.bytes, redemption.appID.rawValue, redemption.now.milliseconds,
                redemption.day, redemption.quota.daily, purpose(.login), purpose(.verification),
                assurance(.net), assurance(.netApp), assurance(.netAppAddress), assurance(.sim),
                redemption.trace?.rawValue, redemption.messageID, redemption.appRevision,
                assurance(.sms), assurance(.smsUpstream), redemption.quota.monthly) == 1
        }
        return try db.run(
            spendingOfAnother, redemption.token.bytes, redemption.appID.rawValue, redemption.now.milliseconds,
            redemption.day, redemption.quota.daily, purpose(.login), purpose(.verification),
            assurance(.net), assurance(.netApp), assurance(.netAppAddress), assurance(.sim),
            redemption.trace?.rawValue, redemption.messageID, redemption.appRevision,
            assurance(.sms), assurance(.smsUpstream), redemption.quota.monthly, issuer.appID.rawValue,
            issuer.revision) == 1
    }

    /// Why ``spend(_:_:)`` did not: the first reason in the order that ``RedemptionOutcome`` documents.
    static func refusal(_ redemption: Redemption, _ db: Database) throws -> RedemptionOutcome {
        guard try AppRows.isApp(redemption.appID, at: redemption.appRevision, db),
            try AppRows.isApp(redemption.tokenApp, at: redemption.issuer?.revision, db)
        else { return .appChanged }
        guard let found = try TokenRows.find(redemption.token, db) else { return .unknown }
        let token = found.token
        if token.appID != redemption.tokenApp { return .wrongApp(token) }
        if !redemption.purposes.contains(token.purpose) { return .wrongPurpose(token) }
        if let trace = redemption.trace, token.trace != trace { return .wrongLogin(token) }
        if let name = found.message, name == redemption.messageID { return .messageReplayed }
        if found.spent { return .alreadySpent(token) }
        if redemption.now >= token.expiresAt { return .expired(token) }
        if token.assurance < redemption.leastAssurance { return .tooWeak(token) }
        let subscription = try SubscriptionRows.find(token.subscription.subscription, db)
        if found.revoked || subscription?.reference != token.subscription { return .subscriptionChanged(token) }
        guard redemption.quota != AnswerQuota() else { throw StoreError(.corrupt, "redeem: refused without a reason") }
        return .quotaExceeded(token)
    }
}

package import BenjiProtocol

/// A kind of data that is kept about the holder of a row of the register.
package enum SubscriberPart: String, Hashable, Sendable, CaseIterable {
    case scrips, tokens
    /// Pages, codes and access tokens of OpenID Connect and CAMARA.
    case openIDCredentials = "openid-credentials"
    /// Codes that were sent to their number, used or not.
    case smsCodes = "sms-codes"
    /// Texts that were sent from their number, used or not.
    case smsUpstream = "sms-upstream"
    /// Device keys by which they have logged in.
    case familiarKeys = "familiar-keys"
    /// Counts of wrong answers to "is it this number?".
    case wrongGuesses = "wrong-guesses"
    /// Counts of tokens by app and day.
    case tokenCounts = "token-counts"
    /// Logins of which there is a trace.
    case traces
    /// Events of their logins for apps' callbacks.
    case callbackEvents = "callback-events"
    case consents
    case faceAccounts = "face-accounts"
    /// Apps that may know a face account.
    case faceAuthorizations = "face-authorizations"
    case faceCredentials = "face-credentials"
}

/// The data kept about the person who has a number now, without that of earlier holders.
package struct SubscriberRecords: Hashable, Sendable {
    /// Something that was given out; never more than that there is such a thing.
    package struct Credential: Hashable, Sendable {
        /// Its table and kind: "scrip", "token login", "openid access", "sms code login", "sms upstream", "face
        /// refresh".
        package var kind: String
        package var appID: AppID
        /// `nil` where that is not kept.
        package var issuedAt: Timestamp?
        package var expiresAt: Timestamp

        package init(kind: String, appID: AppID, issuedAt: Timestamp?, expiresAt: Timestamp) {
            self.kind = kind
            self.appID = appID
            self.issuedAt = issuedAt
            self.expiresAt = expiresAt
        }
    }

    /// A device key by which an app's server has redeemed a login of theirs.
    package struct FamiliarKey: Hashable, Sendable {
        package var appID: AppID
        /// Thumbprint of the key.
        package var deviceKey: String
        package var seenAt: Timestamp

        package init(appID: AppID, deviceKey: String, seenAt: Timestamp) {
            self.appID = appID
            self.deviceKey = deviceKey
            self.seenAt = seenAt
        }
    }

    package var credentials: [Credential] = []
    package var familiarKeys: [FamiliarKey] = []
    package var traces: [TraceSummary] = []
    package var consents: [ConsentEvidence] = []
    /// Lines of the ledger whose login is known to be theirs by a trace or a consent.
    package var ledger: [LedgerEntry] = []
    /// Events of their logins for apps' callbacks.
    package var callbackEvents: [OutboxEntry] = []
    package var faceAccount: FaceAccountRecord?
    package var faceBindings: [FaceBindingRecord] = []

    package init() {}
}

/// The order to erase the holder of a row of the register.
package struct SubscriberErasure: Sendable {
    /// How long the store remembers an erasure: longer than any gateway believes a session without news of it.
    package static let memory: Duration = .seconds(30 * 86400)

    /// The row as it was read. It must still be of this epoch.
    package var subscription: SubscriptionRecord
    /// The apps' ids of the person. No kept value may hold one of them.
    package var openIDs: [String]
    /// 32 bytes by which the same order, given again, finds this erasure until it is finished. Each number has other
    /// bytes. Without the installation's secrets they cannot be attributed.
    package var mark: [UInt8]
    package var at: Timestamp
    /// The line of the audit log, given how much there was of each kind.
    package var audit: @Sendable ([SubscriberPart: Int]) -> AuditEntry

    package init(
        of subscription: SubscriptionRecord, openIDs: [String], mark: [UInt8], at: Timestamp,
        audit: @escaping @Sendable ([SubscriberPart: Int]) -> AuditEntry
    ) {
        self.subscription = subscription
        self.openIDs = openIDs
        self.mark = mark
        self.at = at
        self.audit = audit
    }
}

/// The result of an erasure.
package struct SubscriberErased: Hashable, Sendable {
    /// How much there was of each kind.
    package var counts: [SubscriberPart: Int]
    /// Whether none of it is in the store's files any more. If not, ``SubscriberStore/finishErasures(at:patience:)``
    /// continues.
    package var isForgotten: Bool

    package init(counts: [SubscriberPart: Int], isForgotten: Bool) {
        self.counts = counts
        self.isForgotten = isForgotten
    }
}

/// A person's order to take back what they have agreed to in one app.
package struct ConsentWithdrawal: Sendable {
    /// The row as it was read. It must still be of this epoch.
    package var subscription: SubscriptionRecord
    package var appID: AppID
    package var at: Timestamp
    /// The event for the app's callback, if any.
    package var event: OutboxEvent?
    /// The line of the audit log, given how much there was of each kind.
    package var audit: @Sendable ([SubscriberPart: Int]) -> AuditEntry

    package init(
        of subscription: SubscriptionRecord, to appID: AppID, at: Timestamp, event: OutboxEvent?,
        audit: @escaping @Sendable ([SubscriberPart: Int]) -> AuditEntry
    ) {
        self.subscription = subscription
        self.appID = appID
        self.at = at
        self.event = event
        self.audit = audit
    }
}

/// Reads and erases everything that is kept about one subscriber.
///
/// Erasing is one commit: the row of the register goes, with every credential, trace, count and face account. Consents
/// stay as evidence of the shown pages and name no person any more; the ledger never named any. If ``cleansFiles``, the
/// store then removes the deleted bytes from its files. Earlier copies of the files are beyond the store.
package protocol SubscriberStore: Sendable {
    /// Whether an erasure removes the deleted bytes from the database's files. `false` for a database server, whose
    /// files the store cannot read.
    var cleansFiles: Bool { get }
    /// The amount of each kind that is kept of a row of the register, and that erasing would remove or make anonymous.
    func subscriberCounts(_ subscription: Int64) async throws(StoreError) -> [SubscriberPart: Int]
    /// Everything of the person who is that row's holder in that epoch. Reads the whole ledger.
    func subscriberRecords(_ subscription: Int64, epoch: Int32) async throws(StoreError) -> SubscriberRecords
    /// Ends an app's credentials and data for the holder of a row. These are scrips, tokens, codes, access tokens,
    /// known device keys, and the permission to know their face. Data of earlier holders stays. Consents stay as
    /// evidence of pages shown and agreed to before. One commit, with the app's event and the line of the audit log.
    /// The store does not remember the withdrawal: the app is answered again where it needs no page.
    ///
    /// - Returns: how much there was of each kind, of consents too. Empty if there was nothing: then nothing is
    ///   written.
    /// - Throws: ``StoreError/Code/outdated`` if the row is gone or of another epoch; then nothing was changed.
    func withdrawConsents(_ withdrawal: ConsentWithdrawal) async throws(StoreError) -> [SubscriberPart: Int]
    /// See ``SubscriberStore``. When this returns the erasure is durable, whether or not it is finished in the files.
    ///
    /// - Throws: ``StoreError/Code/outdated`` if the row is gone or of another epoch; then nothing was changed.
    func eraseSubscriber(_ erasure: SubscriberErasure) async throws(StoreError) -> SubscriberErased
    /// Continues erasures that a crash or a reader interrupted, and removes rows that pending requests wrote afterwards
    /// about an erased person. Forgets erasures that were finished long ago. Call it every minute or so.
    ///
    /// - Parameter patience: how old an unfinished erasure must be, so that a running one is left alone.
    /// - Returns: how many are still to be finished.
    @discardableResult
    func finishErasures(at now: Timestamp, patience: Duration) async throws(StoreError) -> Int
    /// How many erasures are not finished in the files, because a crash or a reader was in the way.
    func unfinishedErasures() async throws(StoreError) -> Int
    /// The row of the register whose erasure has this mark and is unfinished in the files, because a crash or a reader
    /// interrupted it. `nil` if there is none.
    func unfinishedErasure(_ mark: [UInt8]) async throws(StoreError) -> Int64?
    /// Rows of the register that were erased at `moment` or later, in this order, for gateways that still have their
    /// sessions.
    func erasedSubscriptions(since moment: Timestamp) async throws(StoreError) -> [Int64]
}

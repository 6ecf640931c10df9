package import BenjiProtocol

/// Deletes expired rows of all kinds. Each call takes a slice, so that others get their turn in between.
package protocol ExpiryStore: Sendable {
    /// Deletes scrips, tokens and OpenID's credentials that expired before `moment`, and bindings that were revoked
    /// before it. Deletes at most `limit` of each and returns how many it deleted. The consent to a token or code that
    /// was never spent is deleted too. It bought nothing, and any holder of a phone's address can cause it. Once its
    /// credential is spent, a consent is never deleted by this. Nor is one that was received more than 31 days before
    /// `moment`.
    ///
    /// Callers keep tokens at least as long as a spent token must be distinguished from an unknown one and as they
    /// count against the limits. They keep bindings for longer than any request takes.
    func deleteExpiredCredentials(before moment: Timestamp, limit: Int) async throws(StoreError) -> Int
    /// Deletes OpenID's pages and unspent codes that expired in a range of time, at most `limit`. Deletes the consents
    /// to these codes too. Returns how many it deleted.
    ///
    /// The range keeps the search short. ``deleteExpiredCredentials(before:limit:)`` deletes the rows that this misses.
    func deleteExpiredPages(_ expiry: Range<Timestamp>, limit: Int) async throws(StoreError) -> Int
    /// Deletes scrips alone that expired before `moment`, at most `limit`; returns how many went.
    func deleteExpiredScrips(before moment: Timestamp, limit: Int) async throws(StoreError) -> Int
    /// Forgets keys of which no login token was redeemed since `moment`, at most `limit`; returns how many.
    func forgetFamiliarKeys(since moment: Timestamp, limit: Int) async throws(StoreError) -> Int
    /// Forgets counts whose first wrong guess came before `moment`, at most `limit`; returns how many.
    func deleteGuesses(before moment: Timestamp, limit: Int) async throws(StoreError) -> Int
    /// Forgets how many tokens each number had on days before `day`, at most `limit` counts; returns how many.
    func deleteNumberCounts(before day: Int32, limit: Int) async throws(StoreError) -> Int
    /// Deletes SMS codes that were issued before `moment`, and budgets that ended before it, at most `limit` of each;
    /// returns how many went. Callers leave codes for as long as they count against their number.
    func deleteSMSCodes(before moment: Timestamp, limit: Int) async throws(StoreError) -> Int
    /// Deletes texts of phones (``SMSUpstreamStore``) that were issued before `moment`, at most `limit`; returns how
    /// many.
    func deleteSMSUpstream(before moment: Timestamp, limit: Int) async throws(StoreError) -> Int
    /// Forgets names (``NameStore``) whose time is over, at most `limit`; returns how many.
    func deleteExpiredMessages(before moment: Timestamp, limit: Int) async throws(StoreError) -> Int
    /// Erases face accounts whose number has a new owner, and those whose last binding was cancelled before `moment`
    /// without a later one. Frozen ones stay. Erases at most `limit` and returns how many. Finishes earlier erasures
    /// that a reader was in the way of: call it every minute or so.
    func eraseOutdatedFaceAccounts(unboundBefore moment: Timestamp, limit: Int) async throws(StoreError) -> Int
    /// Deletes lines of traces that were written before `moment`, at most `limit`; returns how many went.
    func deleteTraceEvents(before moment: Timestamp, limit: Int) async throws(StoreError) -> Int
    /// Deletes counts of steps of logins (``LoginCountStore``) of hours before `hour`, at most `limit`; returns how
    /// many went.
    func deleteLoginCounts(before hour: Int64, limit: Int) async throws(StoreError) -> Int
    /// Deletes consents that were received before `moment`, among the `limit` oldest; returns how many went.
    func deleteConsents(before moment: Timestamp, limit: Int) async throws(StoreError) -> Int
    /// Makes the ledger, and the counts of quotas, begin with a day (``LedgerStore/ledgerBegin()``) unless they begin
    /// later. Deletes lines of earlier days among the `limit` oldest, and returns how many. Nothing else ever shortens
    /// the ledger.
    func shortenLedger(to day: Int32, limit: Int) async throws(StoreError) -> Int
}

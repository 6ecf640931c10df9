package import BenjiProtocol

/// Keeps face accounts, the apps that may know them, and the credentials given out for them.
///
/// Erasing means more here than elsewhere. When such a call has returned, the bytes of the account's sealed key are not
/// in the store's files any more. So values under that key stay sealed even to a holder of the master key. While a
/// reader still has the earlier state, this may take until the first
/// ``ExpiryStore/eraseOutdatedFaceAccounts(unboundBefore:limit:)`` after it ended. Earlier copies of the files are
/// beyond the store.
package protocol FaceStore: Sendable {
    /// The account of a subscription's epoch.
    func faceAccount(subscription: Int64, epoch: Int32) async throws(StoreError) -> FaceAccountRecord?
    func faceBinding(account: Int64, app: AppID) async throws(StoreError) -> FaceBindingRecord?
    func faceBinding(uid: String, app: AppID) async throws(StoreError) -> FaceBindingRecord?

    /// One durable, atomic step; see ``FaceLoginWrite``.
    func finishFaceLogin(_ login: FaceLoginWrite) async throws(StoreError) -> FaceLoginOutcome
    func faceCredential(_ hash: CredentialHash) async throws(StoreError) -> FaceCredentialLookup
    /// Whether an install with this device key remembers an account for the app, by a credential that has not ended or
    /// expired.
    func remembersFaceDevice(_ deviceKey: String, app: AppID, now: Timestamp) async throws(StoreError) -> Bool
    /// One conditional write that is durable before this returns: of any number of calls for one credential one at most
    /// gets ``FaceExchangeOutcome/spent(_:)``.
    func exchangeFaceCredential(_ exchange: FaceExchange) async throws(StoreError) -> FaceExchangeOutcome
    /// Ends everything of a family.
    func revokeFaceCredentials(family: Int64) async throws(StoreError)

    // The caller decided on a change by a record that it had read. Each of these compares that record's revision with
    // the present one, and changes nothing if they differ.

    func changeFaceUID(
        account: Int64, app: AppID, revision: Int64, to uid: String, at: Timestamp
    ) async throws(StoreError) -> FaceUIDOutcome
    /// `false` if the binding is another, or gone.
    func changeFaceInfo(
        account: Int64, app: AppID, revision: Int64, to info: Sealed?
    ) async throws(StoreError) -> Bool
    /// Notes that the account's face was seen for the app. `false` if the binding is another or gone, or its account is
    /// frozen or of a past epoch or SIM.
    func noteFaceVerified(
        account: Int64, app: AppID, revision: Int64, at: Timestamp
    ) async throws(StoreError) -> Bool

    /// Ends the binding, every credential of it and its place in the app's groups. With its last binding the account is
    /// erased.
    ///
    /// - Parameter keepsAccount: whether it stays then, until
    ///   ``ExpiryStore/eraseOutdatedFaceAccounts(unboundBefore:limit:)`` takes it.
    func cancelFaceBinding(
        account: Int64, app: AppID, revision: Int64, at: Timestamp, keepsAccount: Bool
    ) async throws(StoreError) -> FaceCancelOutcome
    /// Freezes an account, or thaws it (`nil`). Freezing ends nothing: thawing brings everything back.
    ///
    /// - Parameters:
    ///   - revision: of the account that was read; `nil` for an order that holds whatever it is now.
    ///   - audit: who ordered it, written if it was done; `nil` where the account's holder did it.
    func setFaceAccount(
        _ account: Int64, revision: Int64?, frozen: FaceFreezing?, audit: AuditEntry?
    ) async throws(StoreError) -> FaceAccountOutcome
    /// Erases the account with everything of it, but for hashes of what it had given out: those are
    /// ``FaceEnding/Cause/erased`` for ``FaceEnding/memory``.
    ///
    /// - Parameters: as of ``setFaceAccount(_:revision:frozen:audit:)``.
    func eraseFaceAccount(
        _ account: Int64, revision: Int64?, at: Timestamp, audit: AuditEntry?
    ) async throws(StoreError) -> FaceAccountOutcome
    func faceCounts() async throws(StoreError) -> FaceCounts

    /// Makes a group. `false` if the app has `limit` already.
    func putFaceGroup(_ group: FaceGroupRecord, limit: Int) async throws(StoreError) -> Bool
    func faceGroup(_ id: String, app: AppID) async throws(StoreError) -> FaceGroupRecord?
    /// An app's groups, oldest first; those with the tag if there is one.
    func faceGroups(app: AppID, tag: String?) async throws(StoreError) -> [FaceGroupRecord]
    /// Changes the given members and returns the group; `nil` if the app has no such group.
    func changeFaceGroup(
        _ id: String, app: AppID, tag: String?, info: String?
    ) async throws(StoreError) -> FaceGroupRecord?
    /// The app's groups that an account is in, oldest first.
    func faceGroups(of account: Int64, app: AppID) async throws(StoreError) -> [FaceGroupRecord]
    /// `false` if the app has no such group.
    func removeFaceGroup(_ id: String, app: AppID) async throws(StoreError) -> Bool
    func addFaceGroupMember(
        openID: String, to group: String, app: AppID, limit: Int
    ) async throws(StoreError) -> FaceMembershipOutcome
    /// `false` if they were no member.
    func removeFaceGroupMember(openID: String, from group: String, app: AppID) async throws(StoreError) -> Bool
    /// Takes a person out of all groups of the app, and back their yes to being found there. `false` if the binding is
    /// another than the one read, or gone.
    func leaveFaceGroups(account: Int64, app: AppID, revision: Int64) async throws(StoreError) -> Bool
    /// The members of a group of this app; frozen accounts and those of past epochs and SIMs are left out.
    func faceGroupMembers(_ group: String, app: AppID) async throws(StoreError) -> [FaceGroupMember]
    /// Their openIds alone.
    func faceGroupOpenIDs(_ group: String, app: AppID) async throws(StoreError) -> [String]
    /// One of them by account; `nil` if the account is no member.
    func faceGroupMember(
        _ account: Int64, of group: String, app: AppID
    ) async throws(StoreError) -> FaceGroupMember?
}

public import BenjiProtocol

/// Keeps face accounts: who has one, which apps may know them, and what was given out for them.
///
/// Erasing means more here than elsewhere: when a call that erases has returned, the bytes of the account's sealed key
/// are not to be found in the store's files any more, so that what it had sealed cannot be opened even by whoever has
/// the master key. While somebody still reads the state of before, it may take until the first
/// ``eraseOutdatedFaceAccounts(limit:)`` after that has ended. Copies of the files that somebody made before are beyond
/// the store.
public protocol FaceStore: Sendable {
    /// The account of a subscription's epoch.
    func faceAccount(subscription: Int64, epoch: Int32) async throws(StoreError) -> FaceAccountRecord?
    func faceBinding(account: Int64, app: AppID) async throws(StoreError) -> FaceBindingRecord?
    func faceBinding(uid: String, app: AppID) async throws(StoreError) -> FaceBindingRecord?

    /// One durable, atomic step; see ``FaceLoginWrite``.
    func finishFaceLogin(_ login: FaceLoginWrite) async throws(StoreError) -> FaceLoginOutcome
    func faceCredential(_ hash: CredentialHash) async throws(StoreError) -> FaceCredentialLookup
    /// One conditional write that is durable before this returns: of any number of calls for one credential one at most
    /// gets ``FaceExchangeOutcome/spent(_:)``.
    func exchangeFaceCredential(_ exchange: FaceExchange) async throws(StoreError) -> FaceExchangeOutcome
    /// Ends everything of a family.
    func revokeFaceCredentials(family: Int64) async throws(StoreError)

    func changeFaceUID(account: Int64, app: AppID, to uid: String) async throws(StoreError) -> FaceUIDOutcome
    /// `false` if there is no such binding.
    func changeFaceInfo(account: Int64, app: AppID, to info: Sealed?) async throws(StoreError) -> Bool
    /// Notes that the account's face was seen for the app. `false` if there is no such binding, or its account is frozen or
    /// of a past epoch.
    func noteFaceVerified(account: Int64, app: AppID, at: Timestamp) async throws(StoreError) -> Bool

    /// Ends the binding, every credential of it and its place in the app's groups, and erases the account with its last one.
    func cancelFaceBinding(account: Int64, app: AppID) async throws(StoreError) -> FaceCancelOutcome
    /// `false` if there is no such account. Freezing ends nothing: thawing brings everything back.
    func setFaceAccount(_ account: Int64, frozen: Bool) async throws(StoreError) -> Bool
    /// Erases the account with everything of it. `false` if there is none.
    func eraseFaceAccount(_ account: Int64) async throws(StoreError) -> Bool
    /// Erases accounts whose number has a new owner, at most `limit`. Returns how many. Finishes erasures of before that a
    /// reader was in the way of: call it every minute or so.
    func eraseOutdatedFaceAccounts(limit: Int) async throws(StoreError) -> Int
    func faceCounts() async throws(StoreError) -> FaceCounts

    /// Makes a group. `false` if the app has `limit` already.
    func putFaceGroup(_ group: FaceGroupRecord, limit: Int) async throws(StoreError) -> Bool
    func faceGroup(_ id: String, app: AppID) async throws(StoreError) -> FaceGroupRecord?
    /// An app's groups, oldest first; those with the tag if there is one.
    func faceGroups(app: AppID, tag: String?) async throws(StoreError) -> [FaceGroupRecord]
    /// Changes what is given and returns what is there now; `nil` if the app has no such group.
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
    /// Takes a person out of all groups of the app, and back their yes to being found there. `false` if there is no such
    /// binding.
    func leaveFaceGroups(account: Int64, app: AppID) async throws(StoreError) -> Bool
    /// The members of a group of this app; frozen accounts and those of past epochs are left out.
    func faceGroupMembers(_ group: String, app: AppID) async throws(StoreError) -> [FaceGroupMember]
    /// Their openIds alone.
    func faceGroupOpenIDs(_ group: String, app: AppID) async throws(StoreError) -> [String]
    /// One of them by account; `nil` if it is none.
    func faceGroupMember(
        _ account: Int64, of group: String, app: AppID
    ) async throws(StoreError) -> FaceGroupMember?
}

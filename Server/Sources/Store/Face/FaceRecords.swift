public import BenjiProtocol

/// A face account: one subscription epoch and one face. It goes with the epoch.
public struct FaceAccountRecord: Hashable, Sendable {
    /// 0 for one that the store has not numbered yet.
    public var id: Int64
    public var subscription: Int64
    public var epoch: Int32
    /// The account's data key, under the master key. What opens the other two; erasing it erases them.
    public var sealedKey: Sealed
    public var sealedTemplate: Sealed
    /// Name and picture.
    public var sealedProfile: Sealed
    /// The version of the terms that the holder has agreed to.
    public var terms: String
    public var isFrozen: Bool
    public var createdAt: Timestamp

    public init(
        id: Int64 = 0, subscription: Int64, epoch: Int32, sealedKey: Sealed, sealedTemplate: Sealed,
        sealedProfile: Sealed, terms: String, isFrozen: Bool = false, createdAt: Timestamp
    ) {
        self.id = id
        self.subscription = subscription
        self.epoch = epoch
        self.sealedKey = sealedKey
        self.sealedTemplate = sealedTemplate
        self.sealedProfile = sealedProfile
        self.terms = terms
        self.isFrozen = isFrozen
        self.createdAt = createdAt
    }
}

/// That an account's holder lets an app know them, and as which of its users.
public struct FaceBindingRecord: Hashable, Sendable {
    /// 0 for an account that the store has not numbered yet.
    public var account: Int64
    public var appID: AppID
    /// One uid belongs to one account of the app.
    public var uid: String
    public var isRandomUID: Bool
    /// Who this is to the app, as in every other dialect.
    public var openID: String
    /// What the app has said of its user, under the account's data key.
    public var sealedInfo: Sealed?
    public var authorizedAt: Timestamp
    /// When the face was last seen.
    public var verifiedAt: Timestamp
    /// When the person agreed to being found in the app's groups, under the account's terms; `nil` if they have not.
    public var groupsAgreedAt: Timestamp?

    public init(
        account: Int64, appID: AppID, uid: String, isRandomUID: Bool, openID: String, sealedInfo: Sealed?,
        authorizedAt: Timestamp, verifiedAt: Timestamp, groupsAgreedAt: Timestamp? = nil
    ) {
        self.account = account
        self.appID = appID
        self.uid = uid
        self.isRandomUID = isRandomUID
        self.openID = openID
        self.sealedInfo = sealedInfo
        self.authorizedAt = authorizedAt
        self.verifiedAt = verifiedAt
        self.groupsAgreedAt = groupsAgreedAt
    }
}

/// What tells one authorisation from another: cancelled and given anew it is another, under whatever uid.
public struct FaceBindingMark: Hashable, Sendable {
    public var uid: String
    public var authorizedAt: Timestamp

    public init(uid: String, authorizedAt: Timestamp) {
        self.uid = uid
        self.authorizedAt = authorizedAt
    }
}

extension FaceBindingRecord {
    public var mark: FaceBindingMark { FaceBindingMark(uid: uid, authorizedAt: authorizedAt) }
}

/// Something that was given out for an account, kept only as a hash (decision 4).
public struct FaceCredential: Hashable, Sendable {
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        case access, refresh, remembered, code
        /// An access token of the app's server.
        case server
    }

    public var hash: CredentialHash
    public var kind: Kind
    /// Everything of one login but the remembered account: ended together.
    public var family: Int64
    public var appID: AppID
    /// 0 for an account that the store has not numbered yet.
    public var account: Int64
    /// Thumbprint of the device key that it is bound to; `nil` for a server's.
    public var deviceKey: String?
    public var issuedAt: Timestamp
    public var expiresAt: Timestamp

    public init(
        hash: CredentialHash, kind: Kind, family: Int64, appID: AppID, account: Int64, deviceKey: String?,
        issuedAt: Timestamp, expiresAt: Timestamp
    ) {
        self.hash = hash
        self.kind = kind
        self.family = family
        self.appID = appID
        self.account = account
        self.deviceKey = deviceKey
        self.issuedAt = issuedAt
        self.expiresAt = expiresAt
    }
}

/// A credential that holds, and what it speaks for at this moment.
public struct FaceHolding: Hashable, Sendable {
    public var credential: FaceCredential
    /// Of the present epoch. It may be frozen: the caller looks.
    public var account: FaceAccountRecord
    /// `nil` when the app is not authorised any more; only a remembered account outlives that.
    public var binding: FaceBindingRecord?

    public init(credential: FaceCredential, account: FaceAccountRecord, binding: FaceBindingRecord?) {
        self.credential = credential
        self.account = account
        self.binding = binding
    }
}

public enum FaceCredentialLookup: Hashable, Sendable {
    case unknown
    /// It may have expired: the caller compares.
    case live(FaceHolding)
    case spent(FaceCredential)
    /// Ended, or its account is gone or another epoch's.
    case revoked(FaceCredential)
}

/// An app's own set of people, among whom it may look for a face.
public struct FaceGroupRecord: Hashable, Sendable {
    public var id: String
    public var appID: AppID
    public var name: String
    public var tag: String
    /// JSON of the app's.
    public var info: String
    public var createdAt: Timestamp

    public init(id: String, appID: AppID, name: String, tag: String, info: String, createdAt: Timestamp) {
        self.id = id
        self.appID = appID
        self.name = name
        self.tag = tag
        self.info = info
        self.createdAt = createdAt
    }
}

/// Somebody whom an app has put into a group, with what a search reads of them: no profile, because there may be thousands.
public struct FaceGroupMember: Hashable, Sendable {
    public var account: Int64
    public var subscription: Int64
    public var epoch: Int32
    public var sealedKey: Sealed
    public var sealedTemplate: Sealed
    /// The version of the terms that the holder has agreed to.
    public var terms: String
    /// Who this is to the group's app.
    public var openID: String
    /// As in ``FaceBindingRecord/groupsAgreedAt``.
    public var groupsAgreedAt: Timestamp?

    public init(
        account: Int64, subscription: Int64, epoch: Int32, sealedKey: Sealed, sealedTemplate: Sealed, terms: String,
        openID: String, groupsAgreedAt: Timestamp?
    ) {
        self.account = account
        self.subscription = subscription
        self.epoch = epoch
        self.sealedKey = sealedKey
        self.sealedTemplate = sealedTemplate
        self.terms = terms
        self.openID = openID
        self.groupsAgreedAt = groupsAgreedAt
    }
}

/// Counts, for metrics and the console. There is nothing else to show of faces.
public struct FaceCounts: Hashable, Sendable {
    public var accounts: Int
    public var frozen: Int
    public var bindings: Int

    public init(accounts: Int, frozen: Int, bindings: Int) {
        self.accounts = accounts
        self.frozen = frozen
        self.bindings = bindings
    }
}

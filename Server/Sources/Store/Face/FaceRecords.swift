package import BenjiProtocol

/// A face account: one subscription epoch and one face. It goes with the epoch.
package struct FaceAccountRecord: Hashable, Sendable {
    /// 0 for one that the store has not numbered yet.
    package var id: Int64
    package var subscription: Int64
    package var epoch: Int32
    /// The account's data key, under the master key. It opens the other two; erasing it erases them.
    package var sealedKey: Sealed
    package var sealedTemplate: Sealed
    /// Name and picture.
    package var sealedProfile: Sealed
    /// The version of the terms that the holder has agreed to.
    package var terms: String
    /// The SIM by which its holder has last proven the number. Under another one nothing that was given out holds.
    package var simGeneration: Int32
    /// Since when it is frozen, and who did it; `nil` if it is not.
    package var frozen: FaceFreezing?
    package var createdAt: Timestamp
    /// Another one after each freezing, thawing and change of the SIM; the store counts.
    package var revision: Int64

    package var isFrozen: Bool { frozen != nil }

    package init(
        id: Int64 = 0, subscription: Int64, epoch: Int32, sealedKey: Sealed, sealedTemplate: Sealed,
        sealedProfile: Sealed, terms: String, simGeneration: Int32, frozen: FaceFreezing? = nil, createdAt: Timestamp,
        revision: Int64 = 0
    ) {
        self.id = id
        self.subscription = subscription
        self.epoch = epoch
        self.sealedKey = sealedKey
        self.sealedTemplate = sealedTemplate
        self.sealedProfile = sealedProfile
        self.terms = terms
        self.simGeneration = simGeneration
        self.frozen = frozen
        self.createdAt = createdAt
        self.revision = revision
    }
}

/// When an account was frozen, and by whom.
package struct FaceFreezing: Hashable, Sendable {
    package enum Party: String, Hashable, Sendable { case holder, `operator` }

    package var at: Timestamp
    package var by: Party

    package init(at: Timestamp, by: Party) {
        self.at = at
        self.by = by
    }
}

/// An account's holder lets an app know them, as one of its users.
package struct FaceBindingRecord: Hashable, Sendable {
    /// 0 for an account that the store has not numbered yet.
    package var account: Int64
    package var appID: AppID
    /// One uid belongs to one account of the app.
    package var uid: String
    package var isRandomUID: Bool
    /// The person's id at the app, as in every other dialect.
    package var openID: String
    /// The app's data about its user, under the account's data key.
    package var sealedInfo: Sealed?
    package var authorizedAt: Timestamp
    /// When the face was last seen.
    package var verifiedAt: Timestamp
    /// When the person agreed to being found in the app's groups, under the account's terms; `nil` if they have not.
    package var groupsAgreedAt: Timestamp?
    /// Since when it has this uid.
    package var uidSince: Timestamp
    /// Another one for each authorisation, and after each change of the uid and of the yes to groups; the store draws
    /// it. Logins, verifications and what an app says of its user leave it.
    package var revision: Int64

    package init(
        account: Int64, appID: AppID, uid: String, isRandomUID: Bool, openID: String, sealedInfo: Sealed?,
        authorizedAt: Timestamp, verifiedAt: Timestamp, groupsAgreedAt: Timestamp? = nil, uidSince: Timestamp? = nil,
        revision: Int64 = 0
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
        self.uidSince = uidSince ?? authorizedAt
        self.revision = revision
    }
}

/// Something that was given out for an account, kept only as a hash (decision 4).
package struct FaceCredential: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        case access, refresh, remembered, code
        /// An access token of the app's server.
        case server
    }

    package var hash: CredentialHash
    package var kind: Kind
    /// Everything of one login but the remembered account: ended together.
    package var family: Int64
    package var appID: AppID
    /// 0 for an account that the store has not numbered yet.
    package var account: Int64
    /// Thumbprint of the device key that it is bound to; `nil` for a server's.
    package var deviceKey: String?
    package var issuedAt: Timestamp
    package var expiresAt: Timestamp

    package init(
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
package struct ActiveFaceCredential: Hashable, Sendable {
    package var credential: FaceCredential
    /// The account, of the present epoch and SIM. It may be frozen: the caller checks.
    package var account: FaceAccountRecord
    /// `nil` when the app is not authorised any more; only a remembered account outlives that.
    package var binding: FaceBindingRecord?

    package init(credential: FaceCredential, account: FaceAccountRecord, binding: FaceBindingRecord?) {
        self.credential = credential
        self.account = account
        self.binding = binding
    }
}

package enum FaceCredentialLookup: Hashable, Sendable {
    case unknown
    /// It may have expired: the caller compares.
    case live(ActiveFaceCredential)
    case spent(FaceCredential)
    /// Ended, or its account is gone, another epoch's or another SIM's. With what ended it, if that is still known.
    case revoked(FaceCredential, FaceEnding?)
}

/// The end of a credential, for the device that still shows it.
package struct FaceEnding: Hashable, Sendable {
    package enum Cause: String, Hashable, Sendable {
        /// The account was erased. Known for ``FaceEnding/memory`` after that.
        case erased
        /// The app's authorisation was cancelled.
        case cancelled
        /// The number has another SIM, and its holder has to prove it again.
        case sim
    }

    package var cause: Cause
    package var at: Timestamp

    /// How long the hash of what an erased account had given out is kept, so that its devices can be told.
    package static let memory = Duration.seconds(30 * 86400)

    package init(_ cause: Cause, at: Timestamp) {
        self.cause = cause
        self.at = at
    }
}

/// An app's own set of people, among whom it may look for a face.
package struct FaceGroupRecord: Hashable, Sendable {
    package var id: String
    package var appID: AppID
    package var name: String
    package var tag: String
    /// JSON of the app's.
    package var info: String
    package var createdAt: Timestamp

    package init(id: String, appID: AppID, name: String, tag: String, info: String, createdAt: Timestamp) {
        self.id = id
        self.appID = appID
        self.name = name
        self.tag = tag
        self.info = info
        self.createdAt = createdAt
    }
}

/// Somebody whom an app has put into a group, with what a search reads of them: no profile, because there may be
/// thousands.
package struct FaceGroupMember: Hashable, Sendable {
    package var account: Int64
    package var subscription: Int64
    package var epoch: Int32
    package var sealedKey: Sealed
    package var sealedTemplate: Sealed
    /// The version of the terms that the holder has agreed to.
    package var terms: String
    /// The person's id at the group's app.
    package var openID: String
    /// As in ``FaceBindingRecord/groupsAgreedAt``.
    package var groupsAgreedAt: Timestamp?

    package init(
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

/// Counts, for metrics and `benji face count`. There is nothing else to show of faces.
package struct FaceCounts: Hashable, Sendable {
    package var accounts: Int
    package var frozen: Int
    package var bindings: Int

    package init(accounts: Int, frozen: Int, bindings: Int) {
        self.accounts = accounts
        self.frozen = frozen
        self.bindings = bindings
    }
}

public import BenjiProtocol

/// Everything that a login by face makes true, at once or not at all.
public struct FaceLoginWrite: Hashable, Sendable {
    public enum Account: Hashable, Sendable {
        case new(FaceAccountRecord)
        /// Must be there, unfrozen and of the present epoch. The terms are those agreed to last.
        case known(Int64, terms: String)
    }

    public var account: Account
    public var consents: [ConsentEvidence]
    /// Written in the place of a binding that is there, of which stay: when it was authorised, what the app has said if this
    /// says nothing, and a yes to the groups that was given under the same terms. Its account is the write's.
    public var binding: FaceBindingRecord
    /// The binding that the caller has read, `nil` for none: if another is there now, nothing happens.
    public var present: FaceBindingMark?
    /// Their account is the write's. Remembered accounts of the same app and device key are ended by it.
    public var credentials: [FaceCredential]

    public init(
        account: Account, consents: [ConsentEvidence], binding: FaceBindingRecord, present: FaceBindingMark?,
        credentials: [FaceCredential]
    ) {
        self.account = account
        self.consents = consents
        self.binding = binding
        self.present = present
        self.credentials = credentials
    }
}

/// Only ``done(account:)`` changes anything.
public enum FaceLoginOutcome: Hashable, Sendable {
    case done(account: Int64)
    /// The epoch has an account: somebody enrolled meanwhile.
    case accountExists
    /// The account was erased, or the number has a new owner.
    case accountGone
    case accountFrozen
    /// The binding is another than the caller has read.
    case bindingChanged
    /// The uid belongs to another account of the app.
    case uidTaken
}

/// Spends a refresh token or a code.
public struct FaceExchange: Hashable, Sendable {
    public var hash: CredentialHash
    public var kind: FaceCredential.Kind
    public var appID: AppID
    /// Must be the credential's own.
    public var deviceKey: String?
    public var now: Timestamp
    /// What takes its place. Account and family are the spent one's.
    public var next: [FaceCredential]

    public init(
        hash: CredentialHash, kind: FaceCredential.Kind, appID: AppID, deviceKey: String?, now: Timestamp,
        next: [FaceCredential]
    ) {
        self.hash = hash
        self.kind = kind
        self.appID = appID
        self.deviceKey = deviceKey
        self.now = now
        self.next = next
    }
}

/// Checked in this order; only ``spent(_:)`` changes anything.
public enum FaceExchangeOutcome: Hashable, Sendable {
    case spent(FaceHolding)
    /// No such credential of this kind, app and device key.
    case unknown
    case alreadySpent(FaceCredential)
    case expired(FaceCredential)
    /// Ended, its account gone or another epoch's, or the app no longer authorised.
    case revoked(FaceCredential)
    case frozen(FaceCredential)
}

public enum FaceUIDOutcome: Hashable, Sendable {
    case changed
    /// It belongs to another account of the app; nothing was changed.
    case taken
    /// There is no such binding.
    case gone
}

public enum FaceCancelOutcome: Hashable, Sendable {
    case notBound
    case cancelled
    /// It was the account's last binding, so the account was erased with it.
    case erased
}

public enum FaceMembershipOutcome: Hashable, Sendable {
    /// The person is a member now, whether or not they were before.
    case added
    case groupUnknown
    /// Nobody who has authorised the app has this openId.
    case personUnknown
    case full
}

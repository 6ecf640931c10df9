package import BenjiProtocol

/// Everything that a login by face makes true, at once or not at all.
package struct FaceLoginWrite: Hashable, Sendable {
    package enum Account: Hashable, Sendable {
        case new(FaceAccountRecord)
        /// Must be there, unfrozen and of the present epoch. The terms are those agreed to last; the SIM is the one by
        /// which the number was proven. If it is another than the account's, everything that was given out before ends.
        case known(Int64, terms: String, simGeneration: Int32)
    }

    package var account: Account
    package var consents: [ConsentEvidence]
    /// Replaces the present binding, if any. Of that the time of authorisation stays, the app's data if this has none,
    /// and a consent to groups under the same terms. Its account is the write's.
    package var binding: FaceBindingRecord
    /// The revision of the binding that the caller has read, `nil` for none: if another is there now, nothing happens.
    package var present: Int64?
    /// Their account is the write's. Remembered accounts of the same app and device key are ended by it.
    package var credentials: [FaceCredential]

    package init(
        account: Account, consents: [ConsentEvidence], binding: FaceBindingRecord, present: Int64?,
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
package enum FaceLoginOutcome: Hashable, Sendable {
    case done(account: Int64)
    /// The epoch has an account: somebody enrolled meanwhile.
    case accountExists
    /// The account was erased, or the number has a new owner or another SIM than the one it was proven by.
    case accountGone
    case accountFrozen
    /// The binding is another than the caller has read.
    case bindingChanged
    /// The uid belongs to another account of the app.
    case uidTaken
}

/// Spends a refresh token or a code.
package struct FaceExchange: Hashable, Sendable {
    package var hash: CredentialHash
    package var kind: FaceCredential.Kind
    package var appID: AppID
    /// Must be the credential's own.
    package var deviceKey: String?
    package var now: Timestamp
    /// The credentials that replace it. Account and family are the spent one's.
    package var next: [FaceCredential]

    package init(
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
package enum FaceExchangeOutcome: Hashable, Sendable {
    case spent(ActiveFaceCredential)
    /// No such credential of this kind, app and device key.
    case unknown
    case alreadySpent(FaceCredential)
    case expired(FaceCredential)
    /// Ended, its account gone, another epoch's or another SIM's, or the app no longer authorised.
    case revoked(FaceCredential, FaceEnding?)
    case frozen(FaceCredential)
}

package enum FaceUIDOutcome: Hashable, Sendable {
    case changed
    /// It belongs to another account of the app; nothing was changed.
    case taken
    /// The binding is another than the caller has read, or gone.
    case outdated
}

/// How freezing, thawing or erasing an account ended.
package enum FaceAccountOutcome: Hashable, Sendable {
    case done
    /// The account is not as the caller has read it.
    case outdated
    /// There is no such account.
    case gone
}

package enum FaceCancelOutcome: Hashable, Sendable {
    /// The binding is another than the caller has read, or gone.
    case outdated
    case cancelled
    /// It was the account's last binding, so the account was erased with it.
    case erased
    /// It was the account's last binding, and the account stays for now.
    case unbound
}

package enum FaceMembershipOutcome: Hashable, Sendable {
    /// The person is a member now, whether or not they were before.
    case added
    case groupUnknown
    /// No person who has authorised the app has this openId.
    case personUnknown
    case full
}

package import BenjiProtocol

/// A password as it is kept: what scrypt (RFC 7914) made of it.
package struct PasswordHash: Hashable, Sendable {
    /// Random bytes, of this account alone.
    package var salt: [UInt8]
    /// The logarithm to base two of scrypt's N.
    package var cost: Int
    package var hash: [UInt8]

    package init(salt: [UInt8], cost: Int, hash: [UInt8]) {
        self.salt = salt
        self.cost = cost
        self.hash = hash
    }
}

/// How an admin signs in to the console: by a password, and by codes that change with time (RFC 6238).
package struct ConsoleAccount: Hashable, Sendable {
    /// The admin's name.
    package var admin: String
    package var password: PasswordHash
    /// The time step of the last code that was taken. It and earlier ones are spent.
    package var lastStep: Int64
    /// The identity of the phone that may replace the code; `nil` if none may.
    package var phone: CredentialHash?

    package init(admin: String, password: PasswordHash, lastStep: Int64, phone: CredentialHash? = nil) {
        self.admin = admin
        self.password = password
        self.lastStep = lastStep
        self.phone = phone
    }
}

/// A phone of an admin's own, with which they sign in to the console.
package struct ConsolePhone: Hashable, Sendable {
    /// The admin's name.
    package var admin: String
    package var boundAt: Timestamp
    /// When it signed them in last; `nil` if it never did.
    package var usedAt: Timestamp?

    package init(admin: String, boundAt: Timestamp, usedAt: Timestamp? = nil) {
        self.admin = admin
        self.boundAt = boundAt
        self.usedAt = usedAt
    }
}

/// The second proof of a sign-in, besides the password.
package enum SecondFactor: Hashable, Sendable {
    /// The code of a time step.
    case code(step: Int64)
    case phone(CredentialHash)
}

/// A sign-in that began with a right password, and waits for a second factor.
package struct PendingSignIn: Hashable, Sendable {
    /// Of the secret in the browser's cookie.
    package var hash: CredentialHash
    package var admin: String
    /// The session in which they bind a phone; `nil` if they sign in.
    package var session: CredentialHash?
    package var endsAt: Timestamp

    package init(hash: CredentialHash, admin: String, session: CredentialHash?, endsAt: Timestamp) {
        self.hash = hash
        self.admin = admin
        self.session = session
        self.endsAt = endsAt
    }
}

/// A browser in which an admin has signed in.
package struct ConsoleSession: Hashable, Sendable {
    /// Of the secret in the browser's cookie.
    package var hash: CredentialHash
    package var admin: String
    package var beganAt: Timestamp
    package var endsAt: Timestamp

    package init(hash: CredentialHash, admin: String, beganAt: Timestamp, endsAt: Timestamp) {
        self.hash = hash
        self.admin = admin
        self.beganAt = beganAt
        self.endsAt = endsAt
    }
}

/// The state of an account before its password is checked.
package enum SignInAttempt: Hashable, Sendable {
    /// No admin of this name signs in to the console.
    case nobody
    /// Too many attempts failed one after the other.
    case blocked(until: Timestamp)
    case open(ConsoleAccount)
}

/// Keeps how admins sign in to the console, and where they have.
///
/// Only an admin whose credential is a ``AdminRecord/CredentialKind/invitation`` has an account.
/// ``AdminStore/updateAdmin(_:audit:)`` ends their account and their sessions when it gives them another credential.
package protocol ConsoleStore: Sendable {
    /// Spends an invitation for an account and its first session, in one commit with the line of the audit log.
    ///
    /// - Parameters:
    ///   - invitation: the admin's credential. It must still be that, neither revoked nor ended.
    ///   - spent: takes its place.
    /// - Returns: whether it was.
    func acceptInvitation(
        _ invitation: CredentialHash, spent: CredentialHash, account: ConsoleAccount, session: ConsoleSession,
        audit: AuditEntry
    ) async throws(StoreError) -> Bool
    /// Counts an attempt before it is known whether it is right, so that those that are made at once are counted too.
    ///
    /// - Parameters:
    ///   - limit: how many may fail one after the other.
    ///   - pause: how long attempts are refused afterwards.
    ///   - audit: the line of an attempt after which the pause begins, unless it is right.
    func beginSignIn(
        _ admin: String, at moment: Timestamp, limit: Int, pause: Duration, audit: AuditEntry?
    ) async throws(StoreError) -> SignInAttempt
    /// Begins a session after an attempt that was right, spends its code and forgets the attempts that were wrong.
    ///
    /// - Parameters:
    ///   - account: as it was checked. If its password is another by now, nothing happens.
    ///   - factor: if its code or a later one was taken before, or its phone is not the account's, nothing happens.
    ///   - pending: the sign-in that the password began before; it is spent. If it was spent before, or has ended,
    ///     nothing happens.
    ///   - audit: the line of the audit log.
    /// - Returns: whether the session began.
    func signIn(
        _ session: ConsoleSession, account: ConsoleAccount, by factor: SecondFactor, pending: CredentialHash?,
        audit: AuditEntry?
    ) async throws(StoreError) -> Bool
    /// Keeps what a right password began. The account must still have this password.
    /// - Returns: whether it does.
    func beginPending(_ pending: PendingSignIn, account: ConsoleAccount) async throws(StoreError) -> Bool
    /// A sign-in that a right password began, if it has not been finished and has not ended.
    func pendingSignIn(_ hash: CredentialHash, at moment: Timestamp) async throws(StoreError) -> PendingSignIn?
    /// Binds a phone to the admin who began that in a session, which must still exist. It replaces the previous phone,
    /// and forgets wrong attempts to sign in.
    ///
    /// - Parameters:
    ///   - pending: as it was read. If it was spent before, or has ended, nothing happens.
    ///   - audit: the line of the audit log.
    /// - Returns: whether it is bound.
    func bindPhone(
        _ phone: CredentialHash, pending: PendingSignIn, at moment: Timestamp, audit: AuditEntry?
    ) async throws(StoreError) -> Bool
    /// Lets an admin's phone sign in no more.
    /// - Returns: whether there was one.
    func removePhone(of admin: String, audit: AuditEntry?) async throws(StoreError) -> Bool
    /// Those of all admins, by name.
    func consolePhones() async throws(StoreError) -> [ConsolePhone]
    /// The admin whose session this is.
    ///
    /// - Parameter used: it must have been used since.
    func consoleSession(
        _ hash: CredentialHash, at moment: Timestamp, usedSince used: Timestamp
    ) async throws(StoreError) -> AdminRecord?
    /// Notes that a session is used. Does not wait for the disk.
    func noteConsoleUse(_ hash: CredentialHash, at moment: Timestamp) async throws(StoreError)
    func endConsoleSession(_ hash: CredentialHash) async throws(StoreError)
    /// Deletes up to `limit` sessions, and all sign-ins, that ended before `moment`. Returns how many sessions.
    func deleteConsoleSessions(before moment: Timestamp, limit: Int) async throws(StoreError) -> Int
}

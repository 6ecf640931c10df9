package import BenjiProtocol

/// Somebody who may give orders over the admin interface: a person or a program, with a credential of their own.
package struct AdminRecord: Hashable, Sendable {
    /// How they prove who they are.
    package enum CredentialKind: String, Hashable, Sendable, CaseIterable {
        /// A bearer token, kept as its hash.
        case token
        /// A client certificate, known by the SHA-256 of its public key.
        case certificate
        /// A link to the console, kept as its hash until somebody chooses a password there.
        case invitation
    }

    /// As the audit log names them. Never given to somebody else.
    package var name: String
    /// The role that permits orders: ``Role/rawValue`` of Administration.
    package var role: String
    /// The apps of a developer.
    package var apps: Set<AppID>
    /// Whether answers show them phone numbers; masked otherwise.
    package var seesNumbers: Bool
    package var kind: CredentialKind
    package var credential: CredentialHash
    package var createdAt: Timestamp
    /// When the credential ends.
    package var expiresAt: Timestamp
    package var revokedAt: Timestamp?
    /// The last day in UTC+8 on which the credential was used, as in 20261118.
    package var lastUsedDay: Int32?

    package init(
        name: String, role: String, apps: Set<AppID> = [], seesNumbers: Bool = false, kind: CredentialKind,
        credential: CredentialHash, createdAt: Timestamp, expiresAt: Timestamp, revokedAt: Timestamp? = nil,
        lastUsedDay: Int32? = nil
    ) {
        self.name = name
        self.role = role
        self.apps = apps
        self.seesNumbers = seesNumbers
        self.kind = kind
        self.credential = credential
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.revokedAt = revokedAt
        self.lastUsedDay = lastUsedDay
    }

    /// Whether the credential counts at a moment.
    package func isValid(at moment: Timestamp) -> Bool { revokedAt == nil && expiresAt > moment }
}

/// Keeps who may give orders over the admin interface. No name is ever removed, because the audit log refers to it.
package protocol AdminStore: Sendable {
    /// - Throws: ``StoreError/Code/alreadyExists`` if there is an admin, revoked or not, with this name or credential.
    func createAdmin(_ record: AdminRecord, audit: AuditEntry?) async throws(StoreError)
    /// Replaces the record of that name, but not the day of last use. With another credential, or when it is revoked,
    /// the admin's account of the console and its sessions end (``ConsoleStore``).
    /// - Returns: whether there is one.
    func updateAdmin(_ record: AdminRecord, audit: AuditEntry?) async throws(StoreError) -> Bool
    /// Registers an app and adds it to the apps of an admin, in one commit.
    ///
    /// - Parameter limit: how many apps they may have then.
    /// - Returns: whether it was. It was not if they have so many apps, or are there no more: revoked, or without a
    ///   record.
    /// - Throws: as ``AppStore/createApp(_:audit:)``.
    func createApp(
        _ app: AppRecord, of admin: String, atMost limit: Int, audit: AuditEntry?
    ) async throws(StoreError) -> Bool
    /// All, by name.
    func admins() async throws(StoreError) -> [AdminRecord]
    func admin(named name: String) async throws(StoreError) -> AdminRecord?
    /// The admin who has this credential now.
    func admin(_ credential: CredentialHash) async throws(StoreError) -> AdminRecord?
    /// Keeps the later of the day that is kept and this one. Does not wait for the disk.
    func noteAdminUse(_ name: String, day: Int32) async throws(StoreError)
}

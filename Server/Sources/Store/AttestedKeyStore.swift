package import BenjiProtocol

/// A key of an install that the platform's maker vouched for when it was registered. It holds nothing of a person.
package struct AttestedKeyRecord: Hashable, Sendable {
    package var appID: AppID
    /// The platform's name of it.
    package var id: String
    /// 65 bytes (X9.62, uncompressed).
    package var publicKey: [UInt8]
    /// Thumbprint of the device key that it was attested for. It speaks for no other.
    package var deviceKey: String
    package var bundleID: String
    /// Whether it is of an app under development.
    package var isDevelopment: Bool
    /// The highest counter that it has signed with.
    package var counter: Int64
    package var createdAt: Timestamp
    package var usedAt: Timestamp?
    package var revokedAt: Timestamp?

    package init(
        appID: AppID, id: String, publicKey: [UInt8], deviceKey: String, bundleID: String, isDevelopment: Bool,
        counter: Int64 = 0, createdAt: Timestamp, usedAt: Timestamp? = nil, revokedAt: Timestamp? = nil
    ) {
        self.appID = appID
        self.id = id
        self.publicKey = publicKey
        self.deviceKey = deviceKey
        self.bundleID = bundleID
        self.isDevelopment = isDevelopment
        self.counter = counter
        self.createdAt = createdAt
        self.usedAt = usedAt
        self.revokedAt = revokedAt
    }
}

/// Keeps which keys of installs were attested, and how far each has counted.
package protocol AttestedKeyStore: Sendable {
    /// Keeps a new key, in one durable step that revokes the device key's earlier ones.
    ///
    /// - Returns: whether it was kept; `false` if the app has or had a key of this id, which stays as it is.
    func insertAttestedKey(_ record: AttestedKeyRecord) async throws(StoreError) -> Bool
    func attestedKey(_ id: String, of app: AppID) async throws(StoreError) -> AttestedKeyRecord?
    /// Notes how far a key has counted, in one conditional write that is durable before this returns. However many
    /// calls and processes ask at once, each counter is taken once and none that is not above all before it.
    ///
    /// - Returns: whether it was taken; `false` too if the key is unknown or revoked.
    func advanceAttestedKey(
        _ id: String, of app: AppID, to counter: Int64, now: Timestamp
    ) async throws(StoreError) -> Bool
    /// The keys of an app, the newest first.
    ///
    /// - Parameter deviceKey: only those of this device key.
    func attestedKeys(of app: AppID, deviceKey: String?, limit: Int) async throws(StoreError) -> [AttestedKeyRecord]
    /// Ends a key for good: it stays known, so that it cannot be registered again.
    ///
    /// - Returns: whether it ended now; `false` if it is unknown or had ended, and then there is no line.
    func revokeAttestedKey(
        _ id: String, of app: AppID, at moment: Timestamp, audit: AuditEntry?
    ) async throws(StoreError) -> Bool
}

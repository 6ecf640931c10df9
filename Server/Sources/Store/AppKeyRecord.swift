package import BenjiProtocol

/// The use of an app's key.
package enum AppKeyUse: String, Hashable, Sendable, Codable, CaseIterable, Comparable {
    /// The app key: inside the phone's package, where anybody can find it. Phones show that they know it.
    case package
    /// The server secret: signs what the app's server sends, in the dialects that sign with a shared key.
    case server
    /// The client secret of OpenID Connect. Kept with the client, as a hash (``ClientSecretRecord``).
    case openID = "openid"
    /// Signs our events for the app's callback.
    case callback

    package static func < (left: AppKeyUse, right: AppKeyUse) -> Bool { left.rawValue < right.rawValue }
}

/// A key with successors. During a change-over the previous key stays valid next to the new one.
package protocol RotatingKey: Hashable, Sendable {
    /// Counts the keys of one use, from 1.
    var version: Int { get }
    /// From when it is refused; `nil` until it is retired.
    var acceptedUntil: Timestamp? { get set }
}

/// A key of an app, sealed: the old dialects' signs need it in clear.
package struct AppKeyRecord: RotatingKey {
    /// Never ``AppKeyUse/openID``.
    package var use: AppKeyUse
    package var version: Int
    package var sealed: Sealed
    /// `nil` if it was made before that was noted.
    package var createdAt: Timestamp?
    package var acceptedUntil: Timestamp?
    /// Whether a server secret is the app key too: it is left from the time when the app had one key for both.
    package var isInPackage: Bool

    package init(
        use: AppKeyUse, version: Int = 1, sealed: Sealed, createdAt: Timestamp?, acceptedUntil: Timestamp? = nil,
        isInPackage: Bool = false
    ) {
        self.use = use
        self.version = version
        self.sealed = sealed
        self.createdAt = createdAt
        self.acceptedUntil = acceptedUntil
        self.isInPackage = isInPackage
    }
}

/// The last day on which a key was used.
package struct AppKeyUsage: Hashable, Sendable {
    package var appID: AppID
    package var use: AppKeyUse
    package var version: Int
    /// As in 20261118, UTC+8.
    package var day: Int32

    package init(appID: AppID, use: AppKeyUse, version: Int, day: Int32) {
        self.appID = appID
        self.use = use
        self.version = version
        self.day = day
    }
}

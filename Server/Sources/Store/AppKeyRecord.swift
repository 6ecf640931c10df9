public import BenjiProtocol

/// What a key of an app is for.
public enum AppKeyUse: String, Hashable, Sendable, CaseIterable, Comparable {
    /// The app key: inside the phone's package, where anybody can find it. Phones show that they know it.
    case package
    /// The server secret: signs what the app's server sends, in the dialects that sign with a shared key.
    case server
    /// The client secret of OpenID Connect. Kept with the client, as a hash (``ClientSecretRecord``).
    case openID = "openid"

    public static func < (left: AppKeyUse, right: AppKeyUse) -> Bool { left.rawValue < right.rawValue }
}

/// A key that others may follow: while they change over, the one before stays valid beside it.
public protocol RotatingKey: Hashable, Sendable {
    /// Counts the keys of one use, from 1.
    var version: Int { get }
    /// From when it is refused; `nil` for as long as nobody retires it.
    var acceptedUntil: Timestamp? { get set }
}

/// A key of an app, sealed: the old dialects' signs need it in clear.
public struct AppKeyRecord: RotatingKey {
    /// Never ``AppKeyUse/openID``.
    public var use: AppKeyUse
    public var version: Int
    public var sealed: Sealed
    /// `nil` if it was made before that was noted.
    public var createdAt: Timestamp?
    public var acceptedUntil: Timestamp?
    /// Of a server secret: it is an app key too, left from the time when the app had one key for both.
    public var isInPackage: Bool

    public init(
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
public struct AppKeyUsage: Hashable, Sendable {
    public var appID: AppID
    public var use: AppKeyUse
    public var version: Int
    /// As in 20261118, UTC+8.
    public var day: Int32

    public init(appID: AppID, use: AppKeyUse, version: Int, day: Int32) {
        self.appID = appID
        self.use = use
        self.version = version
        self.day = day
    }
}

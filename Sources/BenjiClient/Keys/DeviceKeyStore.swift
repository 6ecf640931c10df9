public import BenjiProtocol

/// Keeps the key that an install of an app makes for itself.
public protocol DeviceKeyStore: Sendable {
    /// The install's key, made at its first use, then kept.
    func signer() async throws(DeviceKeyError) -> any DeviceSigner

    /// Destroys the key. The next ``signer()`` makes another, to which no scrip belongs. No key is no error.
    func removeKey() async throws(DeviceKeyError)
}

/// Why a device key cannot be made, read or used. Equal when the code is equal.
public struct DeviceKeyError: Error, Sendable {
    /// An open set: switch with a `default`.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public var description: String { rawValue }

        /// Others than the owner may read or write what holds the key.
        public static let exposed = Code(rawValue: "exposed")
        /// The stored data is not a key.
        public static let damaged = Code(rawValue: "damaged")
        /// The place cannot be read or written.
        public static let inaccessible = Code(rawValue: "inaccessible")
        /// The phone has not been unlocked since it was started.
        public static let locked = Code(rawValue: "locked")
    }

    /// The kind of failure.
    public var code: Code
    /// A path, or the name of a key chain's entry.
    public var place: String
    /// The problem and the remedy. Never holds key material.
    public var detail: String

    public init(_ code: Code, at place: String, _ detail: String) {
        self.code = code
        self.place = place
        self.detail = detail
    }
}

extension DeviceKeyError: Hashable, CustomStringConvertible {
    public static func == (left: DeviceKeyError, right: DeviceKeyError) -> Bool { left.code == right.code }
    public func hash(into hasher: inout Hasher) { hasher.combine(code) }
    public var description: String { "device key at \(place): \(detail)" }
}

/// A key that is gone when the process ends: for tests, and for devices whose logins need not outlive a restart.
public struct MemoryDeviceKeyStore: DeviceKeyStore {
    private let held: any DeviceSigner

    public init(_ signer: any DeviceSigner = SoftwareDeviceSigner()) { held = signer }

    public func signer() async throws(DeviceKeyError) -> any DeviceSigner { held }

    /// Does nothing: the key ends with the store.
    public func removeKey() async throws(DeviceKeyError) {}
}

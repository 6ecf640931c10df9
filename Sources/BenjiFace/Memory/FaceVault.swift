import BenjiClient

/// Where an install keeps what it remembers of a face login: bytes that hold credentials.
///
/// Answers at once. On Apple's systems the key chain (`KeychainFaceVault`). What cannot be kept is not a failure of a login: the person
/// proves their number again.
public protocol FaceVault: Sendable {
    /// What was kept last; `nil` for nothing, and for what cannot be read.
    func read() -> [UInt8]?

    /// Keeps `bytes` in the place of what was there; `nil` removes it.
    func write(_ bytes: [UInt8]?)
}

/// Forgets when the process ends: for tests.
public final class MemoryFaceVault: FaceVault {
    private let bytes = Locked<[UInt8]?>(nil)

    public init() {}

    public func read() -> [UInt8]? { bytes.withLock { $0 } }

    public func write(_ bytes: [UInt8]?) { self.bytes.withLock { $0 = bytes } }
}

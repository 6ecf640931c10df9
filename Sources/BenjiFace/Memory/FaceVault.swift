import BenjiClient

/// Where an install keeps what it remembers of a face login: bytes that hold credentials.
///
/// Answers at once. On Apple's systems the key chain (`KeychainFaceVault`). What cannot be kept is not a failure of a
/// login: the person proves their number again.
public protocol FaceVault: Sendable {
    /// Returns the bytes that were written last; `nil` if there are none or they cannot be read.
    func read() -> [UInt8]?

    /// Stores `bytes` in place of the previous ones; `nil` removes them.
    func write(_ bytes: [UInt8]?)
}

/// Forgets when the process ends: for tests.
public final class MemoryFaceVault: FaceVault {
    private let bytes = Locked<[UInt8]?>(nil)

    public init() {}

    public func read() -> [UInt8]? { bytes.withLock { $0 } }

    public func write(_ bytes: [UInt8]?) { self.bytes.withLock { $0 = bytes } }
}

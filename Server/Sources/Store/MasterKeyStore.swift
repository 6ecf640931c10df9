/// What a master key leaves in a store, so that the store can tell it from another one: a keyed hash that opens nothing.
public struct MasterKeyCheck: Hashable, Sendable {
    public var bytes: [UInt8]
    public init(bytes: [UInt8]) { self.bytes = bytes }
}

/// Remembers under which master key the store's secrets are sealed.
public protocol MasterKeyStore: Sendable {
    /// `nil` until ``keepMasterKeyCheck(_:)``, also in a store that an older version wrote.
    func masterKeyCheck() async throws(StoreError) -> MasterKeyCheck?
    /// Keeps the value if there is none yet, in one durable step, and returns the one that is kept. Of any number of
    /// calls, in any number of processes, the first decides; none ever replaces a value.
    func keepMasterKeyCheck(_ check: MasterKeyCheck) async throws(StoreError) -> MasterKeyCheck
}

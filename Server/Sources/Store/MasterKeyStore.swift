/// What a master key leaves in a store, so that the store can tell it from another one: a keyed hash that opens nothing.
package struct MasterKeyCheck: Hashable, Sendable {
    package var bytes: [UInt8]
    package init(bytes: [UInt8]) { self.bytes = bytes }
}

/// Remembers under which master key the store's secrets are sealed.
package protocol MasterKeyStore: Sendable {
    /// `nil` until ``keepMasterKeyCheck(_:)``, also in a store that an older version wrote.
    func masterKeyCheck() async throws(StoreError) -> MasterKeyCheck?
    /// Keeps the value if there is none yet, in one durable step, and returns the one that is kept. Of any number of
    /// calls, in any number of processes, the first decides; none ever replaces a value.
    func keepMasterKeyCheck(_ check: MasterKeyCheck) async throws(StoreError) -> MasterKeyCheck
}

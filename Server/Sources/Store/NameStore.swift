package import BenjiProtocol

/// Keeps names that count once.
package protocol NameStore: Sendable {
    /// Takes a name that an app may use once, such as a client assertion's `jti`; `false` if it is taken.
    func takeName(_ name: String, app: AppID, until: Timestamp, now: Timestamp) async throws(StoreError) -> Bool
    /// Whether a name is taken and its time is not over. Looking takes nothing.
    func isNameTaken(_ name: String, app: AppID, now: Timestamp) async throws(StoreError) -> Bool
}

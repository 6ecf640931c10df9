package import BenjiProtocol

/// Keeps names that count once.
package protocol NameStore: Sendable {
    /// Takes a name that an app may use once, such as a client assertion's `jti`; `false` if it is taken.
    func takeName(_ name: String, app: AppID, until: Timestamp, now: Timestamp) async throws(StoreError) -> Bool
}

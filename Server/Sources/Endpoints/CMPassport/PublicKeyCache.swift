import Synchronization

/// Reads each PEM key once: reading takes six times as long as checking a signature with it.
final class PublicKeyCache: Sendable {
    private let keys = Mutex<[String: CMPassportPublicKey]>([:])
    private let capacity: Int

    init(capacity: Int = 4096) { self.capacity = capacity }

    /// The key, or `nil` if the text is not a usable one.
    func key(pem: String) -> CMPassportPublicKey? {
        if let known = keys.withLock({ $0[pem] }) { return known }
        guard let key = try? CMPassportPublicKey(pem: pem) else { return nil }
        keys.withLock { keys in
            // Only registered keys get here, so it is seldom full; an LRU order is not worth its cost.
            if keys.count >= capacity { keys.removeAll(keepingCapacity: true) }
            keys[pem] = key
        }
        return key
    }
}

package import BenjiProtocol

/// Values by name in bounded memory. When it is full, the half of the names that were inactive longest is forgotten at
/// once. So a name is never refused a place because others came.
package struct RecentMemory<Name: Hashable & Sendable, Value: Sendable>: Sendable {
    private var newer: [Name: Value] = [:]
    private var older: [Name: Value] = [:]
    private let half: Int

    /// - Parameter capacity: names that are remembered.
    package init(capacity: Int) { half = max(capacity / 2, 1) }

    package var count: Int { newer.count + older.count }

    /// The value of a name, without making it recent.
    package func value(of name: Name) -> Value? { newer[name] ?? older[name] }

    /// The value of a name that was just heard of; ``keep(_:of:)`` puts it back.
    package mutating func take(_ name: Name) -> Value? { newer[name] ?? older.removeValue(forKey: name) }

    package mutating func keep(_ value: Value, of name: Name) {
        if newer[name] == nil, newer.count >= half { (newer, older) = ([:], newer) }
        newer[name] = value
    }
}

/// Calls that may still come at once, and more of them with time (a token bucket).
package struct TokenBucket: Sendable {
    package private(set) var left: Double
    private var at: Timestamp

    /// A full one.
    package init(burst: Double, now: Timestamp) { (left, at) = (burst, now) }

    /// Whether there is one more call.
    package var hasRoom: Bool { left >= 1 }

    /// Adds what time has brought. A clock that is put back gives nothing and takes nothing.
    package mutating func fill(perSecond: Double, burst: Double, now: Timestamp) {
        let passed = max(0, Double((now - at).wholeMilliseconds) / 1000)
        left = min(burst, left + passed * perSecond)
        at = now
    }

    /// Takes a call out; `false` if there is none.
    package mutating func take() -> Bool {
        guard hasRoom else { return false }
        left -= 1
        return true
    }
}

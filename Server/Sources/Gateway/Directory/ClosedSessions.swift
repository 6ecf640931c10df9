/// Sessions that have ended, for as long as packets may come late: a delayed or replayed Start must not bring one back.
/// Addresses too, under names of their own: a late event from before an address became free says nothing about who
/// holds it now.
///
/// Two generations of bounded size. What is forgotten raises the floor, below which nothing can be created at all; so
/// forgetting never lets an old packet in.
struct ClosedSessions: Sendable {
    private var young: [SessionKey: UInt32] = [:]
    private var old: [SessionKey: UInt32] = [:]
    private var turnedAt: UInt32
    private let window: UInt32
    private let limit: Int
    /// Events at or before this moment create nothing.
    private(set) var floor: UInt32

    init(now: UInt32, window: UInt32, limit: Int = 2_000_000) {
        self.window = max(window, 1)
        self.limit = limit
        turnedAt = now
        floor = now > window ? now - window : 0
    }

    mutating func close(_ key: SessionKey, at time: UInt32, now: UInt32) {
        turn(now)
        young[key] = max(young[key] ?? 0, old[key] ?? 0, time)
        if young.count >= limit { forgetOld(now) }
    }

    /// Drops what is older than the window, once a window.
    mutating func turn(_ now: UInt32) {
        if now < turnedAt { turnedAt = now }
        if now - turnedAt >= window { forgetOld(now) }
    }

    private mutating func forgetOld(_ now: UInt32) {
        floor = max(floor, old.values.max() ?? 0)
        old = young
        young = [:]
        turnedAt = now
    }

    /// Whether an event of this session and time may create it. One from before the window may not: what followed it
    /// may still be on its way.
    func mayCreate(_ key: SessionKey, at time: UInt32, now: UInt32) -> Bool {
        guard time > floor, now <= time || now - time <= window else { return false }
        guard let closed = young[key] ?? old[key] else { return true }
        return time > closed
    }

    /// Whether this session or address is known to have ended after `time`.
    func endedAfter(_ time: UInt32, _ key: SessionKey) -> Bool { (young[key] ?? old[key]).map { $0 > time } ?? false }

    var all: [(key: SessionKey, time: UInt32)] {
        young.map { ($0.key, $0.value) } + old.compactMap { young[$0.key] == nil ? ($0.key, $0.value) : nil }
    }

    var count: Int { young.count + old.count }
}

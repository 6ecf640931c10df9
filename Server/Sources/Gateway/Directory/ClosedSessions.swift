/// Sessions that have ended, for as long as packets may come late: a delayed or replayed Start must not bring one back.
/// Addresses too, under names of their own: an event from before an address became free does not identify its present
/// holder.
///
/// Kept by time, however many end: in generations, each a quarter of the window, of which the last five are known. What
/// is forgotten raises the floor, below which nothing can be created at all; so forgetting never lets an old packet in.
struct ClosedSessions: Sendable {
    private struct Generation: Sendable {
        var times: [SessionKey: UInt32] = [:]
        var newest: UInt32 = 0
        /// How many came by ``suspect(_:at:now:)``.
        var suspected = 0
    }

    private static let generationsKept = 5

    /// The youngest first.
    private var generations = [Generation()]
    private var turnedAt: UInt32
    private let window: UInt32
    /// Events at or before this moment create nothing.
    private(set) var floor: UInt32

    init(now: UInt32, window: UInt32) {
        self.window = max(window, Self.steps)
        turnedAt = now
        floor = now > window ? now - window : 0
    }

    private static let steps: UInt32 = 4

    /// - Returns: when it ended last, as far as is known.
    @discardableResult
    mutating func close(_ key: SessionKey, at time: UInt32, now: UInt32) -> UInt32 {
        turn(now)
        let time = max(end(of: key) ?? 0, time)
        generations[0].times[key] = time
        generations[0].newest = max(generations[0].newest, time)
        return time
    }

    /// Suspected ends that a generation remembers.
    private static let suspectedLimit = 20_000

    /// Like ``close(_:at:now:)``, for an end that is only suspected. Beyond a limit in each generation it is not
    /// remembered.
    @discardableResult
    mutating func suspect(_ key: SessionKey, at time: UInt32, now: UInt32) -> UInt32? {
        turn(now)
        guard generations[0].suspected < Self.suspectedLimit else { return nil }
        generations[0].suspected += 1
        return close(key, at: time, now: now)
    }

    /// Begins a generation every quarter of the window, and forgets the oldest.
    mutating func turn(_ now: UInt32) {
        if now < turnedAt { turnedAt = now }
        guard now - turnedAt >= window / Self.steps else { return }
        turnedAt = now
        var next = Generation()
        // As many will end again. Growing step by step would hold look-ups up.
        next.times.reserveCapacity(generations[0].times.count)
        generations.insert(next, at: 0)
        if generations.count > Self.generationsKept, let forgotten = generations.popLast() {
            floor = max(floor, forgotten.newest)
        }
    }

    /// When a session or address is known to have ended last.
    func end(of key: SessionKey) -> UInt32? {
        for index in generations.indices where !generations[index].times.isEmpty {
            if let time = generations[index].times[key] { return time }
        }
        return nil
    }

    /// Whether an event of this session and time may create it. One from before the window may not: what followed it
    /// may still be on its way.
    func mayCreate(_ key: SessionKey, at time: UInt32, now: UInt32) -> Bool {
        guard time > floor, now <= time || now - time <= window else { return false }
        guard let closed = end(of: key) else { return true }
        return time > closed
    }

    /// Whether this session or address is known to have ended after `time`.
    func endedAfter(_ time: UInt32, _ key: SessionKey) -> Bool { end(of: key).map { $0 > time } ?? false }

    /// Whether this session is known to have ended at `time` or later.
    func endedSince(_ time: UInt32, _ key: SessionKey) -> Bool { end(of: key).map { $0 >= time } ?? false }

    var all: [(key: SessionKey, time: UInt32)] {
        var times: [SessionKey: UInt32] = [:]
        for generation in generations { times.merge(generation.times) { newer, _ in newer } }
        return times.map { ($0.key, $0.value) }
    }

    var count: Int { generations.reduce(0) { $0 + $1.times.count } }
}

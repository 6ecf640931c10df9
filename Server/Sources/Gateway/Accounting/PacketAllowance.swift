/// How many packets a network element may send: a bucket that holds one second's worth of them.
struct PacketAllowance: Sendable {
    private let perSecond: Int64
    private var filledAt: Int64 = .min
    /// In thousandths of a packet.
    private var level: Int64

    init(perSecond: Int) {
        self.perSecond = Int64(perSecond)
        level = Int64(perSecond) * 1000
    }

    mutating func take(at milliseconds: Int64) -> Bool {
        if filledAt == .min { filledAt = milliseconds }
        let elapsed = min(max(milliseconds - filledAt, 0), 1000)
        // A clock that was set back refills from there.
        filledAt = milliseconds
        level = min(level + elapsed * perSecond, perSecond * 1000)
        guard level >= 1000 else { return false }
        level -= 1000
        return true
    }
}

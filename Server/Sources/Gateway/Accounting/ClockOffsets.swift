/// How far the clock of one NAS is ahead of ours, by the dated packets that came last.
///
/// One packet says little: it may have waited, or be a recording. The median of many is moved only by what most of them
/// share.
struct ClockOffsets: Sendable, Hashable {
    /// Packets that count.
    static let window = 64
    /// The fewest packets for which an offset is reported.
    static let fewest = 8

    /// In milliseconds, each behind the one before, in a ring.
    private var offsets: [Int32] = []
    private var next = 0

    /// Notes a packet that came at `arrival`, in milliseconds since 1970.
    /// - Parameters:
    ///   - event: Event-Timestamp, when it happened by the NAS's clock, in whole seconds.
    ///   - delay: Acct-Delay-Time, the seconds for which the NAS has tried to send it since.
    mutating func note(event: UInt32, delay: UInt32, arrival: Int64) {
        // A whole second stands for all that begin with it: half of one more is right on average.
        let offset = Int32(clamping: (Int64(event) + Int64(delay)) * 1000 + 500 - arrival)
        guard offsets.count == Self.window else {
            offsets.append(offset)
            return
        }
        offsets[next] = offset
        next = (next + 1) % Self.window
    }

    /// Positive if the NAS's clock is ahead; `nil` as long as too little was heard. To half a second, for packets that
    /// are sent at once.
    var median: Duration? {
        guard offsets.count >= Self.fewest else { return nil }
        return .milliseconds(offsets.sorted()[offsets.count / 2])
    }
}

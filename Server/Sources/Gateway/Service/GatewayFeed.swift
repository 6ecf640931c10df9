package import BenjiProtocol
import RADIUS

/// How one NAS's accounting goes. It holds no number and no address.
package struct GatewayFeed: Sendable, Hashable {
    /// As the configuration calls the NAS.
    package var name: String
    package var carrier: Carrier
    /// Whether it comes over TLS.
    package var isOverTLS: Bool
    package var counts: FeedCounts
    /// Sessions that it announced, in doubt or not.
    package var sessions: Int
    /// Whether it has sessions and has been silent for longer than it may.
    package var isSilent: Bool
    /// For how long nothing was taken from it; since this process began if nothing ever was.
    package var silence: Duration
    package var loss: FeedLoss
    /// The sessions of the last count, and how many missed an Interim-Update. Those were silent for one and a half of
    /// its intervals.
    package var confirmation: FeedConfirmation

    /// How far its clock is ahead of ours, negative if it is behind; `nil` as long as too little was heard.
    package var clockAhead: Duration? { counts.clock.median }
}

/// The counts of one NAS since this process began.
package struct FeedCounts: Sendable, Hashable {
    /// When the last packet came that was believed and taken; `nil` if none did.
    package var heardAt: Timestamp?
    /// Packets that were believed and taken, repeated ones included.
    package var taken = 0
    /// Packets that identified no phone, refused or answered, by the reason. Packets that the kernel dropped are not
    /// counted by NAS.
    package var faults: [FeedFault: FeedFaultCount] = [:]
    /// Events that made a phone known: of sessions that began, named another subscriber or lasted into another day, and
    /// a NAT's reports about such sessions.
    package var named = 0
    /// Packets that it had tried to send before: their Acct-Delay-Time is not 0.
    package var delayed = 0
    var clock = ClockOffsets()

    /// Packets that got no answer.
    var refused: Int {
        faults.reduce(0) { sum, entry in
            guard case .dropped = entry.key else { return sum }
            return sum + entry.value.count
        }
    }
}

/// The packets of one NAS with one fault, since this process began.
package struct FeedFaultCount: Sendable, Hashable {
    package var count = 0
    /// The error in the last one, where it is known.
    var error: PacketError?
    /// How many seconds Event-Timestamp of the last one was ahead of our clock, negative if behind. `nil` if that was
    /// not the fault, or Acct-Delay-Time explains it.
    var clockAhead: Int64?
}

/// The signs that packets of a NAS were lost since this process began. Sessions from before it began count too, unless
/// the journal knows them.
package struct FeedLoss: Sendable, Hashable {
    /// Ends of sessions that nothing was heard of.
    package var stopsWithoutStart = 0
    /// Sessions that an Interim-Update spoke of first.
    package var sessionsWithoutStart = 0

    package init() {}
}

/// How many sessions of a NAS go on as they should.
package struct FeedConfirmation: Sendable, Hashable {
    package var sessions = 0
    package var unconfirmed = 0

    package init() {}
}

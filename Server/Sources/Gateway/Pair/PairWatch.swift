import Sightings

/// The observations of a pair's owner by the other gateway, and their times. It decides when to take over.
///
/// It uses a clock that only measures, and compares no clocks of two machines. A living owner writes something at least
/// every second. An owner that has written nothing for ``patience``, while the record was readable all the time, is
/// taken for dead. If it is alive, its fence is outdated from then on, and its statements do not count.
struct PairWatch: Sendable {
    /// How long an owner may write nothing.
    static let patience: Duration = .seconds(6)
    /// The longest pause between two looks. After a longer one this gateway was absent itself, and the watch restarts.
    static let longestGap: Duration = .seconds(4)

    private(set) var seen: PairStanding?
    /// When it was first seen to stand so.
    private var since: Duration = .zero
    private var lookedAt: Duration?
    /// When it was looked at last before its owner recorded something: that owner listened later than that.
    private(set) var aliveAt: Duration?

    /// The pair stands so.
    mutating func saw(_ standing: PairStanding, at now: Duration) {
        defer { lookedAt = now }
        let isWatched = lookedAt.map { now - $0 <= Self.longestGap } ?? false
        if let seen, seen.fence == standing.fence, seen.sequence == standing.sequence {
            if !isWatched { since = now }
        } else {
            if let seen, seen.fence == standing.fence {
                // Only what its owner recorded shows that it listened: to give a pair back is no record.
                if standing.owner != nil, seen.owner == standing.owner { aliveAt = lookedAt }
            } else {
                // A new owner has not been seen alive yet, nor has the owner that the first look finds.
                aliveAt = nil
            }
            since = now
        }
        seen = standing
    }

    /// The pair could not be looked at: then its owner may not have been able to write either.
    mutating func lost() { lookedAt = nil }

    /// How the pair stands, if it may be taken over.
    func claimable(at now: Duration) -> PairStanding? {
        guard let seen, lookedAt != nil else { return nil }
        return seen.owner == nil || now - since >= Self.patience ? seen : nil
    }
}

package import BenjiProtocol

/// A comparison of this machine's clock with that of another machine, which was asked for its time: the database, or
/// the authority.
///
/// Each node measures lives of credentials by its own clock, so nodes whose clocks differ disagree about what has
/// expired.
package struct ClockComparison: Hashable, Sendable {
    package enum Verdict: Comparable, Hashable, Sendable {
        case good
        /// More than NTP leaves: the operator should see to it.
        case warning
        /// Credentials expire too early or too late, so the machine must serve no request.
        case unfit
    }

    /// More is a warning: 2 s.
    package static let tolerated: Duration = .seconds(2)
    /// More makes a node unfit: 30 s, a quarter of the life of most tokens. Two nodes that differ from the database by
    /// this in opposite directions still have half a life in common.
    package static let maximum: Duration = .seconds(30)

    /// This machine's time when it asked, and when it was answered.
    package var asked: Timestamp
    package var answered: Timestamp
    package var other: Timestamp

    package init(asked: Timestamp, answered: Timestamp, other: Timestamp) {
        self.asked = asked
        self.answered = answered
        self.other = other
    }

    /// How far this machine's clock is ahead of the other one, at least; negative if it is behind. The other time was
    /// read between question and answer, so a slow answer shows no difference that is not there.
    package var ahead: Duration {
        let (first, last) = (min(asked, answered), max(asked, answered))
        if other < first { return first - other }
        return other > last ? last - other : .zero
    }

    /// How long the answer took; negative if this machine's clock was put back meanwhile. A difference may hide in it.
    package var took: Duration { answered - asked }

    /// - Parameters:
    ///   - maximum: more makes the machine unfit.
    ///   - tolerated: more is a warning.
    package func verdict(maximum: Duration = Self.maximum, tolerated: Duration = Self.tolerated) -> Verdict {
        let distance = max(ahead, .zero - ahead)
        if distance > maximum { return .unfit }
        return distance > tolerated ? .warning : .good
    }

    /// Both times and the remedy, for the operator.
    ///
    /// - Parameter name: whose time the other one is, as in "the database's".
    package func text(_ name: String) -> String {
        let seconds = max(ahead, .zero - ahead).wholeMilliseconds / 1000
        return
            "this machine's clock says \(answered.boundedText) and \(name) \(other.boundedText), so it is \(seconds) s "
            + "\(ahead < .zero ? "behind" : "ahead"); run NTP on both machines"
    }
}

/// The verdict on a clock, over several comparisons.
///
/// A slow answer hides a difference, so it makes no verdict better. A clock near a limit does not change its verdict
/// with each comparison: the better one is reached below half the limit.
package struct ClockStanding: Hashable, Sendable {
    /// Answers that took longer are slow: 1 s.
    package static let slow: Duration = .seconds(1)

    /// The last comparison that counted; `nil` before the first.
    package private(set) var comparison: ClockComparison?
    package private(set) var verdict = ClockComparison.Verdict.good

    package init() {}

    /// Takes a comparison into account.
    ///
    /// - Parameter maximum: more makes the machine unfit.
    /// - Returns: the verdict if it changed, otherwise `nil`.
    package mutating func note(
        _ new: ClockComparison, maximum: Duration = ClockComparison.maximum
    ) -> ClockComparison.Verdict? {
        let before = verdict
        let plain = new.verdict(maximum: maximum)
        if plain <= before, new.took > Self.slow { return nil }
        comparison = new
        let strict = new.verdict(maximum: maximum / 2, tolerated: ClockComparison.tolerated / 2)
        verdict = plain >= before ? plain : min(before, strict)
        return verdict == before ? nil : verdict
    }

    /// Both times and the remedy, if that is the verdict; `nil` otherwise.
    ///
    /// - Parameter name: whose time the other one is, as in "the database's".
    package func text(of verdict: ClockComparison.Verdict, _ name: String) -> String? {
        guard let comparison, verdict == self.verdict else { return nil }
        return comparison.text(name)
    }
}

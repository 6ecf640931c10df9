import BenjiProtocol

/// Finds the highest rate that a server keeps up with. It steps up by half until a step fails. Then it halves the gap
/// between the last rate that held and the first that did not.
///
/// A step holds if at least 99.9 % of its logins succeeded, and were finished at 95 % or more of the rate asked. Also,
/// the 99th percentile of a whole login must stay under the limit.
package struct MaximumSearch: Hashable, Sendable {
    /// The result of one step.
    package struct Step: Hashable, Sendable {
        /// Logins begun a second.
        package var rate: Double
        /// Logins that succeeded, a second.
        package var succeeded: Double
        /// Failed logins by begun ones, 0 to 1.
        package var failureShare: Double
        /// 99th percentile of whole logins.
        package var p99: Duration

        package init(rate: Double, succeeded: Double, failureShare: Double, p99: Duration) {
            self.rate = rate
            self.succeeded = succeeded
            self.failureShare = failureShare
            self.p99 = p99
        }
    }

    package static let maximumFailureShare = 0.001
    package static let minimumYield = 0.95
    private static let growth = 1.5

    package let latencyLimit: Duration
    /// The highest step that held.
    package private(set) var best: Step?
    private var failed: Double?
    private var halvings: Int

    /// - Parameter halvings: steps between the last rate that held and the first that did not.
    package init(latencyLimit: Duration = .milliseconds(500), halvings: Int = 3) {
        self.latencyLimit = latencyLimit
        self.halvings = halvings
    }

    /// Why a step did not hold, in words; `nil` if it did.
    package func fault(of step: Step) -> String? {
        if step.failureShare > Self.maximumFailureShare {
            return "\(LoadReport.tenths(step.failureShare * 100)) % of the logins failed"
        }
        if step.succeeded < step.rate * Self.minimumYield {
            return
                "only \(LoadReport.tenths(step.succeeded)) of \(LoadReport.tenths(step.rate)) logins a second were "
                + "finished"
        }
        if step.p99 > latencyLimit { return "one login in a hundred took longer than \(step.p99.wholeMilliseconds) ms" }
        return nil
    }

    /// The rate to try next; `nil` when the search is over.
    package mutating func next(after step: Step) -> Double? {
        if fault(of: step) == nil {
            if step.rate > best?.rate ?? 0 { best = step }
        } else {
            failed = min(failed ?? .infinity, step.rate)
        }
        guard let failed else { return step.rate * Self.growth }
        guard let best else {
            // Nothing has held yet: down, but not for ever.
            return step.rate > 1 ? step.rate / 2 : nil
        }
        guard halvings > 0 else { return nil }
        halvings -= 1
        return (best.rate + failed) / 2
    }
}

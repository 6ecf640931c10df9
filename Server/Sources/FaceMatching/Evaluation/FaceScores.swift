import Foundation

/// The similarities of pairs, and how often a threshold errs on them.
package struct FaceScores: Sendable {
    package struct Score: Hashable, Sendable {
        package var similarity: Double
        package var isSame: Bool
        package var fold: Int
        /// The group of people that the pair is counted in.
        package var group: String?

        package init(similarity: Double, isSame: Bool, fold: Int = 0, group: String? = nil) {
            self.similarity = similarity
            self.isSame = isSame
            self.fold = fold
            self.group = group
        }
    }

    /// How many of how many were wrong.
    package struct Rate: Hashable, Sendable {
        package var errors: Int
        package var of: Int

        /// `nan` where there was nothing to be wrong about.
        package var value: Double { of > 0 ? Double(errors) / Double(of) : .nan }

        package init(errors: Int, of: Int) {
            self.errors = errors
            self.of = of
        }

        /// The highest true rate that these counts leave possible, with a certainty of 95 % (Clopper and Pearson,
        /// one-sided).
        package var upperBound: Double { highest(0.05) }

        /// Where the true rate is with a certainty of 95 % (Clopper and Pearson, two-sided), if the pairs are
        /// independent.
        package var interval: ClosedRange<Double> { interval(error: 0.05) }

        /// The same with another certainty.
        /// - Parameter error: the chance that the true rate is outside of it, on either side together; 0 to 1.
        package func interval(error: Double) -> ClosedRange<Double> {
            guard of > 0 else { return 0...1 }
            let side = error / 2
            guard errors > 0 else { return 0...highest(side) }
            // As many errors as these, or more, have this chance at the lowest rate.
            let lowest = Self.rate(between: 0, value) { 1 - Self.chance(atMost: errors - 1, of: of, rate: $0) < side }
            return lowest...highest(side)
        }

        /// The rate at which as few errors as these have this chance.
        private func highest(_ chance: Double) -> Double {
            guard of > 0, errors < of else { return 1 }
            return Self.rate(between: value, 1) { Self.chance(atMost: errors, of: of, rate: $0) > chance }
        }

        /// Where `isBelow` turns false.
        private static func rate(between low: Double, _ high: Double, _ isBelow: (Double) -> Bool) -> Double {
            var (low, high) = (low, high)
            for _ in 0..<60 {
                let middle = (low + high) / 2
                if isBelow(middle) { low = middle } else { high = middle }
            }
            return high
        }

        private static func chance(atMost errors: Int, of: Int, rate: Double) -> Double {
            func logFactorial(_ number: Int) -> Double { lgamma(Double(number) + 1) }
            return (0...errors).reduce(0) { sum, count in
                let ways = logFactorial(of) - logFactorial(count) - logFactorial(of - count)
                return sum + exp(ways + Double(count) * log(rate) + Double(of - count) * log1p(-rate))
            }
        }
    }

    package let scores: [Score]
    /// Sorted.
    package let same: [Double]
    package let different: [Double]

    package init(_ scores: [Score]) {
        self.scores = scores
        same = scores.filter(\.isSame).map(\.similarity).sorted()
        different = scores.filter { !$0.isSame }.map(\.similarity).sorted()
    }

    /// The scores of each group, by its name. Empty if the pairs have none.
    package var groups: [(name: String, scores: FaceScores)] {
        Dictionary(grouping: scores.filter { $0.group != nil }) { $0.group ?? "" }
            .map { ($0.key, FaceScores($0.value)) }.sorted { $0.name < $1.name }
    }

    /// FMR: two people taken for one.
    package func falseMatch(at threshold: Double) -> Rate {
        Rate(errors: different.count - Self.below(threshold, in: different), of: different.count)
    }

    /// FNMR: one person taken for two.
    package func falseNonMatch(at threshold: Double) -> Rate {
        Rate(errors: Self.below(threshold, in: same), of: same.count)
    }

    /// The part of all pairs that a threshold judges rightly.
    package func accuracy(at threshold: Double) -> Double {
        let wrong = falseMatch(at: threshold).errors + falseNonMatch(at: threshold).errors
        return scores.isEmpty ? .nan : 1 - Double(wrong) / Double(scores.count)
    }

    /// The threshold that judges most pairs rightly: the middle of the widest gap among the best.
    package var bestThreshold: Double {
        let values = scores.map(\.similarity).sorted()
        guard let lowest = values.first, let highest = values.last else { return .nan }
        let edges = [lowest - 0.02] + values + [highest + 0.02]
        return zip(edges, edges.dropFirst())
            .map { (threshold: ($0 + $1) / 2, accuracy: accuracy(at: ($0 + $1) / 2), gap: $1 - $0) }
            .max { ($0.accuracy, $0.gap) < ($1.accuracy, $1.gap) }?.threshold ?? .nan
    }

    /// EER: the rate at the threshold where FMR and FNMR are nearest, their mean there; of several such the one in the
    /// middle.
    package var equalError: (rate: Double, threshold: Double) {
        guard !same.isEmpty, !different.isEmpty else { return (.nan, .nan) }
        let all = (same + different).sorted().map {
            (threshold: $0, fmr: falseMatch(at: $0).value, fnmr: falseNonMatch(at: $0).value)
        }
        let least = all.map { abs($0.fmr - $0.fnmr) }.min() ?? .nan
        let nearest = all.filter { abs($0.fmr - $0.fnmr) == least }
        let middle = nearest[nearest.count / 2]
        return ((middle.fmr + middle.fnmr) / 2, middle.threshold)
    }

    /// The protocol of LFW: each fold is judged with the threshold that is best for all others.
    /// - Returns: mean and standard error of the folds' accuracies, and how many folds have pairs; `nil` with fewer
    ///   than two.
    package var crossValidated: (accuracy: Double, standardError: Double, folds: Int)? {
        let folds = Set(scores.map(\.fold)).sorted()
        guard folds.count > 1 else { return nil }
        let accuracies = folds.map { fold in
            let threshold = FaceScores(scores.filter { $0.fold != fold }).bestThreshold
            return FaceScores(scores.filter { $0.fold == fold }).accuracy(at: threshold)
        }
        let mean = accuracies.reduce(0, +) / Double(folds.count)
        let variance = accuracies.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(folds.count - 1)
        return (mean, (variance / Double(folds.count)).squareRoot(), folds.count)
    }

    /// How many of the sorted values are below a threshold.
    private static func below(_ threshold: Double, in sorted: [Double]) -> Int {
        var low = 0
        var high = sorted.count
        while low < high {
            let middle = (low + high) / 2
            if sorted[middle] < threshold { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

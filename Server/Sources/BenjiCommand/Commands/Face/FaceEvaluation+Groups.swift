#if Face
import Requests
import ServerRuntime
import Authority
import FaceMatching
import Foundation

/// An evaluation's result for one group of people.
struct FaceGroupResult {
    /// Without characters that would steer a terminal.
    var name: String
    /// How many pairs of the group were compared.
    var same: Int
    var different: Int
    /// Two people taken for one.
    var falseMatch: FaceScores.Rate
    /// One person taken for two.
    var falseNonMatch: FaceScores.Rate
    /// Pictures that were not compared at all.
    var refused: FaceScores.Rate
}

extension FaceEvaluation {
    /// Every group that the list names, at the threshold of a login; sorted by name.
    var groups: [FaceGroupResult] {
        let scores = Dictionary(uniqueKeysWithValues: scores.groups.map { ($0.name, $0.scores) })
        let refused = Set(refused.map(\.path))
        return list.groups.map { name in
            let own = scores[name] ?? FaceScores([])
            let pictures = Set(list.pairs.filter { $0.group == name }.flatMap { [$0.one, $0.other] })
            return FaceGroupResult(
                name: name.printable, same: own.same.count, different: own.different.count,
                falseMatch: own.falseMatch(at: policy.verification),
                falseNonMatch: own.falseNonMatch(at: policy.verification),
                refused: FaceScores.Rate(errors: pictures.intersection(refused).count, of: pictures.count))
        }
    }

    /// The table of groups; empty if the list names none.
    var groupLines: [String] {
        let groups = groups
        guard !groups.isEmpty else { return [] }
        let widest = groups.map(\.name.count).max() ?? 0
        func row(_ cells: [String]) -> String {
            zip(cells, [min(max(widest, 5), 24) + 2, 14, 30, 30, 0]).map { Terminal.padded($0, to: $1) }.joined()
        }
        var lines = [
            "",
            "by group, at \(String(format: "%.3f", policy.verification)); in brackets where the rate is with a "
                + "certainty of 95 %",
            row(["group", "pairs", "FMR (two taken for one)", "FNMR (one refused)", "pictures refused"]),
        ]
        lines += groups.map { group in
            row([
                String(group.name.prefix(24)), "\(group.same) + \(group.different)", Self.text(group.falseMatch),
                Self.text(group.falseNonMatch), Self.text(group.refused),
            ])
        }
        // Among many intervals some miss the true rate by chance. Bonferroni: all of them hold together with a
        // certainty of 95 %.
        let rates: [(name: String, of: KeyPath<FaceGroupResult, FaceScores.Rate>)] = [
            ("FMR", \.falseMatch), ("FNMR", \.falseNonMatch), ("share of refused pictures", \.refused),
        ]
        let error = 0.05 / Double(groups.count * rates.count)
        let verdicts = rates.compactMap { Self.verdict($0.name, groups, error, $0.of) }
        guard !verdicts.isEmpty else { return lines }
        return lines
            + [
                "whether groups differ, by intervals that all hold together with a certainty of 95 % "
                    + "(each of the \(groups.count * rates.count) with \(String(format: "%.2f", (1 - error) * 100)) %):"
            ] + verdicts
    }

    /// Whether these pairs show that a rate differs between groups.
    /// - Parameter error: the chance that one interval misses the true rate.
    private static func verdict(
        _ name: String, _ groups: [FaceGroupResult], _ error: Double,
        _ rate: KeyPath<FaceGroupResult, FaceScores.Rate>
    ) -> String? {
        func interval(_ group: FaceGroupResult) -> ClosedRange<Double> { group[keyPath: rate].interval(error: error) }
        let known = groups.filter { $0[keyPath: rate].of > 0 }
        guard
            let lowest = known.min(by: { interval($0).upperBound < interval($1).upperBound }),
            let highest = known.max(by: { interval($0).lowerBound < interval($1).lowerBound }), known.count > 1
        else { return nil }
        guard interval(highest).lowerBound > interval(lowest).upperBound else {
            return "\(name): the intervals overlap, so these pairs show no difference between groups; more pairs may"
        }
        return "\(name): higher for \(highest.name) than for \(lowest.name), by more than chance explains"
    }

    static func text(_ rate: FaceScores.Rate) -> String {
        guard rate.of > 0 else { return "no such pairs" }
        let interval = rate.interval
        return "\(percent(rate.value)) (\(percent(interval.lowerBound)) to \(percent(interval.upperBound)))"
    }
}
#endif

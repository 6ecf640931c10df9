#if Face
import Requests
import ServerRuntime
import Authority
import FaceMatching
import Foundation

/// An evaluation's result, for a person.
struct FaceEvaluation {
    var list: FacePairList
    var scores: FaceScores
    var refused: [(path: String, error: FaceError)]
    var policy: FacePolicy

    var lines: [String] {
        var lines = [
            "\(scores.scores.count) of \(list.pairs.count) pairs compared: "
                + "\(scores.same.count) of one person, \(scores.different.count) of two"
        ]
        if !refused.isEmpty {
            lines.append("\(refused.count) pictures refused:")
            lines += refused.prefix(20).map { "  \($0.path.printable): \("\($0.error)".printable)" }
            if refused.count > 20 { lines.append("  and \(refused.count - 20) more") }
        }
        guard !scores.scores.isEmpty else { return lines }
        lines.append("")
        if let validated = scores.crossValidated {
            let text =
                "accuracy \(Self.percent(validated.accuracy)) ± \(Self.percent(validated.standardError)) (standard "
                + "error)"
            // A fold whose pictures were all refused was not judged.
            let folds = validated.folds == list.folds ? "\(list.folds)" : "\(validated.folds) of \(list.folds)"
            lines.append("\(text), each of \(folds) folds judged by the threshold of the others")
        } else {
            let best = scores.bestThreshold
            lines.append(
                "accuracy \(Self.percent(scores.accuracy(at: best))) at \(two(best)), the best threshold for these "
                    + "pairs"
            )
        }
        let equal = scores.equalError
        lines.append(
            equal.rate.isNaN
                ? "EER needs pairs of both kinds" : "EER \(Self.percent(equal.rate)) at \(two(equal.threshold))"
        )
        lines += [
            "", Self.row("threshold", "", "accuracy", "FMR (two people taken for one)", "FNMR (one person refused)"),
        ]
        for (name, threshold) in [
            ("verification, 1:1", policy.verification), ("identification, 1:N", policy.identification),
        ] {
            lines.append(
                Self.row(
                    name, two(threshold), Self.percent(scores.accuracy(at: threshold)),
                    rate(scores.falseMatch(at: threshold)), rate(scores.falseNonMatch(at: threshold))))
        }
        if let lowest = scores.same.first { lines.append("\nleast alike of one person: \(two(lowest))") }
        if let highest = scores.different.last { lines.append("most alike of two people: \(two(highest))") }
        return lines + groupLines
    }

    private static func row(_ cells: String...) -> String {
        zip(cells, [22, 6, 10, 40, 0]).map { Terminal.padded($0, to: $1) }.joined()
    }

    private func rate(_ rate: FaceScores.Rate) -> String {
        guard rate.of > 0 else { return "no such pairs" }
        return "\(Self.percent(rate.value)) (\(rate.errors) of \(rate.of), at most \(Self.percent(rate.upperBound)))"
    }

    static func percent(_ value: Double) -> String {
        String(format: abs(value) < 0.01 && value != 0 ? "%.3f %%" : "%.1f %%", value * 100)
    }

    private func two(_ value: Double) -> String { String(format: "%.3f", value) }
}
#endif

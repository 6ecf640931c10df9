#if Face
import FaceMatching
import Foundation

/// Similarities and error rates over the threshold, as SVG: above how alike pairs are, below how often a threshold
/// errs.
struct FaceEvaluationPlot {
    private let scores: FaceScores
    private let policy: FacePolicy
    private let range: ClosedRange<Double>

    private static let left = 70.0
    private static let width = 620.0
    private static let panels = (upper: 60.0, lower: 330.0, height: 200.0)
    static let same = "#1b7837"
    static let different = "#b2182b"

    private let groups: [FaceGroupResult]

    init(_ evaluation: FaceEvaluation) {
        scores = evaluation.scores
        policy = evaluation.policy
        groups = evaluation.groups
        let values = scores.scores.map(\.similarity)
        range = min((values.min() ?? 0) - 0.05, -0.1)...1
    }

    var svg: String {
        let groupPanel = FaceGroupPanel(groups, threshold: policy.verification)
        let height = 590 + groupPanel.height
        let upper = Self.panels.upper
        let lower = Self.panels.lower
        var parts = [
            """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 760 \(height)" font-family="sans-serif" font-size="12">
            <rect width="760" height="\(height)" fill="white"/>
            """,
            Self.text(
                Self.left, 24, "\(scores.same.count) pairs of one person, \(scores.different.count) of two", size: 15),
            Self.text(Self.left, upper - 10, "how alike pairs are (share of its kind in each bar)"),
            Self.text(Self.left, lower - 10, "how often a threshold errs"),
        ]
        parts.append(
            frame(upper) + frame(lower) + bars(scores.different, Self.different) + bars(scores.same, Self.same))
        parts.append(curve(Self.different) { scores.falseMatch(at: $0).value })
        parts.append(curve(Self.same) { scores.falseNonMatch(at: $0).value })
        parts.append(threshold(policy.verification, "1:1", upper, before: true))
        parts.append(threshold(policy.identification, "1:N", upper, before: false))
        parts.append(threshold(policy.verification, "", lower, before: true))
        parts.append(threshold(policy.identification, "", lower, before: false))
        parts.append(Self.text(Self.left, 570, "similarity (cosine)"))
        parts.append(Self.text(280, 570, "■ two people; below: FMR, two taken for one", color: Self.different))
        parts.append(Self.text(575, 570, "■ one person; below: FNMR", color: Self.same))
        if !groups.isEmpty { parts.append("<g transform=\"translate(0 590)\">\n\(groupPanel.svg)\n</g>") }
        return parts.joined(separator: "\n") + "\n</svg>\n"
    }

    private func x(_ similarity: Double) -> Double {
        Self.left + (similarity - range.lowerBound) / (range.upperBound - range.lowerBound) * Self.width
    }

    /// Axes with marks at every fifth and at each quarter.
    private func frame(_ top: Double) -> String {
        let bottom = top + Self.panels.height
        var parts = [
            "<rect x=\"\(Self.left)\" y=\"\(top)\" width=\"\(Self.width)\" height=\"\(Self.panels.height)\" fill=\"none\" stroke=\"#888\"/>"
        ]
        for tick in stride(from: (range.lowerBound * 5).rounded(.up) / 5, through: 1.001, by: 0.2) {
            parts.append(
                Self.text(x(tick), bottom + 16, String(format: "%.1f", abs(tick) < 0.01 ? 0 : tick), anchor: "middle"))
            parts.append(Self.line(x(tick), bottom, x(tick), bottom + 4, "#888"))
        }
        for share in [0, 0.25, 0.5, 0.75, 1] {
            let y = bottom - share * Self.panels.height
            parts.append(Self.text(Self.left - 8, y + 4, String(format: "%.0f %%", share * 100), anchor: "end"))
            parts.append(Self.line(Self.left, y, Self.left + Self.width, y, "#eee"))
        }
        return parts.joined(separator: "\n")
    }

    private func bars(_ values: [Double], _ color: String) -> String {
        guard !values.isEmpty else { return "" }
        let step = 0.025
        var counts: [Int: Int] = [:]
        for value in values { counts[Int((value / step).rounded(.down)), default: 0] += 1 }
        let bottom = Self.panels.upper + Self.panels.height
        return counts.sorted { $0.key < $1.key }.map { bin, count in
            let height = Double(count) / Double(values.count) * Self.panels.height
            let from = x(Double(bin) * step)
            return Self.format(
                "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"", from, bottom - height,
                x(Double(bin + 1) * step) - from - 1, height) + color + "\" fill-opacity=\"0.6\"/>"
        }.joined(separator: "\n")
    }

    private func curve(_ color: String, _ rate: (Double) -> Double) -> String {
        let bottom = Self.panels.lower + Self.panels.height
        let points = stride(from: range.lowerBound, through: range.upperBound, by: 0.004).compactMap { threshold in
            let value = rate(threshold)
            return value.isNaN ? nil : Self.format("%.1f,%.1f", x(threshold), bottom - value * Self.panels.height)
        }
        return
            "<polyline points=\"\(points.joined(separator: " "))\" fill=\"none\" stroke=\"\(color)\" stroke-width=\"2\"/>"
    }

    private func threshold(_ value: Double, _ name: String, _ top: Double, before: Bool) -> String {
        let label = name.isEmpty ? "" : "\(name) \(String(format: "%.2f", value))"
        return Self.line(x(value), top, x(value), top + Self.panels.height, "#333", dashed: true)
            + Self.text(x(value) + (before ? -4 : 4), top + 14, label, anchor: before ? "end" : "start")
    }

    static func format(_ format: String, _ values: Double...) -> String {
        String(format: format, arguments: values)
    }

    static func line(
        _ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, _ color: String, dashed: Bool = false
    ) -> String {
        format("<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"", x1, y1, x2, y2) + color + "\""
            + (dashed ? " stroke-dasharray=\"4 3\"" : "") + "/>"
    }

    static func text(
        _ x: Double, _ y: Double, _ text: String, size: Int = 12, anchor: String = "start", color: String = "#222"
    ) -> String {
        format("<text x=\"%.1f\" y=\"%.1f\" ", x, y)
            + "font-size=\"\(size)\" text-anchor=\"\(anchor)\" fill=\"\(color)\">\(text)</text>"
    }
}
#endif

#if Face
import FaceMatching
import Foundation

/// The error rates of each group with their intervals, as a part of an SVG picture that is 760 wide. A dot is the rate
/// that was seen; the line covers the true one with a certainty of 95 %.
struct FaceGroupPanel {
    private let groups: [FaceGroupResult]
    private let threshold: Double

    private static let row = 26
    private static let top = 58

    private struct Column {
        var left: Double
        var title: String
        var color: String
        var rate: (FaceGroupResult) -> FaceScores.Rate
    }

    private static var columns: [Column] {
        [
            Column(left: 190, title: "FNMR: one person refused", color: FaceEvaluationPlot.same) { $0.falseNonMatch },
            Column(left: 470, title: "FMR: two people taken for one", color: FaceEvaluationPlot.different) {
                $0.falseMatch
            },
        ]
    }

    private static let width = 220.0

    init(_ groups: [FaceGroupResult], threshold: Double) {
        self.groups = groups
        self.threshold = threshold
    }

    /// 0 without groups.
    var height: Int { groups.isEmpty ? 0 : Self.top + groups.count * Self.row + 44 }

    var svg: String {
        var parts = [
            FaceEvaluationPlot.text(
                70, 18, "by group, at \(String(format: "%.2f", threshold)); lines: 95 % of certainty", size: 15)
        ]
        for (index, group) in groups.enumerated() {
            parts.append(
                FaceEvaluationPlot.text(180, y(index) + 4, Self.escaped(String(group.name.prefix(24))), anchor: "end"))
        }
        for column in Self.columns {
            parts.append(FaceEvaluationPlot.text(column.left, Double(Self.top) - 16, column.title, color: column.color))
            let most = Self.top(of: groups.map(column.rate))
            parts.append(axis(column.left, most))
            for (index, group) in groups.enumerated() {
                parts.append(mark(column.rate(group), column.left, most, y(index), column.color))
            }
        }
        return parts.joined(separator: "\n")
    }

    private func y(_ index: Int) -> Double { Double(Self.top + index * Self.row + Self.row / 2) }

    private func axis(_ left: Double, _ most: Double) -> String {
        let bottom = Double(Self.top + groups.count * Self.row)
        let frame = FaceEvaluationPlot.format(
            "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"none\" stroke=\"#888\"/>", left,
            Double(Self.top), Self.width, bottom - Double(Self.top))
        let ticks = [0, 0.5, 1].map { part in
            let x = left + part * Self.width
            return FaceEvaluationPlot.line(x, Double(Self.top), x, bottom, "#ddd")
                + FaceEvaluationPlot.text(x, bottom + 16, Self.percent(part * most), anchor: "middle")
        }
        return ([frame] + ticks).joined(separator: "\n")
    }

    private func mark(_ rate: FaceScores.Rate, _ left: Double, _ most: Double, _ y: Double, _ color: String) -> String {
        guard rate.of > 0 else { return FaceEvaluationPlot.text(left + 6, y + 4, "no such pairs", color: "#888") }
        func x(_ value: Double) -> Double { left + min(value / most, 1) * Self.width }
        return FaceEvaluationPlot.line(x(rate.interval.lowerBound), y, x(rate.interval.upperBound), y, color)
            + FaceEvaluationPlot.format("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\" fill=\"", x(rate.value), y) + color
            + "\"/>"
    }

    /// The first round number above every interval.
    private static func top(of rates: [FaceScores.Rate]) -> Double {
        let most = rates.filter { $0.of > 0 }.map(\.interval.upperBound).max() ?? 1
        return [0.0001, 0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5].first { $0 >= most } ?? 1
    }

    private static func percent(_ value: Double) -> String {
        value == 0 ? "0" : String(format: "%g %%", value * 100)
    }

    /// A group's name comes from a file, which may hold what XML 1.0 (§2.2) has no place for. Its control characters
    /// are gone.
    private static func escaped(_ text: String) -> String {
        var text = text
        text.unicodeScalars.removeAll { $0 == "\u{fffe}" || $0 == "\u{ffff}" }
        return text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
}
#endif

import Foundation

/// The result of a benchmark: rows of figures, and the one ratio that the project states.
package struct BenchmarkResult: Sendable {
    package struct Row: Sendable {
        package var name: String
        package var figures: Figures
        /// Such as `/s`, `µs`, `B`, `×`.
        package var unit: String
        /// A remark needed to read the figure; may be empty.
        package var note: String
        /// A text in the place of the figures, such as that a contestant is not durable; `nil` shows them.
        package var instead: String?

        package init(_ name: String, _ figures: Figures, unit: String, note: String = "", instead: String? = nil) {
            self.name = name
            self.instead = instead
            self.figures = figures
            self.unit = unit
            self.note = note
        }
    }

    /// The name under which the collector files it, such as `accounting`.
    package var benchmark: String
    /// The quantities of the ratio, in words.
    package var ratioOf: String
    package var ratio: Figures
    package var rows: [Row]
    /// Measurements over growing sizes; empty for most benchmarks.
    package var series: [Series]

    package init(_ benchmark: String, ratioOf: String, ratio: Figures, rows: [Row], series: [Series] = []) {
        self.benchmark = benchmark
        self.ratioOf = ratioOf
        self.ratio = ratio
        self.rows = rows
        self.series = series
    }

    /// Median, lowest and highest of each row, and of each point of a series.
    package var table: Table {
        var table = Table(["", "median", "lowest", "highest", "unit", ""])
        for row in rows + [Row(ratioOf, ratio, unit: "×")] {
            let figures = [row.figures.median, row.figures.lowest, row.figures.highest].map(\.short)
            table.add([row.name] + (row.instead.map { [$0, "", ""] } ?? figures) + [row.unit, row.note])
        }
        for series in series {
            for point in series.points {
                let figures = point.figures
                table.add([
                    "\(series.name), \(Series.text(point.size)) \(series.over)", figures.median.short,
                    figures.lowest.short, figures.highest.short, series.unit,
                ])
            }
        }
        return table
    }

    /// One line of JSON for the collector.
    package var json: String {
        get throws {
            let line = Line(
                benchmark: benchmark, ratio: ratio.median, ratioOf: ratioOf,
                rows: rows.map {
                    .init(
                        name: $0.name, unit: $0.unit, note: $0.note, instead: $0.instead, median: $0.figures.median,
                        spread: .init($0.figures))
                },
                spread: .init(ratio), rounds: ratio.values.count,
                series: series.isEmpty
                    ? nil
                    : series.map { series in
                        .init(
                            name: series.name, over: series.over, unit: series.unit,
                            points: series.points.map {
                                .init(size: $0.size, median: $0.figures.median, spread: .init($0.figures))
                            })
                    })
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return String(decoding: try encoder.encode(line), as: UTF8.self)
        }
    }

    private struct Line: Encodable {
        var benchmark: String
        var ratio: Double
        var ratioOf: String
        var rows: [LineRow]
        var spread: Spread
        var rounds: Int
        var series: [LineSeries]?
    }

    private struct LineSeries: Encodable {
        var name: String
        var over: String
        var unit: String
        var points: [LinePoint]
    }

    private struct LinePoint: Encodable {
        var size: Int
        var median: Double
        var spread: Spread
    }

    private struct LineRow: Encodable {
        var name: String
        var unit: String
        var note: String
        var instead: String?
        var median: Double
        var spread: Spread
    }

    private struct Spread: Encodable {
        var lowest: Double
        var highest: Double

        init(_ figures: Figures) {
            lowest = figures.lowest
            highest = figures.highest
        }
    }
}

import Foundation

/// What a benchmark found: rows of figures, of which one ratio is what the project states.
package struct BenchmarkResult: Sendable {
    package struct Row: Sendable {
        package var name: String
        package var figures: Figures
        /// Such as `/s`, `µs`, `B`, `×`.
        package var unit: String
        /// What must be known to read the figure; may be empty.
        package var note: String

        package init(_ name: String, _ figures: Figures, unit: String, note: String = "") {
            self.name = name
            self.figures = figures
            self.unit = unit
            self.note = note
        }
    }

    /// The name under which the collector files it, such as `accounting`.
    package var benchmark: String
    /// What was divided by what, in words.
    package var ratioOf: String
    package var ratio: Figures
    package var rows: [Row]

    package init(_ benchmark: String, ratioOf: String, ratio: Figures, rows: [Row]) {
        self.benchmark = benchmark
        self.ratioOf = ratioOf
        self.ratio = ratio
        self.rows = rows
    }

    /// Median, lowest and highest of each row.
    package var table: Table {
        var table = Table(["", "median", "lowest", "highest", "unit", ""])
        for row in rows + [Row(ratioOf, ratio, unit: "×")] {
            table.add([
                row.name, row.figures.median.short, row.figures.lowest.short, row.figures.highest.short, row.unit,
                row.note,
            ])
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
                        name: $0.name, unit: $0.unit, note: $0.note, median: $0.figures.median,
                        spread: .init($0.figures))
                },
                spread: .init(ratio), rounds: ratio.values.count)
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
    }

    private struct LineRow: Encodable {
        var name: String
        var unit: String
        var note: String
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

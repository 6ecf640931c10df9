/// One kind of work, measured while something that it works on or beside grows.
package struct Series: Sendable {
    package struct Point: Sendable {
        package var size: Int
        package var figures: Figures

        package init(size: Int, figures: Figures) { (self.size, self.figures) = (size, figures) }
    }

    /// The work, such as `redeem`.
    package let name: String
    /// The growing quantity, in the plural, such as `apps`.
    package let over: String
    /// The unit of each figure, such as `µs`.
    package let unit: String
    /// By growing size.
    package let points: [Point]

    package init(_ name: String, over: String, unit: String = "µs", points: [Point]) {
        (self.name, self.over, self.unit, self.points) = (name, over, unit, points)
    }

    /// Measures each size once in every round, one after the other (``Rounds``).
    /// - Parameter measure: the figure of one size, in `unit`.
    package static func measured(
        _ name: String, over: String, unit: String = "µs", sizes: [Int], rounds: Int,
        progress: (String) -> Void = { _ in }, measure: @escaping (_ size: Int) async throws -> Double
    ) async throws -> Series {
        let sizes = sizes.sorted()
        let figures = try await Rounds(rounds).run(
            sizes.map { size in ("\(name), \(text(size)) \(over)", { try await measure(size) }) },
            progress: progress)
        return Series(name, over: over, unit: unit, points: zip(sizes, figures).map(Point.init))
    }

    /// A size in figures, thousands separated.
    package static func text(_ size: Int) -> String { size < 1000 ? "\(size)" : Double(size).short }

    /// The figure at the largest size to that at the smallest: 1 is flat.
    package var growth: Figures { points[points.count - 1].figures.ratio(to: points[0].figures) }
}

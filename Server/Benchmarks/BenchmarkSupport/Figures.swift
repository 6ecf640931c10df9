/// One quantity, measured once in each round of a run.
///
/// Its median is reported. The spread is the whole range, lowest to highest, because with few rounds any narrower
/// interval would claim more than was seen.
package struct Figures: Sendable, Hashable {
    /// In the order of the rounds; never empty.
    package let values: [Double]

    /// Traps when `values` is empty: a run without rounds has no result.
    package init(_ values: [Double]) {
        precondition(!values.isEmpty, "a figure needs at least one round")
        self.values = values
    }

    /// The middle value; of an even number of rounds the mean of the two in the middle.
    package var median: Double {
        let sorted = values.sorted()
        let middle = sorted.count / 2
        return sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
    }

    package var lowest: Double { values.reduce(.infinity, min) }
    package var highest: Double { values.reduce(-.infinity, max) }

    /// Divides round by round, so that a disturbance of a whole round cancels out.
    package func ratio(to other: Figures) -> Figures {
        precondition(values.count == other.values.count, "figures of different runs cannot be divided")
        return Figures(zip(values, other.values).map { $0 / $1 })
    }
}

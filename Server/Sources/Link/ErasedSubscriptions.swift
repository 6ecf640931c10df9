package import BenjiProtocol

/// Rows of the register that were erased, for a gateway that may still have sessions of them.
package struct ErasedSubscriptions: Hashable, Sendable {
    /// Rows that one answer holds at most: the newest.
    package static let maximumCount = 20_000

    package var rows: [Int64]

    package init(_ rows: [Int64]) { self.rows = rows.suffix(Self.maximumCount) }

    package var json: JSON { .object(["subscriptions": .array(rows.map { .integer($0) })]) }

    package init(_ json: JSON) throws(JSONError) {
        var reader = try JSONObjectReader(json)
        rows = try reader.integers("subscriptions", count: 0...Self.maximumCount)
        try reader.finish()
    }
}

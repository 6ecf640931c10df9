package import BenjiProtocol
package import Sightings

/// Bindings whose credentials must end, because their addresses had passed to somebody else before the gateway knew.
package struct RevocationBatch: Hashable, Sendable {
    /// Bindings that one message holds at most. More are sent in parts.
    package static let maximumCount = 1024

    package var bindings: [BindingID]

    package init(_ bindings: [BindingID]) { self.bindings = bindings }

    package var json: JSON { .object(["bindings": .array(bindings.map { .integer($0.rawValue) })]) }

    package init(_ json: JSON) throws(JSONError) {
        var reader = try JSONObjectReader(json)
        bindings = try reader.integers("bindings", count: 1...Self.maximumCount).map { BindingID(rawValue: $0) }
        try reader.finish()
    }
}

extension JSONObjectReader {
    /// A member that is an array of integers.
    mutating func integers(_ name: String, count: ClosedRange<Int>) throws(JSONError) -> [Int64] {
        var integers: [Int64] = []
        for (index, item) in try array(name, count: count).enumerated() {
            guard let integer = item.integerValue else {
                throw JSONError(place: "$.\(name)[\(index)]", problem: "must be an integer, is \(item.kind)")
            }
            integers.append(integer)
        }
        return integers
    }
}

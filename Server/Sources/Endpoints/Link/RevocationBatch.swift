import BenjiProtocol
import Sightings

/// Bindings whose credentials must end, because their addresses had passed to somebody else before the gateway knew.
struct RevocationBatch: Hashable, Sendable {
    /// Bindings that one message holds at most. More are sent in parts.
    static let maximumCount = 1024

    var bindings: [BindingID]

    init(_ bindings: [BindingID]) { self.bindings = bindings }

    var json: JSON { .object(["bindings": .array(bindings.map { .integer($0.rawValue) })]) }

    init(_ json: JSON) throws(JSONError) {
        var reader = try JSONObjectReader(json)
        let items = try reader.array("bindings", count: 1...Self.maximumCount)
        try reader.finish()
        bindings = []
        for (index, item) in items.enumerated() {
            guard let value = item.integerValue else {
                throw JSONError(place: "$.bindings[\(index)]", problem: "must be an integer, is \(item.kind)")
            }
            bindings.append(BindingID(rawValue: value))
        }
    }
}

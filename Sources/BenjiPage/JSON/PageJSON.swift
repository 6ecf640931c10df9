/// A JSON value (RFC 8259) as pages use it.
///
/// BenjiPage has its own because it must compile as Embedded Swift, where there is neither Foundation nor Codable. Its
/// canonical bytes are digested as well. A number is a count of thousandths, so that reading and writing it never
/// rounds and every platform writes the same digits.
public enum PageJSON: Hashable, Sendable {
    case null
    case bool(Bool)
    /// A number in thousandths: `1.5` is 1500.
    case number(thousandths: Int64)
    case string(String)
    case array([PageJSON])
    /// Members in the order written; no name occurs twice.
    case object([Member])

    /// A name and its value.
    public struct Member: Hashable, Sendable {
        public var name: String
        public var value: PageJSON

        public init(_ name: String, _ value: PageJSON) {
            self.name = name
            self.value = value
        }
    }

    /// The largest number that a description may hold, either sign. No screen has a million points.
    public static let maximumNumber: Int64 = 1_000_000

    /// `value` rounded to thousandths, a half away from zero, or `nil` when it is no number or lies beyond
    /// ``maximumNumber``.
    public static func number(_ value: Double) -> PageJSON? {
        let limit = Double(maximumNumber)
        guard value >= -limit, value <= limit else { return nil }
        let scaled = value * 1000
        return .number(thousandths: scaled < 0 ? Int64(scaled - 0.5) : Int64(scaled + 0.5))
    }

    /// An object's member of that name.
    public subscript(name: String) -> PageJSON? {
        guard case .object(let members) = self else { return nil }
        for member in members where member.name.sameBytes(as: name) { return member.value }
        return nil
    }

    /// The kind of value, for an error text.
    public var kind: String {
        switch self {
        case .null: "null"
        case .bool: "a boolean"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

extension String {
    /// Whether both are the same bytes. `==` compares by canonical equivalence, which is more than a name in JSON means
    /// and needs Unicode's tables.
    package func sameBytes(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}

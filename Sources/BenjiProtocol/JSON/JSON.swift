/// A JSON value (RFC 8259), without Foundation and without guesses.
///
/// Unrelated parties need a stricter reader than a decoder. A member that occurs twice is an error. Numbers keep their
/// text (callers send phone numbers as JSON numbers). Depth and size are bounded, and an error names its place.
public enum JSON: Hashable, Sendable {
    case null
    case bool(Bool)
    /// A number as written. Its grammar has been checked.
    case number(String)
    case string(String)
    case array([JSON])
    /// Members in the order written; no name occurs twice.
    case object([Member])

    public struct Member: Hashable, Sendable {
        public var name: String
        public var value: JSON

        public init(_ name: String, _ value: JSON) {
            self.name = name
            self.value = value
        }
    }

    /// An object from name–value pairs, leaving out those whose value is `nil`.
    public static func object(_ members: KeyValuePairs<String, JSON?>) -> JSON {
        .object(members.compactMap { name, value in value.map { Member(name, $0) } })
    }

    public static func integer(_ value: some FixedWidthInteger) -> JSON { .number(String(value)) }

    /// The member of that name, if this is an object that has one.
    public subscript(name: String) -> JSON? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name == name }?.value
    }

    public var stringValue: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    public var integerValue: Int64? {
        guard case .number(let text) = self else { return nil }
        return Int64(text)
    }

    public var boolValue: Bool? {
        guard case .bool(let value) = self else { return nil }
        return value
    }

    public var arrayValue: [JSON]? {
        guard case .array(let values) = self else { return nil }
        return values
    }

    /// The kind of value, for an error text: a kind never leaks a value.
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

extension JSON: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral {
    public init(stringLiteral value: String) { self = .string(value) }
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    public init(integerLiteral value: Int64) { self = .number(String(value)) }
}

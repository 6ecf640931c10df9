/// HTTP header fields in order; names compare without regard to case (RFC 9110 §5.1).
public struct HeaderFields: Sendable {
    /// One field line.
    public struct Field: Hashable, Sendable {
        /// In the spelling of the field's creator.
        public var name: String
        public var value: String

        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }

        public static func == (left: Field, right: Field) -> Bool {
            HeaderFields.areSame(left.name, right.name) && left.value == right.value
        }

        public func hash(into hasher: inout Hasher) {
            for byte in name.utf8 { hasher.combine(HeaderFields.lowercase(byte)) }
            hasher.combine(value)
        }
    }

    /// Every field line, in the order in which it was added or received.
    public private(set) var fields: [Field] = []

    public init() {}

    public init(_ fields: some Sequence<Field>) { self.fields = Array(fields) }

    public var count: Int { fields.count }
    public var isEmpty: Bool { fields.isEmpty }

    /// The first value under `name`. Setting replaces every value, `nil` removes them.
    public subscript(name: String) -> String? {
        get { fields.first { Self.areSame($0.name, name) }?.value }
        set {
            fields.removeAll { Self.areSame($0.name, name) }
            if let newValue { fields.append(Field(name, newValue)) }
        }
    }

    /// Every value under `name`, in order.
    public func values(_ name: String) -> [String] {
        fields.filter { Self.areSame($0.name, name) }.map(\.value)
    }

    /// Adds a line and keeps those already there.
    public mutating func append(_ name: String, _ value: String) { fields.append(Field(name, value)) }

    /// Adds a line and keeps those already there.
    public mutating func append(_ field: Field) { fields.append(field) }

    static func areSame(_ left: String, _ right: String) -> Bool {
        left.utf8.count == right.utf8.count && zip(left.utf8, right.utf8).allSatisfy { lowercase($0) == lowercase($1) }
    }

    /// ASCII only: no locale may make two header names equal.
    static func lowercase(_ byte: UInt8) -> UInt8 { (0x41...0x5a).contains(byte) ? byte | 0x20 : byte }
}

extension HeaderFields: Hashable {}

extension HeaderFields: ExpressibleByDictionaryLiteral {
    public init(dictionaryLiteral elements: (String, String)...) {
        fields = elements.map { Field($0.0, $0.1) }
    }
}

extension HeaderFields: CustomStringConvertible {
    /// The names only: values carry proofs and credentials.
    public var description: String { "[" + fields.map(\.name).joined(separator: ", ") + "]" }
}

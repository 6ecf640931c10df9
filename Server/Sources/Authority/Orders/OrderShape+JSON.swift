package import BenjiProtocol

extension OrderShape {
    /// The rule for a value in a few words: `must be one of: md5, rsa`.
    package var rule: String {
        switch self {
        case .flag: "must be true or false"
        case .bytes: "must be a text in base64"
        case .integer(let least?, let greatest?): "must be a whole number, \(least) to \(greatest)"
        case .integer: "must be a whole number"
        case .text, .schema: "must be a text"
        case .words(let words, _): "must be one of: \(words.joined(separator: ", "))"
        case .list(.words(let words, _), _): "must be of: \(words.joined(separator: ", "))"
        case .list, .change: "must be an array"
        case .map: "must be an object"
        case .either: "is no value that it can have"
        }
    }

    /// The rule that a JSON value breaks; `nil` if it breaks none. The grammar of a text is not checked here.
    package func problem(of value: JSON) -> String? {
        let isOne =
            switch self {
            case .flag: value.boolValue != nil
            case .integer(let least, let greatest):
                value.integerValue.map { $0 >= least ?? .min && $0 <= greatest ?? .max } ?? false
            case .bytes, .text, .schema: value.stringValue != nil
            case .words(let words, _): value.stringValue.map(words.contains) ?? false
            case .list(let element, _): value.arrayValue?.allSatisfy { element.problem(of: $0) == nil } ?? false
            case .change, .map, .either: true
            }
        return isOne ? nil : rule
    }
}

/// A member's name that is known only at run time.
package struct MemberName: CodingKey {
    package let stringValue: String
    package var intValue: Int? { nil }

    package init(_ name: String) { stringValue = name }
    package init?(stringValue: String) { self.init(stringValue) }
    package init?(intValue: Int) { nil }
}

extension KeyedDecodingContainer<MemberName> {
    /// The value of a member: a flag, a number, a text or a list of texts.
    /// - Throws: `DecodingError` that names the member and the rule that its value breaks.
    package func decode(_ shape: OrderShape, forKey key: MemberName) throws -> JSON {
        let value: JSON =
            switch shape {
            case .flag: .bool(try decode(Bool.self, forKey: key))
            case .integer: .integer(try decode(Int64.self, forKey: key))
            case .list: .array(try decode([String].self, forKey: key).map { .string($0) })
            default: .string(try decode(String.self, forKey: key))
            }
        guard shape.problem(of: value) == nil else {
            throw DecodingError.dataCorruptedError(forKey: key, in: self, debugDescription: shape.rule)
        }
        return value
    }
}

extension KeyedEncodingContainer<MemberName> {
    /// Writes a flag, a number, a text or a list of texts; nothing for `null`.
    package mutating func encode(_ value: JSON, forKey key: MemberName) throws {
        switch value {
        case .bool(let value): try encode(value, forKey: key)
        case .string(let value): try encode(value, forKey: key)
        case .array(let values): try encode(values.compactMap(\.stringValue), forKey: key)
        default: if let number = value.integerValue { try encode(number, forKey: key) }
        }
    }
}

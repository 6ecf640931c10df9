package import BenjiProtocol

/// Orders are decoded from JSON and from addresses by `Codable`. A text that is no value of its type is refused with
/// the rule that it breaks. The value itself is never repeated, because it may be a number or a credential.
extension KeyedDecodingContainer {
    package func decode<Value: Decodable & RawRepresentable<String>>(
        _ type: Value.Type, forKey key: Key
    ) throws -> Value {
        guard let value = Value(rawValue: try decode(String.self, forKey: key)) else {
            throw DecodingError.dataCorruptedError(forKey: key, in: self, debugDescription: Self.rule(of: type))
        }
        return value
    }

    package func decodeIfPresent<Value: Decodable & RawRepresentable<String>>(
        _ type: Value.Type, forKey key: Key
    ) throws -> Value? {
        guard contains(key), try !decodeNil(forKey: key) else { return nil }
        return try decode(type, forKey: key)
    }

    /// The rule for a text, in words.
    private static func rule<Value: RawRepresentable<String>>(of type: Value.Type) -> String {
        if let ruled = type as? any ValidatedString.Type { return ruled.rule }
        guard let listed = type as? any CaseIterable.Type else { return "is no value that there is" }
        func values<Listed: CaseIterable>(_ type: Listed.Type) -> [String] {
            type.allCases.compactMap { ($0 as? any RawRepresentable)?.rawValue as? String }
        }
        let all = values(listed)
        return all.count > 24 ? "is none of those that there are" : "must be one of: \(all.joined(separator: ", "))"
    }
}

/// A text with a grammar of its own.
package protocol ValidatedString {
    /// The grammar, as errors say it.
    static var rule: String { get }
}

extension AppID: ValidatedString {}

extension Carrier: ValidatedString {
    package static var rule: String { "must be 1 to 32 small letters, digits and hyphens, a letter first" }
}

extension TraceID: ValidatedString {
    package static var rule: String { "must be 32 lower-case hexadecimal digits" }
}

/// As text, `2026-11-21`.
extension CalendarDay: RawRepresentable, Codable, ValidatedString {
    package init?(rawValue: String) { self.init(rawValue) }
    package var rawValue: String { description }
    package static var rule: String { "must be a day, as in 2026-11-21" }
}

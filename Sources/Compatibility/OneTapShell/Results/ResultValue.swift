/// A member of the dictionaries that the vendors' blocks are given.
///
/// Facades spell results in these, so that tables can be compared. At the edge they become Objective-C's types: a text
/// is an `NSString`, a number an `NSNumber`.
package enum ResultValue: Hashable, Sendable {
    case text(String)
    case number(Int)
    case fields(ResultFields)
}

/// A vendor's dictionary.
package struct ResultFields: Hashable, Sendable {
    package private(set) var values: [String: ResultValue]

    package init(_ values: [String: ResultValue] = [:]) { self.values = values }

    package subscript(name: String) -> ResultValue? {
        get { values[name] }
        set { values[name] = newValue }
    }

    /// The same with other texts, for tests that give random texts a name.
    package func mapTexts(_ rename: (String) -> String) -> ResultFields {
        ResultFields(
            values.mapValues { value in
                switch value {
                case .text(let text): .text(rename(text))
                case .number: value
                case .fields(let fields): .fields(fields.mapTexts(rename))
                }
            })
    }

    /// For a block.
    package var dictionary: [AnyHashable: Any] {
        var dictionary: [AnyHashable: Any] = [:]
        for (name, value) in values {
            switch value {
            case .text(let text): dictionary[name] = text
            case .number(let number): dictionary[name] = number
            case .fields(let fields): dictionary[name] = fields.dictionary
            }
        }
        return dictionary
    }

    /// The dictionary that a block received, or `nil` if it holds another type than the documents have.
    package init?(_ dictionary: [AnyHashable: Any]) {
        values = [:]
        for (name, value) in dictionary {
            guard let name = name as? String else { return nil }
            switch value {
            case let text as String: values[name] = .text(text)
            case let number as Int: values[name] = .number(number)
            case let inner as [AnyHashable: Any]:
                guard let fields = ResultFields(inner) else { return nil }
                values[name] = .fields(fields)
            default: return nil
            }
        }
    }
}

extension ResultValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
    package init(stringLiteral text: String) { self = .text(text) }
    package init(integerLiteral number: Int) { self = .number(number) }
}

extension ResultFields: ExpressibleByDictionaryLiteral {
    /// Members without a value are left out.
    package init(dictionaryLiteral members: (String, ResultValue?)...) {
        values = [:]
        for (name, value) in members { values[name] = value }
    }
}

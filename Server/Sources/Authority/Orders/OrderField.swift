package import BenjiProtocol

/// A member of an order's JSON form: its name, the values that it may have, and a sentence about it.
///
/// The OpenAPI document of the admin interface is made from these (docs/openapi/admin.yaml).
package struct OrderField: Sendable {
    package var name: String
    package var shape: OrderShape
    /// In English; empty if the name says it.
    package var help: String
    package var isRequired: Bool

    package init(_ name: String, _ shape: OrderShape, isRequired: Bool = false, _ help: String = "") {
        self.name = name
        self.shape = shape
        self.help = help
        self.isRequired = isRequired
    }

    /// The app that an order is about.
    package static let id = OrderField("id", .app, isRequired: true)
    /// A phone number. It is in a body, never in an address.
    package static let number = OrderField("number", .text, isRequired: true, "Such as 13900000009 or +85291234567.")
}

/// The values that a member of an order may have.
package indirect enum OrderShape: Sendable {
    case flag
    /// Bytes, as a string in base64.
    case bytes
    /// Both bounds are inclusive; `nil` is no bound.
    case integer(Int64? = nil, Int64? = nil)
    /// - Parameters:
    ///   - lengths: in characters.
    ///   - pattern: a regular expression of ECMA-262.
    case text(lengths: ClosedRange<Int>? = nil, pattern: String? = nil)
    /// - Parameter schema: the document's schema of these words, if it has one.
    case words([String], schema: String? = nil)
    case list(OrderShape, atMost: Int? = nil)
    /// An object of at least one value by names.
    case map(OrderShape, names: OrderShape? = nil)
    /// A new list, or what to add to a list and what to remove from it (``ListChange``).
    case change(of: OrderShape)
    case either(OrderShape, OrderShape)
    /// A schema of the document, by its name there.
    case schema(String)

    package static let integer = OrderShape.integer()
    package static let text = OrderShape.text()
    package static let app = OrderShape.schema("AppID")
    package static let trace = OrderShape.schema("TraceID")
    package static let day = OrderShape.schema("Day")
    /// How long a key stays valid beside the key that replaces it.
    package static let overlap = OrderShape.either(.integer(1), .words(["until-retired", "none"]))

    package static func integer(_ range: ClosedRange<Int64>) -> OrderShape {
        .integer(range.lowerBound, range.upperBound)
    }
    package static func text(_ lengths: ClosedRange<Int>) -> OrderShape { .text(lengths: lengths) }
    package static func words<Word: CaseIterable & RawRepresentable<String>>(
        _ type: Word.Type, schema: String? = nil
    ) -> OrderShape {
        .words(type.allCases.map(\.rawValue), schema: schema)
    }

    /// As JSON Schema (draft 2020-12), without the sentence about it.
    package var schema: [JSON.Member] {
        func type(_ name: String, _ rest: [JSON.Member?] = []) -> [JSON.Member] {
            [JSON.Member("type", .string(name))] + rest.compactMap(\.self)
        }
        func strings(_ words: [String]) -> JSON { .array(words.map { .string($0) }) }
        return switch self {
        case .flag: type("boolean")
        case .bytes: type("string", [JSON.Member("contentEncoding", "base64")])
        case .integer(let least, let greatest):
            type(
                "integer",
                [
                    least.map { JSON.Member("minimum", .integer($0)) },
                    greatest.map { JSON.Member("maximum", .integer($0)) },
                ])
        case .text(let lengths, let pattern):
            type(
                "string",
                [
                    lengths.flatMap {
                        $0.lowerBound > 0 ? JSON.Member("minLength", .integer(Int64($0.lowerBound))) : nil
                    },
                    lengths.map { JSON.Member("maxLength", .integer(Int64($0.upperBound))) },
                    pattern.map { JSON.Member("pattern", .string($0)) },
                ])
        case .words(_, let schema?): Self.schema(schema).schema
        case .words(let words, nil): type("string", [JSON.Member("enum", strings(words))])
        case .list(let element, let limit):
            type(
                "array",
                [
                    JSON.Member("items", .object(element.schema)),
                    limit.map { JSON.Member("maxItems", .integer(Int64($0))) },
                ])
        case .map(let value, let names):
            type(
                "object",
                [
                    JSON.Member("minProperties", 1), JSON.Member("additionalProperties", .object(value.schema)),
                    names.map { JSON.Member("propertyNames", .object($0.schema)) },
                ])
        case .change(let element):
            [
                JSON.Member(
                    "oneOf",
                    .array([
                        .object(
                            type(
                                "array",
                                [
                                    JSON.Member("items", .object(element.schema)), JSON.Member("minItems", 1),
                                    JSON.Member("maxItems", .integer(Int64(ListChange.maximum))),
                                    JSON.Member("description", "The new list."),
                                ])),
                        .object(
                            type(
                                "object",
                                [
                                    JSON.Member("additionalProperties", false),
                                    JSON.Member(
                                        "properties",
                                        .object(
                                            ["add", "remove"].map {
                                                JSON.Member(
                                                    $0,
                                                    .object(
                                                        type(
                                                            "array",
                                                            [
                                                                JSON.Member(
                                                                    "items",
                                                                    .object(
                                                                        $0 == "add"
                                                                            ? element.schema : OrderShape.text.schema))
                                                            ])))
                                            })),
                                ])),
                    ]))
            ]
        case .either(let one, let other):
            [JSON.Member("oneOf", .array([.object(one.schema), .object(other.schema)]))]
        case .schema(let name): [JSON.Member("$ref", .string("#/components/schemas/\(name)"))]
        }
    }
}

import BenjiProtocol
package import Requests

/// A change to a list: a new list, or elements to add and remove. A list holds no element twice.
package struct ListChange: Hashable, Sendable, Codable {
    /// The new list; empty to keep the present one.
    package var list: [String]
    package var adding: [String]
    package var removing: [String]

    /// How much one order may name of a list.
    package static let maximum = 200

    package init(_ list: [String] = [], adding: [String] = [], removing: [String] = []) {
        self.list = list
        self.adding = adding
        self.removing = removing
    }

    /// In JSON an array is the new list, and an object says what to `add` and to `remove`.
    package init(from decoder: any Decoder) throws {
        func fault(_ problem: String) -> DecodingError {
            .dataCorrupted(DecodingError.Context(codingPath: decoder.codingPath, debugDescription: problem))
        }
        if let list = try? decoder.singleValueContainer().decode([String].self) {
            guard !list.isEmpty else { throw fault("must not be empty; say what to remove, as {\"remove\":[…]}") }
            self.init(list)
        } else {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            self.init(
                adding: try container.decodeIfPresent([String].self, forKey: .add) ?? [],
                removing: try container.decodeIfPresent([String].self, forKey: .remove) ?? [])
        }
        guard count <= Self.maximum else { throw fault("at the most \(Self.maximum) in one order") }
    }

    private var count: Int { list.count + adding.count + removing.count }

    package func encode(to encoder: any Encoder) throws {
        guard list.isEmpty else {
            var container = encoder.singleValueContainer()
            return try container.encode(list)
        }
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(adding, forKey: .add)
        try container.encode(removing, forKey: .remove)
    }

    private enum CodingKeys: String, CodingKey { case add, remove }

    /// Whether it names anything.
    package var isEmpty: Bool { list.isEmpty && adding.isEmpty && removing.isEmpty }

    /// The elements that the change adds.
    package var named: [String] { list + adding }

    /// - Throws: ``Refusal`` if it has both a new list and changes to the present one, or if an element to remove is
    ///   absent. Such an element is a mistake.
    package func apply(to present: inout [String], of noun: String) throws(Refusal) {
        guard list.isEmpty || (adding.isEmpty && removing.isEmpty) else {
            throw Refusal(.parameterInvalid, "\(noun): give the new list, or what to add and remove, not both")
        }
        guard count <= Self.maximum else {
            throw Refusal(.parameterInvalid, "\(noun): \(Self.maximum) at the most in one order")
        }
        if !list.isEmpty { present = [] }
        for element in named where !present.contains(element) { present.append(element) }
        for element in removing {
            guard let index = present.firstIndex(of: element) else {
                let there = present.isEmpty ? "it has none" : "it has \(present.joined(separator: ", "))"
                throw Refusal(
                    .parameterInvalid, "there is no \(noun) \(element.prefix(64).printable) to remove; \(there)")
            }
            present.remove(at: index)
        }
    }
}

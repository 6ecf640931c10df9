public import BenjiPage

extension PageJSON {
    /// The value for people: members on lines of their own, but short objects and arrays of plain values on one.
    public var indented: String { indented("") }

    private func indented(_ margin: String) -> String {
        let inner = margin + "  "
        switch self {
        case .object(let members) where !members.isEmpty && !isShort:
            let lines = members.map { inner + PageJSON.string($0.name).text + ": " + $0.value.indented(inner) }
            return "{\n" + lines.joined(separator: ",\n") + "\n" + margin + "}"
        case .array(let values) where !values.isEmpty && !isShort:
            return "[\n" + values.map { inner + $0.indented(inner) }.joined(separator: ",\n") + "\n" + margin + "]"
        case .object(let members) where !members.isEmpty:
            let parts = members.map { PageJSON.string($0.name).text + ": " + $0.value.indented("") }
            return "{ " + parts.joined(separator: ", ") + " }"
        case .array(let values): return "[" + values.map { $0.indented("") }.joined(separator: ", ") + "]"
        default: return text
        }
    }

    /// Nothing nested in it, and room on one line.
    private var isShort: Bool {
        let values: [PageJSON]
        switch self {
        case .object(let members): values = members.map { $0.value }
        case .array(let elements): values = elements
        default: return true
        }
        let isFlat = values.allSatisfy { value in
            switch value {
            case .object, .array: false
            default: true
            }
        }
        return isFlat && text.utf8.count <= 80
    }
}

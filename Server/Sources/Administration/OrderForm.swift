package import BenjiProtocol
import Foundation
package import Requests

/// An order as a JSON object, and back: the admin interface reads it, and `benji --server` writes it.
package enum OrderForm {
    /// Reads an order.
    ///
    /// - Parameter members: those of path, query and body together. `null` counts as absent. An absent member has its
    ///   usual value if the order has one.
    /// - Throws: ``Refusal`` that names the member at fault, also one that the order does not know; never its value.
    package static func read<Asked: Order>(_ type: Asked.Type, _ members: [JSON.Member]) throws(Refusal) -> Asked {
        let given = members.filter { $0.value != .null }
        let usual = type.usual.filter { member in !given.contains { $0.name == member.name } }
        let order: Asked
        do {
            order = try JSONDecoder().decode(type, from: Data(JSON.object(given + usual).serialized))
        } catch { throw refusal(error) }
        try refuseUnknown(.object(given), of: try write(order), at: "")
        return order
    }

    /// The members of an order that are set, by name.
    package static func write(_ order: some Order) throws(Refusal) -> JSON {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        do { return try JSON(parsing: Array(encoder.encode(order))) } catch {
            throw Refusal(.internalError, "the order cannot be written as JSON")
        }
    }

    /// A member's value as it stands in an address.
    package static func escaped(_ value: JSON) -> String {
        (value.stringValue ?? value.text).addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    }

    /// Where an order is given, and what of it is in the body.
    package static func request<Asked: Order>(
        _ order: Asked
    ) throws(Refusal) -> (address: String, body: [JSON.Member]) {
        guard case .object(let members) = try write(order) else { return (Asked.route.path, []) }
        var address = Asked.route.path
        for name in Asked.route.names {
            guard let member = members.first(where: { $0.name == name }) else {
                throw Refusal(.internalError, "the order has no \(name)")
            }
            address = address.replacing("{\(name)}", with: escaped(member.value))
        }
        let rest = members.filter { !Asked.route.names.contains($0.name) }
        guard Asked.route.method == .get else { return (address, rest) }
        let query = rest.map { "\($0.name)=\(escaped($0.value))" }.joined(separator: "&")
        return (query.isEmpty ? address : "\(address)?\(query)", [])
    }

    /// The members of a default value.
    package static func usual(_ value: some Encodable, without names: Set<String> = []) -> [JSON.Member] {
        guard let data = try? JSONEncoder().encode(value), case .object(let members)? = try? JSON(parsing: Array(data))
        else { return [] }
        return members.filter { !names.contains($0.name) }
    }

    /// A member that the decoded order lacks is unknown: refuse it.
    private static func refuseUnknown(_ given: JSON, of read: JSON, at path: String) throws(Refusal) {
        if case .array(let values) = given, case .array(let others) = read, values.count == others.count {
            for (position, (value, other)) in zip(values, others).enumerated() {
                try refuseUnknown(value, of: other, at: "\(path.dropLast())[\(position)].")
            }
        }
        guard case .object(let members) = given else { return }
        // Looked for one by one, many members would take the square of their number.
        var known: [String: JSON] = [:]
        if case .object(let members) = read { for member in members { known[member.name] = member.value } }
        for member in members where member.value != .null {
            let name = path + member.name
            guard let value = known[member.name] else {
                throw Refusal(.parameterInvalid, "\(name.prefix(64)): there is no such member here")
            }
            try refuseUnknown(member.value, of: value, at: name + ".")
        }
    }

    /// Says what could not be read.
    /// - Parameter whole: what the order stands in, where the error names no member.
    package static func refusal(_ error: any Error, of whole: String = "the body") -> Refusal {
        func path(_ keys: [any CodingKey]) -> String {
            let names = keys.map { $0.intValue.map { "[\($0)]" } ?? $0.stringValue }
            return names.isEmpty ? whole : names.joined(separator: ".").replacing(".[", with: "[")
        }
        switch error {
        case DecodingError.keyNotFound(let key, let context):
            return Refusal(.parameterMissing, "\(path(context.codingPath + [key])): missing")
        case DecodingError.typeMismatch(let type, let context):
            return Refusal(.parameterInvalid, "\(path(context.codingPath)): must be \(words(type))")
        case DecodingError.valueNotFound(let type, let context):
            return Refusal(.parameterMissing, "\(path(context.codingPath)): must be \(words(type))")
        case DecodingError.dataCorrupted(let context):
            // Foundation's own words may hold the value; ours have no capital at their beginning.
            let rule = context.debugDescription
            return Refusal(
                .parameterInvalid,
                "\(path(context.codingPath)): "
                    + "\(rule.first?.isLowercase == true ? rule : "is not a value that it can have")"
            )
        default: return Refusal(.parameterInvalid, "the order cannot be read")
        }
    }

    private static func words(_ type: Any.Type) -> String {
        switch type {
        case is Bool.Type: "true or false"
        case is String.Type: "a text"
        case is any BinaryInteger.Type: "a whole number"
        case is any Collection.Type where type is [Any].Type: "an array"
        default: "\(type)".hasPrefix("Array") ? "an array" : "an object"
        }
    }
}

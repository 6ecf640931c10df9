import Administration
import Authority
import BenjiProtocol
import Foundation

/// The OpenAPI document of the admin interface: each order's address and members, made from its description. The
/// introduction and the schemas of answers are in admin.yaml beside this file.
enum OrderDocument {
    static let parts = PackageResources.admin_yaml

    static var text: String {
        let parts = String(decoding: parts, as: UTF8.self)
        let notice = "# Made by AdministrationDocumentTests; do not edit. `make renew ARGS=--all` makes it again.\n"
        guard let components = parts.range(of: "\ncomponents:\n") else { return "" }
        return notice + parts[..<components.lowerBound] + "\n" + lines([JSON.Member("paths", paths)], 0) + "\n"
            + parts[components.lowerBound...].dropFirst()
    }

    /// By address, in the order of ``Orders/all``.
    private static var paths: JSON {
        var paths: [JSON.Member] = []
        for order in Orders.all {
            let operation = JSON.Member(order.route.method.rawValue.lowercased(), operation(order))
            if let index = paths.firstIndex(where: { $0.name == order.route.path }),
                case .object(let others) = paths[index].value
            {
                paths[index] = JSON.Member(order.route.path, .object(others + [operation]))
            } else {
                paths.append(JSON.Member(order.route.path, .object([operation])))
            }
        }
        return .object(paths)
    }

    private static func operation(_ order: any Order.Type) -> JSON {
        let name = "\(order)"
        let route = order.route
        let isRead = route.method == .get
        let addressed = order.fields.filter { isRead || route.names.contains($0.name) }
        var parameters = addressed.map { field in
            JSON.object(
                [
                    JSON.Member("name", .string(field.name)),
                    JSON.Member("in", .string(route.names.contains(field.name) ? "path" : "query")),
                ] + (route.names.contains(field.name) || field.isRequired ? [JSON.Member("required", true)] : [])
                    + description(field.help) + [JSON.Member("schema", .object(schema(field, order)))])
        }
        if !isRead { parameters.append(reference("parameters/IdempotencyKey")) }
        var members = [
            JSON.Member("operationId", .string(name.prefix(1).lowercased() + name.dropFirst())),
            JSON.Member("summary", .string(order.summary)),
        ]
        if !parameters.isEmpty { members.append(JSON.Member("parameters", .array(parameters))) }
        if !isRead { members.append(JSON.Member("requestBody", body(order))) }
        members.append(JSON.Member("responses", responses(order)))
        return .object(members)
    }

    private static func body(_ order: any Order.Type) -> JSON {
        let fields = order.fields.filter { !order.route.names.contains($0.name) }
        let required = fields.filter(\.isRequired).map { JSON.string($0.name) }
        let properties =
            fields.map { JSON.Member($0.name, .object(schema($0, order) + described($0))) }
            + [JSON.Member("reason", reference("schemas/Reason"))]
        let members: [JSON.Member] =
            [JSON.Member("type", "object"), JSON.Member("additionalProperties", false)]
            + (required.isEmpty ? [] : [JSON.Member("required", .array(required))])
            + [JSON.Member("properties", .object(properties))]
        return .object(
            (required.isEmpty ? [] : [JSON.Member("required", true)]) + [
                JSON.Member("content", content(.object(members)))
            ])
    }

    private static func schema(_ field: OrderField, _ order: any Order.Type) -> [JSON.Member] {
        var usual = order.usual.first { $0.name == field.name }?.value
        // Nothing is what a list, a change and an object are when they are absent.
        if usual == .array([]) || usual == .object([]) { usual = nil }
        if case .change = field.shape { usual = nil }
        if case .list(.words(let words, _), _) = field.shape, case .array(let values)? = usual {
            usual = .array(words.map { .string($0) }.filter { values.contains($0) })
        }
        return field.shape.schema + [usual.map { JSON.Member("default", $0) }].compactMap(\.self)
    }

    private static func described(_ field: OrderField) -> [JSON.Member] { description(field.help) }

    private static func description(_ text: String) -> [JSON.Member] {
        text.isEmpty ? [] : [JSON.Member("description", .string(text))]
    }

    private static func responses(_ order: any Order.Type) -> JSON {
        let isList = order.answer.hasPrefix("[")
        let answer = reference("schemas/\(order.answer.trimmingPrefix("[").prefix { $0 != "]" })")
        var schema = isList ? JSON.object([JSON.Member("type", "array"), JSON.Member("items", answer)]) : answer
        if order.changes {
            schema = .object([JSON.Member("oneOf", .array([schema, reference("schemas/AlreadyCarriedOut")]))])
        }
        let done = JSON.object([
            JSON.Member("description", "Done."),
            JSON.Member("headers", .object([JSON.Member("Cache-Control", reference("headers/NoStore"))])),
            JSON.Member("content", content(schema)),
        ])
        let refusals = [
            ("400", "BadRequest"), ("401", "Unauthorized"), ("403", "Forbidden"), ("404", "NotFound"),
            ("405", "MethodNotAllowed"), ("409", "Conflict"), ("413", "ContentTooLarge"), ("421", "Misdirected"),
            ("429", "TooManyRequests"), ("500", "InternalServerError"), ("503", "ServiceUnavailable"),
        ].filter { $0.0 != "413" || order.route.method != .get }
        return .object(
            [JSON.Member("200", done)] + refusals.map { JSON.Member($0.0, reference("responses/\($0.1)")) })
    }

    private static func content(_ schema: JSON) -> JSON {
        .object([JSON.Member("application/json", .object([JSON.Member("schema", schema)]))])
    }

    private static func reference(_ place: String) -> JSON {
        .object([JSON.Member("$ref", .string("#/components/\(place)"))])
    }

    // MARK: - YAML

    private static func lines(_ members: [JSON.Member], _ depth: Int) -> String {
        members.map { member in
            "\(String(repeating: " ", count: depth))\(scalar(member.name, depth)):\(value(member.value, depth))"
        }.joined(separator: "\n")
    }

    /// The text behind the colon of a member.
    private static func value(_ value: JSON, _ depth: Int) -> String {
        let indent = String(repeating: " ", count: depth + 2)
        switch value {
        case .object(let members) where !members.isEmpty: return "\n" + lines(members, depth + 2)
        case .array(let elements) where !elements.isEmpty:
            return "\n"
                + elements.map { element in
                    guard case .object(let members) = element, !members.isEmpty else {
                        return "\(indent)- \(scalar(element.stringValue ?? element.text, depth))"
                    }
                    return "\(indent)- \(lines(members, depth + 4).trimmingPrefix { $0 == " " })"
                }.joined(separator: "\n")
        case .string(let text):
            let scalar = scalar(text, depth)
            guard scalar.count > 80 else { return " \(scalar)" }
            return " >-\n" + folded(text, width: 118 - depth).map { indent + $0 }.joined(separator: "\n")
        default: return " \(value.text)"
        }
    }

    private static func scalar(_ text: String, _ depth: Int) -> String {
        let isPlain =
            text.first.map { $0.isLetter || $0 == "/" } == true && !text.contains(": ") && !text.contains(" #")
            && text.last != ":"
            && !["true", "false", "null", "yes", "no", "on", "off", "none", "y", "n"].contains(text)
        return isPlain ? text : "'\(text.replacing("'", with: "''"))'"
    }

    private static func folded(_ text: String, width: Int) -> [String] {
        var lines = [""]
        for word in text.split(separator: " ") {
            if lines[lines.count - 1].count + word.count >= width { lines.append("") }
            lines[lines.count - 1] += (lines[lines.count - 1].isEmpty ? "" : " ") + word
        }
        return lines
    }
}

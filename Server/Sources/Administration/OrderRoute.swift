package import Authority
package import BenjiProtocol

/// Where an order is given over HTTP.
package struct OrderRoute: Hashable, Sendable {
    package enum Method: String, Hashable, Sendable {
        case get = "GET"
        case post = "POST"
        case patch = "PATCH"
    }

    package var method: Method
    /// Names in braces are members of the order: `/v1/apps/{id}/suspend`. Its other members are in the query of a GET,
    /// and in the body otherwise. A phone number is always in a body.
    package var path: String

    package init(_ method: Method, _ path: String) {
        self.method = method
        self.path = "/v1" + path
    }

    package static func get(_ path: String) -> OrderRoute { OrderRoute(.get, path) }
    package static func post(_ path: String) -> OrderRoute { OrderRoute(.post, path) }
    package static func patch(_ path: String) -> OrderRoute { OrderRoute(.patch, path) }

    /// The member that a part of an address is.
    /// - Parameter text: the part, without percent signs.
    package static func member(_ name: String, _ text: String, of fields: [OrderField]) -> JSON.Member {
        if case .integer? = fields.first(where: { $0.name == name })?.shape, let number = Int64(text) {
            return JSON.Member(name, .integer(number))
        }
        return JSON.Member(name, .string(text))
    }

    /// The members that are in the path.
    package var names: [String] {
        path.split(separator: "/").filter { $0.hasPrefix("{") }.map { String($0.dropFirst().dropLast()) }
    }

    /// The app that the path names, if it names one.
    package func app(of members: [JSON.Member]) -> AppID? {
        guard path.hasPrefix("/v1/apps/{id}") else { return nil }
        return members.first { $0.name == "id" }?.value.stringValue.flatMap { AppID(rawValue: $0) }
    }
}

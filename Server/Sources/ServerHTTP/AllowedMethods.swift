package import HTTPTypes

/// Which methods the addresses of a listener answer to.
package struct AllowedMethods: Sendable {
    /// By path. A part of a path may be a name in braces, which stands for any text.
    private let methods: [String: [HTTPRequest.Method]]

    package init(_ routes: [EndpointRoute]) {
        methods = Dictionary(grouping: routes, by: \.path).mapValues { routes in
            routes.flatMap { $0.method == .get && $0.answersHead ? [.get, .head] : [$0.method] }
        }
    }

    /// The value of `Allow` for a known address with an unsupported method (RFC 9110 §15.5.6): `GET, POST`; `nil`
    /// otherwise.
    package func refusal(of method: HTTPRequest.Method, at path: String) -> String? {
        guard let allowed = methods(at: path), !allowed.contains(method) else { return nil }
        return allowed.map(\.rawValue).joined(separator: ", ")
    }

    private func methods(at path: String) -> [HTTPRequest.Method]? {
        if let exact = methods[path] { return exact }
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        return methods.first { pattern, _ in
            guard pattern.contains("{") else { return false }
            let names = pattern.split(separator: "/", omittingEmptySubsequences: false)
            return names.count == parts.count && zip(names, parts).allSatisfy { $0.hasPrefix("{") || $0 == $1 }
        }?.value
    }
}

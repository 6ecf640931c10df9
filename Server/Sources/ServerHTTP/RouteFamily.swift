package import HTTPTypes
package import Hummingbird

/// The addresses of an interface that has its own form of answers, also where no route answers.
package struct RouteFamily: Sendable {
    package var name: String
    /// The beginnings of its paths: `/sim-swap/`.
    package var prefixes: [String]
    /// The answer for an unknown path (404) or method (405), with a text for the developer.
    package var refusal: @Sendable (HTTPResponse.Status, String) -> Response
    /// Adds what each answer below ``prefixes`` has.
    package var complete: @Sendable (Request, inout Response) -> Void

    package init(
        name: String, prefixes: [String], refusal: @escaping @Sendable (HTTPResponse.Status, String) -> Response,
        complete: @escaping @Sendable (Request, inout Response) -> Void
    ) {
        self.name = name
        self.prefixes = prefixes
        self.refusal = refusal
        self.complete = complete
    }

    func covers(_ path: String) -> Bool { prefixes.contains(where: path.hasPrefix) }
}

package import HTTPTypes
package import Hummingbird

/// One address, a method it answers to, and what answers.
package struct EndpointRoute: Sendable {
    package typealias Handler = @Sendable (Request, EndpointContext) async throws -> Response

    /// An absolute path: `/health/live`. A part of it may be a name in braces: `/v1/group/{id}`.
    package var path: String
    package var method: HTTPRequest.Method
    package var handler: Handler
    /// Whether a route of GET answers HEAD too (RFC 9110 §9.1). Not where an answer can be had once.
    package var answersHead: Bool
    /// The family that the route belongs to; `nil` if it answers as the device dialect does.
    package var family: RouteFamily?

    package init(
        _ method: HTTPRequest.Method, _ path: String, answersHead: Bool = true, family: RouteFamily? = nil,
        handler: @escaping Handler
    ) {
        self.method = method
        self.path = path
        self.answersHead = answersHead
        self.family = family
        self.handler = handler
    }
}

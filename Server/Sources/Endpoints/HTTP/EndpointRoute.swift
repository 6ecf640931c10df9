package import HTTPTypes
package import Hummingbird

/// One address, a method it answers to, and what answers.
package struct EndpointRoute: Sendable {
    package typealias Handler = @Sendable (Request, EndpointContext) async throws -> Response

    /// An absolute path: `/health/live`. A part of it may be a name in braces: `/v1/group/{id}`.
    package var path: String
    package var method: HTTPRequest.Method
    package var handler: Handler

    package init(_ method: HTTPRequest.Method, _ path: String, handler: @escaping Handler) {
        self.method = method
        self.path = path
        self.handler = handler
    }
}

public import HTTPTypes
public import Hummingbird

/// One address, a method it answers to, and what answers.
public struct EndpointRoute: Sendable {
    public typealias Handler = @Sendable (Request, EndpointContext) async throws -> Response

    /// An absolute path: `/health/live`. A part of it may be a name in braces: `/v1/group/{id}`.
    public var path: String
    public var method: HTTPRequest.Method
    public var handler: Handler

    public init(_ method: HTTPRequest.Method, _ path: String, handler: @escaping Handler) {
        self.method = method
        self.path = path
        self.handler = handler
    }
}

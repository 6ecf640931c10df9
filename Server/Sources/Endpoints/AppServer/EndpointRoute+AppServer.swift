package import BenjiProtocol
import Hummingbird
package import Requests
package import ServerHTTP

extension EndpointRoute {
    /// The largest request of an app's server that is read, in bytes.
    package static let maximumServerBody = 32 * 1024

    /// A POST of an app's server. The HTTP status is 200 whatever the code, because callers look nowhere else.
    ///
    /// - Parameter answer: gets the parsed body, or why there is none, and the address that the connection came from.
    static func appServer(
        _ path: String,
        answer: @escaping @Sendable (Result<JSON, Refusal>, InternetAddress?) async -> ServerAnswer
    ) -> EndpointRoute {
        EndpointRoute(.post, path) { request, context in
            let body: Result<JSON, Refusal>
            var isOver = false
            do {
                body = Self.parse(try await request.bytes(upTo: Self.maximumServerBody))
            } catch let situation as Situation where situation == .bodyTooLarge {
                body = .failure(Refusal(.bodyTooLarge, "at most \(Self.maximumServerBody) bytes"))
                isOver = true
            }
            let answer = await answer(body, context.peer?.address)
            context.outcome.note(code: answer.code, trace: answer.trace)
            var response = Response(answer.json)
            // Close instead of reading the rest of a body that is too large.
            if isOver { response.headers[.connection] = "close" }
            return response
        }
    }

    package static func parse(_ bytes: [UInt8]) -> Result<JSON, Refusal> {
        do { return .success(try JSON(parsing: bytes)) } catch {
            return .failure(Refusal(.malformedRequest, "the body is not JSON"))
        }
    }
}

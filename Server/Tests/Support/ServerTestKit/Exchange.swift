@_spi(Server) package import BenjiProtocol
package import HTTPTypes
package import Hummingbird
import HummingbirdCore
package import Logging
import NIOCore
import NIOEmbedded
package import ServerHTTP
import Store

/// A router without a listener's middleware, which binds a ``Store/RequestSubject`` of its own: for ``proves(_:)``.
package func plainRouter(_ routes: [EndpointRoute]) -> Router<EndpointContext> {
    let router = Router(context: EndpointContext.self)
    router.add(routes)
    return router
}

/// Whether work marks the caller of its request as proven. A store then does it before work of other callers.
package func proves(_ work: () async throws -> Void) async -> Bool {
    let subject = RequestSubject(listener: "test")
    await RequestSubject.$current.withValue(subject) {
        do { try await work() } catch {}
    }
    return subject.isProven
}

extension EndpointContext {
    /// The context of a request that a gateway forwarded.
    package static func forwarded(from sender: ForwardedSender) -> EndpointContext {
        EndpointContext(
            of: sender,
            within: EndpointContext(
                source: ApplicationRequestContextSource(
                    channel: NIOAsyncTestingChannel(),
                    logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }))))
    }
}

/// One request through a router and its answer, without a socket.
package struct Exchange {
    package var status: HTTPResponse.Status
    package var headers: HTTPFields
    package var body: String

    package var json: JSON { (try? JSON(parsing: body)) ?? .null }
    package var code: String? { json["code"]?.stringValue }

    package static func send(
        _ router: Router<EndpointContext>, _ method: HTTPRequest.Method, _ path: String, headers: HTTPFields = [:],
        body: [UInt8] = [], authority: String? = "id.example.com",
        from peer: (address: String, port: Int)? = ("10.0.0.7", 40001),
        logger: Logger = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
    ) async throws -> Exchange {
        try await send(
            router.buildResponder(), method, path, headers: headers, body: body, authority: authority, from: peer,
            logger: logger)
    }

    /// As above, through what a router has built once.
    package static func send(
        _ responder: some HTTPResponder<EndpointContext>, _ method: HTTPRequest.Method, _ path: String,
        headers: HTTPFields, body: [UInt8], scheme: String = "http", authority: String?,
        from peer: (address: String, port: Int)?, logger: Logger
    ) async throws -> Exchange {
        let channel = NIOAsyncTestingChannel()
        channel.remoteAddress = try peer.map { try SocketAddress(ipAddress: $0.address, port: $0.port) }
        let request = Request(
            head: HTTPRequest(method: method, scheme: scheme, authority: authority, path: path, headerFields: headers),
            body: RequestBody(buffer: ByteBuffer(bytes: body)))
        let context = EndpointContext(source: ApplicationRequestContextSource(channel: channel, logger: logger))
        let response = try await responder.respond(to: request, context: context)
        let writer = Collector()
        try await response.body.write(writer)
        return Exchange(status: response.status, headers: response.headers, body: writer.text)
    }

    private final class Collector: ResponseBodyWriter {
        private(set) var text = ""
        func write(_ buffer: ByteBuffer) async throws { text += String(buffer: buffer) }
        func finish(_ trailingHeaders: HTTPFields?) async throws {}
    }
}

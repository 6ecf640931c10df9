import BenjiClient
import Endpoints
import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTP1
import Synchronization

extension MessageBytes {
    /// A message of HTTP/1.1: its first line, its fields, its body.
    static func http(_ first: String, _ fields: [HeaderFields.Field], _ body: [UInt8]) -> [UInt8] {
        var head = first + "\r\n"
        for field in fields { head += "\(field.name): \(field.value)\r\n" }
        return Array((head + "\r\n").utf8) + body
    }

    static func answer(_ status: Int, _ fields: [HeaderFields.Field], _ body: [UInt8]) -> [UInt8] {
        let words = HTTPResponseStatus(statusCode: status).reasonPhrase
        return http("HTTP/1.1 \(status) \(words)", fields, body)
    }

    static func request(_ request: TransportRequest) -> [UInt8] {
        http(
            "\(request.method) \(request.url.target) HTTP/1.1",
            [HeaderFields.Field("Host", request.url.authority)] + request.headers.fields, request.body)
    }

    static func request(_ request: ModemRequest) -> [UInt8] {
        http("\(request.method) \(request.target) HTTP/1.1", request.headers.fields, request.body)
    }
}

/// Reads along while a route answers a request.
final class ExchangeRecorder: Sendable {
    private let body = Mutex<(kept: [UInt8], length: Int)>(([], 0))

    /// The same request, whose body is noted as the route reads it.
    func reading(_ request: Request) -> Request {
        var request = request
        request.body = RequestBody(
            asyncSequence: request.body.map { buffer in
                self.note(buffer)
                return buffer
            })
        return request
    }

    private func note(_ buffer: ByteBuffer) {
        body.withLock { body in
            body.length += buffer.readableBytes
            if body.kept.count < MessageBytes.Part.maximumLength { body.kept += buffer.readableBytesView }
        }
    }

    /// The part of a request that was read. A route may leave more of the body unread.
    func bytes(of request: Request) -> MessageBytes.Part {
        let head = request.head
        let fields =
            [HeaderFields.Field("Host", head.authority ?? "")]
            + head.headerFields.map { HeaderFields.Field($0.name.rawName, $0.value) }
        let (body, length) = body.withLock { ($0.kept, $0.length) }
        let bytes = MessageBytes.http("\(head.method.rawValue) \(head.path ?? "/") HTTP/1.1", fields, body)
        return MessageBytes.Part(bytes, length: bytes.count - body.count + length)
    }

    /// The same answer with its body in memory, and all of its bytes.
    static func collected(_ response: Response) async throws -> (response: Response, body: [UInt8], bytes: [UInt8]) {
        let body = CollectedBody()
        try await response.body.write(body)
        var response = response
        response.body = ResponseBody(byteBuffer: body.buffer)
        let fields = response.headers.map { HeaderFields.Field($0.name.rawName, $0.value) }
        let bytes = Array(body.buffer.readableBytesView)
        return (response, bytes, MessageBytes.answer(response.status.code, fields, bytes))
    }
}

private final class CollectedBody: ResponseBodyWriter, Sendable {
    private let collected = Mutex(ByteBuffer())
    var buffer: ByteBuffer { collected.withLock { $0 } }

    func write(_ buffer: ByteBuffer) async throws { collected.withLock { _ = $0.writeImmutableBuffer(buffer) } }
    func finish(_ trailingHeaders: HTTPFields?) async throws {}
}

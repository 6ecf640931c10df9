import BenjiProtocol
package import HTTPTypes
package import Hummingbird
import NIOCore
package import ServerHTTP

extension ForwardedRequest {
    package init(_ request: Request, body: [UInt8], sender: ForwardedSender) {
        self.init(
            methodName: request.method.rawValue,
            target: request.uri.path + (request.uri.query.map { "?" + $0 } ?? ""), authority: request.head.authority,
            lines: request.headers.compactMap { field in
                let name = field.name.canonicalName
                // The length is the body's own.
                guard Self.headerNames.contains(name), field.name != .contentLength else { return nil }
                return HeaderLine(name: name, value: field.value)
            }, body: body, sender: sender)
    }

    package var headers: HTTPFields { HTTPFields(lines) }

    /// The sender's request again.
    package var request: Request {
        Request(
            head: HTTPRequest(
                method: HTTPRequest.Method(methodName) ?? .get, scheme: nil, authority: authority, path: target,
                headerFields: headers),
            body: RequestBody(buffer: ByteBuffer(bytes: body)))
    }
}

extension ForwardedAnswer {
    /// Fields of the connection, which each end has its own.
    private static let ownNames: Set<HTTPField.Name> = [.connection, .contentLength, .date, .transferEncoding]

    package init(_ response: Response, _ outcome: RequestOutcome) async throws {
        let gathered = GatheredBody()
        try await response.body.write(gathered)
        self.init(
            status: Int(response.status.code),
            lines: response.headers.compactMap { field in
                Self.ownNames.contains(field.name)
                    ? nil : HeaderLine(name: field.name.canonicalName, value: field.value)
            }, body: gathered.buffers.flatMap(\.readableBytesView), code: outcome.code, trace: outcome.trace,
            isUnable: outcome.isUnable)
    }

    package var headers: HTTPFields { HTTPFields(lines) }

    /// The answer to the sender.
    package var response: Response {
        Response(
            status: HTTPResponse.Status(code: status), headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: body)))
    }
}

extension HTTPFields {
    fileprivate init(_ lines: [HeaderLine]) {
        self.init()
        for line in lines {
            guard let name = HTTPField.Name(line.name) else { continue }
            append(HTTPField(name: name, value: line.value))
        }
    }
}

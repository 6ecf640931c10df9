import BenjiClient
@_spi(Server) import BenjiProtocol
import HTTPTypes
import Hummingbird
package import Logging
import NIOCore
import ServiceLifecycle

/// The server of an example shop: takes a token from its app, redeems it with the operator, and logs the person in.
///
/// It is what a developer's own server would be, cut down to the two calls. It answers its app with the mask only; the
/// number stays here.
package struct ExampleAppServer: Service {
    private let application: Application<RouterResponder<BasicRequestContext>>

    /// - Parameter onListening: told the port, once it listens on 127.0.0.1.
    package init(
        operator client: OperatorClient, port: Int = 0, logger: Logger,
        onListening: @escaping @Sendable (Int?) async -> Void
    ) {
        let router = Router()
        router.post("/login") { request, _ in
            let body = try await Self.read(request)
            guard let token = body["token"]?.stringValue else {
                return Self.reply(.object(["error": "$.token: missing"]), .badRequest)
            }
            let answer = try await client.loginTokenValidate(token)
            let number = answer.body["msisdn"]?.stringValue.flatMap { PhoneNumber($0) }
            return Self.reply(
                .object([
                    "loggedIn": .bool(number != nil), "code": .string(answer.code),
                    "number": number.map { .string($0.masked) },
                ]), number == nil ? .forbidden : .ok)
        }
        router.post("/verify") { request, _ in
            let body = try await Self.read(request)
            guard let token = body["token"]?.stringValue,
                let number = body["number"]?.stringValue.flatMap({ PhoneNumber($0) })
            else { return Self.reply(.object(["error": "token and number are needed"]), .badRequest) }
            let answer = try await client.verify(token, number: number)
            return Self.reply(.object(["isOwn": .bool(answer.code == "000"), "code": .string(answer.code)]), .ok)
        }
        application = Application(
            router: router,
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: port), serverName: nil),
            onServerRunning: { channel in await onListening(channel.localAddress?.port) }, logger: logger)
    }

    package func run() async throws { try await application.run() }

    private static func read(_ request: Request) async throws -> JSON {
        let bytes = try await request.body.collect(upTo: 8192)
        do { return try JSON(parsing: bytes.readableBytesView) } catch {
            throw HTTPError(.badRequest, message: error.description)
        }
    }

    private static func reply(_ json: JSON, _ status: HTTPResponse.Status) -> Response {
        Response(
            status: status, headers: [.contentType: "application/json"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: json.serialized)))
    }
}

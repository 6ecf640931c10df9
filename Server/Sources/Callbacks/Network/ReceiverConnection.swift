package import Authority
package import BenjiProtocol
package import NIOCore
import NIOHTTP1
import NIOPosix
package import NIOSSL
import Synchronization

/// Sends one request to one address that was checked before. The name stays in SNI, Host and the certificate that is
/// asked for; it is not resolved a second time. No redirect is followed, no proxy used, and of the answer only the
/// status is kept.
package struct ReceiverConnection: Sendable {
    /// Bytes of an answer's body that are read and thrown away; then the connection is closed.
    static let bodyLimit = 16 * 1024

    private let group: any EventLoopGroup
    private let tls: NIOSSLContext
    private let timeLimit: TimeAmount

    /// - Parameters:
    ///   - authorities: certificates besides the system's that sign those of receivers.
    ///   - timeLimit: for all of it, from the connection to the answer's end.
    package init(
        on group: any EventLoopGroup, trusting authorities: [NIOSSLCertificate] = [],
        timeLimit: TimeAmount = .seconds(15)
    ) throws {
        self.group = group
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.minimumTLSVersion = .tlsv12
        configuration.applicationProtocols = ["http/1.1"]
        if !authorities.isEmpty { configuration.additionalTrustRoots = [.certificates(authorities)] }
        tls = try NIOSSLContext(configuration: configuration)
        self.timeLimit = timeLimit
    }

    package func send(
        _ payload: String, headers: [(name: String, value: String)], to url: CallbackURL, at address: InternetAddress
    ) async -> DeliveryOutcome {
        let loop = group.next()
        let promise = loop.makePromise(of: DeliveryOutcome.self)
        var request = HTTPRequestHead(version: .http1_1, method: .POST, uri: url.path)
        request.headers = HTTPHeaders(
            [
                ("host", url.authority), ("content-type", "application/json"),
                ("content-length", String(payload.utf8.count)), ("user-agent", "benji-callback"),
                ("connection", "close"),
            ] + headers.map { ($0.name, $0.value) })
        let exchange = ReceiverExchange(head: request, body: ByteBuffer(string: payload), promise: promise)
        // One timer ends everything, whatever the peer does. A received status counts, even with an incomplete body.
        let timer = loop.scheduleTask(in: timeLimit) {
            promise.succeed(exchange.status.withLock { $0 }.map { .answered($0) } ?? .timeOut)
        }
        return await withTaskCancellationHandler {
            do {
                let channel = try await connect(url, address, loop, exchange)
                let outcome = try await promise.futureResult.get()
                timer.cancel()
                channel.close(promise: nil)
                return outcome
            } catch {
                timer.cancel()
                promise.succeed(.unreachable)
                return (try? await promise.futureResult.get()) ?? .unreachable
            }
        } onCancel: {
            promise.succeed(.brokenOff)
        }
    }

    private func connect(
        _ url: CallbackURL, _ address: InternetAddress, _ loop: any EventLoop, _ exchange: ReceiverExchange
    ) async throws -> any Channel {
        let (tls, isTLS, host) = (tls, url.isTLS, url.host)
        return try await ClientBootstrap(group: loop)
            .connectTimeout(.seconds(5))
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    if isTLS {
                        try pipeline.addHandler(try NIOSSLClientHandler(context: tls, serverHostname: host))
                    }
                    try pipeline.addHTTPClientHandlers()
                    try pipeline.addHandler(ReceiverHandler(exchange))
                }
            }
            .connect(to: try SocketAddress(ipAddress: address.description, port: url.port)).get()
    }
}

/// The state of one request: its parts, and the promise of its outcome.
private final class ReceiverExchange: Sendable {
    let head: HTTPRequestHead
    let body: ByteBuffer
    let promise: EventLoopPromise<DeliveryOutcome>
    /// Of the answer, as soon as it has come.
    let status = Mutex<Int?>(nil)

    init(head: HTTPRequestHead, body: ByteBuffer, promise: EventLoopPromise<DeliveryOutcome>) {
        self.head = head
        self.body = body
        self.promise = promise
    }
}

/// Sends the request once the connection is made, and reads the answer's status.
private final class ReceiverHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundOut = HTTPClientRequestPart

    private let exchange: ReceiverExchange
    private var status: Int? { exchange.status.withLock { $0 } }
    private var bodyBytes = 0

    init(_ exchange: ReceiverExchange) { self.exchange = exchange }

    func channelActive(context: ChannelHandlerContext) {
        context.write(wrapOutboundOut(.head(exchange.head)), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(exchange.body))), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            // 100 Continue and its like announce the answer.
            if head.status.code >= 200 { exchange.status.withLock { $0 = Int(head.status.code) } }
        case .body(let bytes):
            bodyBytes += bytes.readableBytes
            if bodyBytes > ReceiverConnection.bodyLimit { end() }
        case .end: if status != nil { end() }
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        end()
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if status == nil, error is NIOSSLError || error is BoringSSLError || error is NIOSSLExtraError {
            exchange.promise.succeed(.noTLS)
        }
        end()
        context.close(promise: nil)
    }

    private func end() { exchange.promise.succeed(status.map { .answered($0) } ?? .noAnswer) }
}

import BenjiClient
import BenjiProtocol
import NIOCore
import NIOHTTP1
import NIOPosix

/// One kept-alive HTTP/1.1 connection from an address of our choice; one request at a time.
///
/// async-http-client takes twice the CPU: 300 µs instead of 150 µs for the three requests of a login. It makes 2,200
/// such logins a second instead of 4,000 from the same machine (release builds, 2026-11-22). It also connects inside of
/// a request, so a report could not separate connecting (``Step/connect``) from the server's answer.
struct HTTPConnection: Sendable {
    struct Answer: Sendable {
        var status: Int
        var json: JSON
    }

    private let channel: any Channel
    private let authority: String
    private let timeout: Duration

    /// Connects to a server that is named by address.
    /// - Throws: ``ConnectionFault``.
    static func open(
        to server: ServerURL, from source: InternetAddress, timeout: Duration
    ) async throws(ConnectionFault) -> HTTPConnection {
        do {
            guard let host = server.address else { throw ConnectionFault.refused }
            let local = try SocketAddress(ipAddress: source.description, port: 0)
            let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .connectTimeout(TimeAmount(timeout))
                .channelOption(.tcpOption(.tcp_nodelay), value: 1)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHTTPClientHandlers()
                        try channel.pipeline.syncOperations.addHandler(ExchangeHandler())
                    }
                }
                .bind(to: local)
                .connect(to: SocketAddress(ipAddress: host.description, port: Int(server.port))).get()
            return HTTPConnection(channel: channel, authority: server.authority, timeout: timeout)
        } catch {
            throw ConnectionFault(error)
        }
    }

    /// Sends a POST with a JSON body and reads the answer. After a fault the connection is closed.
    /// - Throws: ``ConnectionFault``.
    func post(
        _ path: String, body: [UInt8], headers: [(String, String)] = []
    ) async throws(ConnectionFault) -> Answer {
        var head = HTTPRequestHead(version: .http1_1, method: .POST, uri: path)
        head.headers = HTTPHeaders(
            [
                ("Host", authority), ("Content-Type", "application/json"), ("Content-Length", "\(body.count)"),
            ] + headers)
        do {
            let promise = channel.eventLoop.makePromise(of: (Int, [UInt8]).self)
            let call = ExchangeHandler.Call(
                head: head, body: channel.allocator.buffer(bytes: body),
                timeout: TimeAmount(timeout), promise: promise)
            // On a closed connection the handler is gone too, and only the write fails.
            let written = channel.eventLoop.makePromise(of: Void.self)
            written.futureResult.whenFailure { _ in promise.fail(ConnectionFault.lost) }
            channel.writeAndFlush(call, promise: written)
            let (status, bytes) = try await promise.futureResult.get()
            guard let json = try? JSON(parsing: bytes) else { throw ConnectionFault.unreadable }
            return Answer(status: status, json: json)
        } catch {
            channel.close(promise: nil)
            throw ConnectionFault(error)
        }
    }

    /// Whether neither side has ended it, as far as is known.
    var isOpen: Bool { channel.isActive }

    func close() { channel.close(promise: nil) }
}

/// Writes one call at a time and fulfils its promise with the answer. Everything happens on the channel's event loop.
private final class ExchangeHandler: ChannelDuplexHandler {
    struct Call: Sendable {
        var head: HTTPRequestHead
        var body: ByteBuffer
        var timeout: TimeAmount
        var promise: EventLoopPromise<(Int, [UInt8])>
    }

    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundIn = Call
    typealias OutboundOut = HTTPClientRequestPart

    /// More than any answer of Benji's.
    private static let maximumAnswer = 1 << 20

    private var waiting: EventLoopPromise<(Int, [UInt8])>?
    private var timer: Scheduled<Void>?
    private var status = 0
    private var body: [UInt8] = []

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let call = unwrapOutboundIn(data)
        guard waiting == nil, context.channel.isActive else {
            call.promise.fail(ConnectionFault.lost)
            promise?.fail(ConnectionFault.lost)
            return
        }
        waiting = call.promise
        timer = context.eventLoop.assumeIsolated().scheduleTask(in: call.timeout) {
            self.end(.failure(ConnectionFault.timedOut))
            context.close(promise: nil)
        }
        context.write(wrapOutboundOut(.head(call.head)), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(call.body))), promise: nil)
        context.write(wrapOutboundOut(.end(nil)), promise: promise)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            status = Int(head.status.code)
            body.removeAll(keepingCapacity: true)
        case .body(let buffer):
            guard body.count + buffer.readableBytes <= Self.maximumAnswer else {
                end(.failure(ConnectionFault.unreadable))
                context.close(promise: nil)
                return
            }
            body += buffer.readableBytesView
        case .end: end(.success((status, body)))
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        end(.failure(ConnectionFault.lost))
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        end(.failure(error is HTTPParserError ? ConnectionFault.unreadable : ConnectionFault(error)))
        context.close(promise: nil)
    }

    private func end(_ result: Result<(Int, [UInt8]), any Error>) {
        timer?.cancel()
        timer = nil
        waiting?.completeWith(result)
        waiting = nil
    }
}

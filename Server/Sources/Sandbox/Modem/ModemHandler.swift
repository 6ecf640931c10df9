import BenjiClient
import BenjiProtocol
import NIOCore
import NIOHTTP1
import NIOPosix

/// Reads requests from a connection, one after the other, and answers each or drops the connection. A CONNECT that is
/// permitted turns the connection into a tunnel.
final class ModemHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    /// The largest body that is carried, in bytes.
    static let maximumBody = ModemRequest.maximumBody

    /// The handlers before this one, which are removed for a tunnel.
    struct HTTP {
        let encoder = HTTPResponseEncoder()
        let decoder = ByteToMessageHandler(HTTPRequestDecoder(leftOverBytesStrategy: .forwardBytes))
        let pipelining = HTTPServerPipelineHandler()
    }

    private let service: ModemListener.Service
    private let http: HTTP
    private var head: HTTPRequestHead?
    private var body: [UInt8] = []
    private var isTooLarge = false
    private var work: Task<Void, Never>?
    private var isTunnelling = false

    init(service: ModemListener.Service, http: HTTP) {
        self.service = service
        self.http = http
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // Between CONNECT and the tunnel no further HTTP is expected, and none is read.
        guard !isTunnelling else { return }
        switch unwrapInboundIn(data) {
        case .head(let head):
            self.head = head
            body = []
            isTooLarge = false
        case .body(let part):
            guard body.count + part.readableBytes <= Self.maximumBody else {
                isTooLarge = true
                return
            }
            body += part.readableBytesView
        case .end:
            guard let head else { return }
            self.head = nil
            if head.method == .CONNECT { openTunnel(context, head) } else { answer(context, head) }
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        work?.cancel()
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    private func answer(_ context: ChannelHandlerContext, _ head: HTTPRequestHead) {
        let channel = context.channel
        // NIO reads nothing more after a request to change the protocol, such as Java's `Upgrade: h2c`.
        let isKept = head.isKeepAlive && !head.headers.contains(name: "upgrade")
        guard !isTooLarge else {
            Self.write(.refuse(413, "at most \(Self.maximumBody) bytes"), to: channel, isHead: false, isKept: false)
            return
        }
        let request = ModemRequest(
            method: head.method.rawValue, target: head.uri,
            headers: HeaderFields(head.headers.map { HeaderFields.Field($0.name, $0.value) }), body: body)
        body = []
        // Ends with the connection: see channelInactive.
        work = Self.answering(request, service, channel, isKept: isKept)
    }

    private static func answering(
        _ request: ModemRequest, _ service: ModemListener.Service, _ channel: any Channel, isKept: Bool
    ) -> Task<Void, Never> {
        Task {
            let outcome = await service.exchange(request)
            write(outcome, to: channel, isHead: request.method == "HEAD", isKept: isKept)
        }
    }

    private static func write(_ outcome: ModemOutcome, to channel: any Channel, isHead: Bool, isKept: Bool) {
        guard case .answer(let status, let fields, let body) = outcome else {
            channel.close(promise: nil)
            return
        }
        var headers = HTTPHeaders(fields.fields.map { ($0.name, $0.value) })
        if !isHead, status != 204, status != 304 { headers.add(name: "Content-Length", value: String(body.count)) }
        if !isKept { headers.add(name: "Connection", value: "close") }
        let head = HTTPResponseHead(
            version: .http1_1, status: HTTPResponseStatus(statusCode: status), headers: headers)
        channel.write(HTTPServerResponsePart.head(head), promise: nil)
        if !body.isEmpty, !isHead {
            channel.write(HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(bytes: body))), promise: nil)
        }
        let end = channel.writeAndFlush(HTTPServerResponsePart.end(nil))
        if !isKept { end.whenComplete { _ in channel.close(promise: nil) } }
    }

    // MARK: - Tunnels

    private func openTunnel(_ context: ChannelHandlerContext, _ head: HTTPRequestHead) {
        isTunnelling = true
        let opener = NIOLoopBound(Opener(handler: self, context: context), eventLoop: context.eventLoop)
        work = Self.opening(head.uri, service, context.channel, opener)
    }

    private struct Opener {
        let handler: ModemHandler
        let context: ChannelHandlerContext
    }

    private static func opening(
        _ target: String, _ service: ModemListener.Service, _ channel: any Channel, _ opener: NIOLoopBound<Opener>
    ) -> Task<Void, Never> {
        Task {
            let tunnel: ModemListener.Tunnel
            switch await service.tunnel(target) {
            case .failure(let refusal):
                write(.refuse(refusal.status, refusal.text), to: channel, isHead: false, isKept: false)
                return
            case .success(let open): tunnel = open
            }
            do {
                let onward = try await ClientBootstrap(group: channel.eventLoop)
                    .channelOption(.autoRead, value: false)
                    .connectTimeout(.seconds(10))
                    .bind(to: SocketAddress(ipAddress: tunnel.source.description, port: 0))
                    .connect(host: tunnel.destination.host, port: Int(tunnel.destination.port)).get()
                try await channel.eventLoop.submit {
                    opener.value.handler.glue(opener.value.context, onward, delay: tunnel.delay)
                }.get()
            } catch {
                write(.refuse(502, "the server did not answer"), to: channel, isHead: false, isKept: false)
            }
        }
    }

    /// Removes HTTP's writers first, so that its last reply can be written without a frame (RFC 9110 §9.3.6). Its
    /// reader goes last, because it then forwards the bytes that it still has.
    private func glue(_ context: ChannelHandlerContext, _ onward: any Channel, delay: Duration) {
        let pipeline = context.pipeline.syncOperations
        let delay = TimeAmount.nanoseconds(delay.wholeMilliseconds * 1_000_000)
        let parts = NIOLoopBound(
            (handler: self, context: context, ends: RelayHandler.pair(delay: delay)), eventLoop: context.eventLoop)
        let writers = pipeline.removeHandler(http.encoder).and(pipeline.removeHandler(http.pipelining))
        writers.whenComplete { _ in
            let (handler, context, ends) = parts.value
            let (near, far) = ends
            let pipeline = context.pipeline.syncOperations
            do {
                try onward.pipeline.syncOperations.addHandler(far)
                context.writeAndFlush(NIOAny(ByteBuffer(string: "HTTP/1.1 200 Connected\r\n\r\n")), promise: nil)
                try pipeline.addHandler(near)
            } catch {
                context.close(promise: nil)
                onward.close(promise: nil)
                return
            }
            pipeline.removeHandler(handler.http.decoder, promise: nil)
            pipeline.removeHandler(context: context, promise: nil)
            onward.setOption(.autoRead, value: true).whenComplete { _ in onward.read() }
            context.channel.read()
        }
    }
}

/// One end of a tunnel: bytes that arrive here leave at the other end after the network's delay.
final class RelayHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let delay: TimeAmount
    private weak var partner: RelayHandler?
    private var context: ChannelHandlerContext?

    private init(delay: TimeAmount) { self.delay = delay }

    /// Both ends, on one event loop.
    static func pair(delay: TimeAmount) -> (RelayHandler, RelayHandler) {
        let (near, far) = (RelayHandler(delay: delay), RelayHandler(delay: delay))
        (near.partner, far.partner) = (far, near)
        return (near, far)
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }
    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = unwrapInboundIn(data)
        guard delay > .zero else {
            partner?.send(bytes)
            return
        }
        let end = NIOLoopBound(partner, eventLoop: context.eventLoop)
        context.eventLoop.scheduleTask(in: delay) { end.value?.send(bytes) }
    }

    func channelInactive(context: ChannelHandlerContext) {
        let end = NIOLoopBound(partner, eventLoop: context.eventLoop)
        context.eventLoop.scheduleTask(in: delay) { end.value?.close() }
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    private func send(_ bytes: ByteBuffer) { context?.writeAndFlush(wrapOutboundOut(bytes), promise: nil) }
    private func close() { context?.close(promise: nil) }
}

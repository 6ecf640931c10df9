package import HTTPTypes
package import Hummingbird
package import NIOCore
import NIOHTTPTypes

/// Answers a request whose header and body came with one read; hands everything else on to Hummingbird, in order.
///
/// Hummingbird passes each part of a message through asynchronous sequences, so that bodies of any size may come and go
/// slowly. A request that is there as a whole needs none of that. Hummingbird gets all others: those that have to be
/// waited for, and those that end or break off. So only one place knows what to do about them.
final class WholeRequestHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    typealias Answer = @Sendable (Request, any Channel) async -> Response
    /// Makes the handlers behind; `nil` if the connection has ended and they never were.
    typealias Opening = (ChannelHandlerContext?) -> Void

    /// The largest body that is gathered, in bytes. Larger ones are their route's to refuse, and that is done while
    /// they come.
    static let maximumBody = 64 * 1024

    /// The input from the socket.
    private enum Inbound {
        case part(HTTPRequestPart)
        case event(Any)
        case error(any Error)
    }

    private let answer: Answer
    private let endsAbandonedWork: Bool
    /// `nil` once there is something behind.
    private var opening: Opening?
    private var executor: EventLoopTaskExecutor?
    private var context: ChannelHandlerContext?

    /// The request that has begun in this read.
    private var begun: (head: HTTPRequest, body: ByteBuffer?)?
    /// Requests that Hummingbird has still to answer, and whether it has still to read the end of one.
    private var handedOn = 0
    private var isHandingOn = false
    /// The task that answers the present request, or has answered the last.
    private(set) var task: Task<Void, Never>?
    private var isAnswering = false
    /// Input that arrived during an answer. It is handled afterwards, so that answers keep the order of requests.
    private var waiting = CircularBuffer<Inbound>()
    /// Nothing is read while input waits, so the waiting input is bounded.
    private var owesRead = false

    /// - Parameters:
    ///   - answer: what a listener answers to a request, errors included. Called with the whole body.
    ///   - endsAbandonedWork: whether the answer's task is cancelled when the client leaves.
    ///   - opening: called once, before the first thing goes behind; `nil` if the handlers behind are there.
    init(_ answer: @escaping Answer, endsAbandonedWork: Bool = false, opening: Opening? = nil) {
        self.answer = answer
        self.endsAbandonedWork = endsAbandonedWork
        self.opening = opening
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        executor = EventLoopTaskExecutor(context.eventLoop)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        open(nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) { take(.part(unwrapInboundIn(data)), context) }

    func channelReadComplete(context: ChannelHandlerContext) {
        // While a request is answered no other has begun: its input waits.
        handOnWhatHasBegun(context)
        context.fireChannelReadComplete()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        // A client that sends no more is taken for one that has left, as Go's net/http does.
        if event as? ChannelEvent == .inputClosed { abandon() }
        take(.event(event), context)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { take(.error(error), context) }

    func channelInactive(context: ChannelHandlerContext) {
        abandon()
        waiting.removeAll()
        handOnWhatHasBegun(context)
        context.fireChannelInactive()
    }

    func read(context: ChannelHandlerContext) {
        if waiting.isEmpty { context.read() } else { owesRead = true }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .end = unwrapOutboundIn(data), handedOn > 0 { handedOn -= 1 }
        context.write(data, promise: promise)
    }

    private func abandon() {
        if isAnswering, endsAbandonedWork { task?.cancel() }
    }

    private func take(_ inbound: Inbound, _ context: ChannelHandlerContext) {
        if isAnswering { return waiting.append(inbound) }
        switch inbound {
        case .part(let part): sort(part, context)
        case .event(let event):
            handOnWhatHasBegun(context)
            let isEnd = event is ChannelShouldQuiesceEvent || event as? ChannelEvent == .inputClosed
            if isEnd, opening != nil {
                context.close(promise: nil)
            } else {
                context.fireUserInboundEventTriggered(event)
            }
        case .error(let error):
            handOnWhatHasBegun(context)
            open(context)
            context.fireErrorCaught(error)
        }
    }

    private func open(_ context: ChannelHandlerContext?) {
        guard let opening else { return }
        self.opening = nil
        opening(context)
    }

    private func sort(_ part: HTTPRequestPart, _ context: ChannelHandlerContext) {
        // Behind a request of Hummingbird's only Hummingbird knows when it is this one's turn.
        guard handedOn == 0, !isHandingOn else { return handOn(part, context) }
        switch part {
        case .head(let head): begun = (head, nil)
        case .body(var bytes):
            if begun?.body?.writeBuffer(&bytes) == nil { begun?.body = bytes }
            if let body = begun?.body, body.readableBytes > Self.maximumBody { handOnWhatHasBegun(context) }
        case .end(nil):
            guard let whole = begun else { return handOn(part, context) }
            begun = nil
            respond(to: Request(head: whole.head, body: RequestBody(buffer: whole.body ?? ByteBuffer())), context)
        case .end:
            handOnWhatHasBegun(context)
            handOn(part, context)
        }
    }

    private func handOnWhatHasBegun(_ context: ChannelHandlerContext) {
        guard let (head, body) = begun else { return }
        begun = nil
        handOn(.head(head), context)
        if let body { handOn(.body(body), context) }
    }

    private func handOn(_ part: HTTPRequestPart, _ context: ChannelHandlerContext) {
        switch part {
        case .head:
            open(context)
            handedOn += 1
            isHandingOn = true
        case .body: break
        case .end: isHandingOn = false
        }
        context.fireChannelRead(wrapInboundOut(part))
    }

    private func respond(to request: Request, _ context: ChannelHandlerContext) {
        isAnswering = true
        let channel = context.channel
        let handler = NIOLoopBound(self, eventLoop: context.eventLoop)
        task = Task(executorPreference: executor) { [answer] in
            let response = await answer(request, channel)
            let body = GatheredBody()
            // Fails only where it is written to a socket.
            try? await response.body.write(body)
            handler.value.finish(response.head, body.buffers)
        }
    }

    /// Writes an answer with one flush, then continues with the input that came meanwhile.
    private func finish(_ head: HTTPResponse, _ body: [ByteBuffer]) {
        isAnswering = false
        guard let context, context.channel.isActive else { return }
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        for buffer in body { context.write(wrapOutboundOut(.body(buffer)), promise: nil) }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        while !isAnswering, let next = waiting.popFirst() { take(next, context) }
        guard waiting.isEmpty else { return }
        // The read that brought what waited has long ended.
        channelReadComplete(context: context)
        guard owesRead else { return }
        owesRead = false
        context.read()
    }
}

/// A body as its parts, not on its way to a socket yet. All routes answer with what they have in memory.
package final class GatheredBody: ResponseBodyWriter {
    package private(set) var buffers: [ByteBuffer] = []

    package init() {}

    package func write(_ buffer: ByteBuffer) async throws { buffers.append(buffer) }
    package func finish(_ trailingHeaders: HTTPFields?) async throws {}
}

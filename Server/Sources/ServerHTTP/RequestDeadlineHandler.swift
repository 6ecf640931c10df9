import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypes

/// Performs the decisions of ``RequestDeadline`` on a channel, and sends 100 Continue (RFC 9110 §10.1.1). Closes the
/// channel after an answer with `Connection: close`, or after the answer to a request with it (RFC 9112 §9.6).
final class RequestDeadlineHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private var deadline: RequestDeadline
    /// When the connection is closed if nothing else comes.
    private var due: NIODeadline?
    /// Rings when the connection is due, or before: a deadline that was put off is looked up when it rings. To cancel
    /// and schedule for each request would search through the timers of all connections.
    private var timer: (scheduled: Scheduled<Void>, at: NIODeadline)?
    private var closesAfterAnswer = false
    /// Whether the present request says that it is the last, and whether it has come to its end.
    private var isLast = false
    private var hasEnded = false

    init(limits: ServerLimits) { deadline = RequestDeadline(limits: limits) }

    func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { perform(.opened, context) }
    }

    func channelActive(context: ChannelHandlerContext) {
        if due == nil { perform(.opened, context) }
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        cancel()
        context.fireChannelInactive()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        perform(context.channel.isWritable ? .unblocked : .blocked, context)
        context.fireChannelWritabilityChanged()
    }

    func handlerRemoved(context: ChannelHandlerContext) { cancel() }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // The parser knows too which request was the last, and calls whatever follows an error.
        if hasEnded, error is HTTPParserError { return }
        context.fireErrorCaught(error)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // Ignore what follows the last request.
        guard !hasEnded else { return }
        switch unwrapInboundIn(data) {
        case .head(let head):
            isLast = head.headerFields.saysClose
            perform(.head, context)
            // That request may have been one too many: then the connection is closed, and the rest is ignored.
            guard context.channel.isActive else { return }
            // Callers' HTTP libraries wait up to a second for this, and callers' own time-outs are as short. With an
            // older answer still to come, the client's waiting has to end by itself: the order of answers matters
            // more.
            if deadline.unanswered == 1, head.headerFields[.expect]?.lowercased() == "100-continue" {
                context.writeAndFlush(wrapOutboundOut(.head(HTTPResponse(status: .continue))), promise: nil)
            }
        case .body(let bytes):
            guard context.channel.isActive else { return }
            perform(.body(bytes.readableBytes), context)
        case .end:
            guard context.channel.isActive else { return }
            hasEnded = isLast
            perform(.end, context)
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(let head): closesAfterAnswer = head.headerFields[.connection] == "close"
        case .body: break
        case .end:
            perform(.answered, context)
            // Data after a client's last request is not read. Closing both ways at once would then reset the connection
            // before the answer has arrived.
            let mode: CloseMode? = closesAfterAnswer ? .all : isLast && deadline.unanswered == 0 ? .output : nil
            if let mode {
                let promise = promise ?? context.eventLoop.makePromise()
                promise.futureResult.assumeIsolated().whenComplete { _ in context.close(mode: mode, promise: nil) }
                context.writeAndFlush(data, promise: promise)
                return
            }
        }
        context.write(data, promise: promise)
    }

    private func perform(_ event: RequestDeadline.Event, _ context: ChannelHandlerContext) {
        switch deadline.handle(event) {
        case .none: break
        case .disarm: due = nil
        case .close:
            cancel()
            context.close(promise: nil)
        case .arm(let duration):
            let due = context.eventLoop.now + TimeAmount(duration)
            self.due = due
            schedule(due, context)
        }
    }

    private func schedule(_ due: NIODeadline, _ context: ChannelHandlerContext) {
        if let timer {
            if timer.at <= due { return }
            timer.scheduled.cancel()
        }
        let scheduled = context.eventLoop.assumeIsolated().scheduleTask(deadline: due) { self.ring(context) }
        timer = (scheduled, due)
    }

    private func ring(_ context: ChannelHandlerContext) {
        timer = nil
        guard let due else { return }
        if due <= context.eventLoop.now { context.close(promise: nil) } else { schedule(due, context) }
    }

    private func cancel() {
        due = nil
        timer?.scheduled.cancel()
        timer = nil
    }
}

extension HTTPFields {
    /// Whether `Connection` names the option `close`, in whatever case and beside whatever else (RFC 9110 §7.6.1).
    var saysClose: Bool {
        guard let options = self[.connection] else { return false }
        return options.lowercased().split(separator: ",").contains { option in
            option.drop { $0 == " " || $0 == "\t" }.prefix { $0 != " " && $0 != "\t" } == "close"
        }
    }
}

import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Performs what ``RequestDeadline`` decides on a channel, closes it after an answer that says `Connection: close`, and
/// sends 100 Continue (RFC 9110 §10.1.1).
final class RequestDeadlineHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private var deadline: RequestDeadline
    private var timer: Scheduled<Void>?
    private var closesAfterAnswer = false

    init(limits: ServerLimits) { deadline = RequestDeadline(limits: limits) }

    func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { perform(.opened, context) }
    }

    func channelActive(context: ChannelHandlerContext) {
        if timer == nil { perform(.opened, context) }
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        disarm()
        context.fireChannelInactive()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        perform(context.channel.isWritable ? .unblocked : .blocked, context)
        context.fireChannelWritabilityChanged()
    }

    func handlerRemoved(context: ChannelHandlerContext) { disarm() }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            perform(.head, context)
            // What was read together with the request that was one too many is not worked on.
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
            if closesAfterAnswer {
                let promise = promise ?? context.eventLoop.makePromise()
                promise.futureResult.assumeIsolated().whenComplete { _ in context.close(promise: nil) }
                context.writeAndFlush(data, promise: promise)
                return
            }
        }
        context.write(data, promise: promise)
    }

    private func perform(_ event: RequestDeadline.Event, _ context: ChannelHandlerContext) {
        switch deadline.handle(event) {
        case .none: break
        case .disarm: disarm()
        case .close:
            disarm()
            context.close(promise: nil)
        case .arm(let duration):
            disarm()
            timer = context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(duration)) {
                context.close(promise: nil)
            }
        }
    }

    private func disarm() {
        timer?.cancel()
        timer = nil
    }
}

import BenjiProtocol
import NIOCore

/// Closes a connection that its address may not have (``ConnectionLimiter``), before a byte of it is looked at.
final class ConnectionLimiterHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = Any

    private let crowd: ConnectionLimiter
    private var admitted: ConnectionLimiter.Admission?
    private var isKnown = false

    init(_ crowd: ConnectionLimiter) { self.crowd = crowd }

    func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { check(context) }
    }

    func channelActive(context: ChannelHandlerContext) {
        check(context)
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        leave()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) { leave() }

    private func check(_ context: ChannelHandlerContext) {
        guard !isKnown, let address = context.remoteAddress.flatMap(Peer.init)?.address else { return }
        isKnown = true
        // A channel may be closed from any thread.
        let channel = context.channel
        admitted = crowd.admit(address) { channel.close(promise: nil) }
        if admitted == nil { context.close(promise: nil) }
    }

    private func leave() {
        if let admitted { crowd.leave(admitted) }
        admitted = nil
    }
}

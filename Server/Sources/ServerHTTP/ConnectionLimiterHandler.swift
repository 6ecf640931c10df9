import BenjiProtocol
import NIOCore

/// Closes a connection that its address may not have (``ConnectionLimiter``), before a byte of it is looked at.
final class ConnectionLimiterHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = Any

    private let limiter: ConnectionLimiter
    private var admitted: ConnectionLimiter.Admission?
    private var isKnown = false

    init(_ limiter: ConnectionLimiter) { self.limiter = limiter }

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
        admitted = limiter.admit(address) { channel.close(promise: nil) }
        if admitted == nil { context.close(promise: nil) }
    }

    private func leave() {
        if let admitted { limiter.leave(admitted) }
        admitted = nil
    }
}

import HummingbirdCore
import Logging
import NIOCore
import NIOSSL

/// A connection over TLS that begins with the certificate that was read last.
///
/// In the place of Hummingbird's `TLSChannel`, which keeps the certificate that it was made with.
struct RenewableTLSConnection<Base: ServerChildChannel>: ServerChildChannel {
    let base: Base
    let tls: RenewableTLS

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Base.Value> {
        channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: tls.current.context))
        }.flatMap {
            base.setup(channel: channel, logger: logger)
        }
    }

    func handle(value: Base.Value, logger: Logger) async { await base.handle(value: value, logger: logger) }
}

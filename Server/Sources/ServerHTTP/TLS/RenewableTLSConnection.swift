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
            try channel.pipeline.syncOperations.addHandler(handler())
        }.flatMap {
            base.setup(channel: channel, logger: logger)
        }
    }

    private func handler() -> NIOSSLServerHandler {
        let context = tls.current.context
        guard tls.takesAnyCertificate else { return NIOSSLServerHandler(context: context) }
        // The handshake itself has the client sign with the certificate's key.
        return NIOSSLServerHandler(context: context) { _, verified in verified.succeed(.certificateVerified) }
    }

    func handle(value: Base.Value, logger: Logger) async { await base.handle(value: value, logger: logger) }
}

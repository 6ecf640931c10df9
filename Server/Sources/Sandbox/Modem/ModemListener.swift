import BenjiClient
import BenjiProtocol
import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

/// A port of the loopback behind which a phone's modem, or an app server's line, is.
final class ModemListener: Sendable {
    /// The functions behind a listener.
    struct Service: Sendable {
        var exchange: @Sendable (ModemRequest) async -> ModemOutcome
        /// Where a CONNECT leads and the way there; or a refusal.
        var tunnel: @Sendable (_ target: String) async -> Result<Tunnel, ModemRules.Refusal>
    }

    struct Tunnel: Sendable {
        var destination: ServerURL
        var source: InternetAddress
        /// The delay of each piece of data.
        var delay: Duration
    }

    /// Connections at once; more are closed.
    static let maximumConnections = 128
    static let idle: TimeAmount = .seconds(120)

    private let channel: any Channel
    /// Where it listens.
    let url: ServerURL

    /// - Parameter port: 0 lets the system choose.
    init(host: String, port: Int = 0, _ service: Service) async throws {
        let connections = ModemConnections(limit: Self.maximumConnections)
        channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .serverChannelOption(.backlog, value: 64)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.autoRead, value: true)
            .childChannelInitializer { channel in
                guard connections.enter() else {
                    return channel.eventLoop.makeFailedFuture(ChannelError.ioOnClosedChannel)
                }
                channel.closeFuture.whenComplete { _ in connections.leave() }
                return channel.eventLoop.makeCompletedFuture {
                    let sync = channel.pipeline.syncOperations
                    try sync.addHandler(IdleStateHandler(allTimeout: Self.idle))
                    try sync.addHandler(IdleCloser())
                    let http = ModemHandler.HTTP()
                    try sync.addHandlers(http.encoder, http.decoder, http.pipelining)
                    try sync.addHandler(ModemHandler(service: service, http: http))
                }
            }
            .bind(host: host, port: port).get()
        guard let port = channel.localAddress?.port else { throw ChannelError.unknownLocalAddress }
        url = try ServerURL("http://\(host):\(port)")
    }

    func close() async { try? await channel.close() }
}

/// How many connections a listener has.
private final class ModemConnections: Sendable {
    private let limit: Int
    private let count = Mutex(0)

    init(limit: Int) { self.limit = limit }

    func enter() -> Bool {
        count.withLock { count in
            guard count < limit else { return false }
            count += 1
            return true
        }
    }

    func leave() { count.withLock { $0 -= 1 } }
}

/// Closes a connection over which nothing goes any more.
private final class IdleCloser: ChannelInboundHandler {
    typealias InboundIn = NIOAny

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard event is IdleStateHandler.IdleStateEvent else {
            context.fireUserInboundEventTriggered(event)
            return
        }
        context.close(promise: nil)
    }
}

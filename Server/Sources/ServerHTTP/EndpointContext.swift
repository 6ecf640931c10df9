@_spi(Server) import BenjiProtocol
package import Hummingbird
import Logging
import NIOCore
package import NIOSSL

/// A route's knowledge of its request besides the message: the other end of the socket, and a place to note the
/// outcome.
package struct EndpointContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    /// The other end of the socket, or of the gateway's socket if a gateway forwarded the request. Never read from
    /// `X-Forwarded-For` or its kin, which any client can write. `nil` only without an IP socket; then no phone is
    /// recognised and no address is allowed.
    package let peer: Peer?
    /// The statement of the gateway that forwarded the request; `nil` if it came from the sender itself.
    package let sender: ForwardedSender?
    /// Filled by the route, read by the access log and the counters.
    package let outcome: RequestOutcome
    /// `nil` for a forwarded request: the connection is the gateway's, not the sender's.
    private let channel: (any Channel)?

    package init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        channel = source.channel
        peer = source.channel.remoteAddress.flatMap(Peer.init)
        sender = nil
        outcome = RequestOutcome()
    }

    /// The context of a request that a gateway forwarded. Its outcome is that of the gateway's own request.
    package init(of sender: ForwardedSender, within gateway: EndpointContext) {
        coreContext = .init(source: ForwardedSource(logger: gateway.logger))
        channel = nil
        peer = sender.peer
        self.sender = sender
        outcome = gateway.outcome
    }

    private struct ForwardedSource: RequestContextSource {
        let logger: Logger
    }

    /// The certificate that the other end proved in the TLS handshake; `nil` if the listener asks for none, or if a
    /// gateway forwarded the request.
    package func peerCertificate() async -> NIOSSLCertificate? {
        // Fails where the connection is not TLS, which is the same answer.
        try? await channel?.nioSSL_peerCertificate().get()
    }
}

extension Peer {
    package init?(_ socket: SocketAddress) {
        // Read from the socket's own structure: this is done for every request, and by way of text takes a hundred
        // times as long. The address follows family and port in `sockaddr_in`, and a flow label too in `sockaddr_in6`.
        let address: InternetAddress? =
            switch socket {
            case .v4(let socket):
                InternetAddress(
                    v4Value: withUnsafeBytes(of: socket.address) {
                        UInt32(bigEndian: $0.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
                    })
            case .v6(let socket): withUnsafeBytes(of: socket.address) { InternetAddress(bytes: $0[8..<24]) }
            case .unixDomainSocket: nil
            }
        guard let address, let port = socket.port.flatMap(UInt16.init(exactly:)) else { return nil }
        self.init(address: address, port: port)
    }
}

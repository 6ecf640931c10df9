@_spi(Server) package import BenjiProtocol
package import Hummingbird
import NIOCore
package import NIOSSL
import OpenIDProvider

/// A route's knowledge of its request besides the message: the other end of the socket, and a place to note the
/// outcome.
package struct EndpointContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    /// The other end of the socket. Never read from `X-Forwarded-For` or its kin, which any client can write. `nil`
    /// only without an IP socket; then no phone is recognised and no address is allowed.
    package let peer: Peer?
    /// Filled by the route, read by the access log and the counters.
    package let outcome = RequestOutcome()
    private let channel: any Channel

    package init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        channel = source.channel
        peer = source.channel.remoteAddress.flatMap(Peer.init)
    }

    /// The certificate that the other end proved in the TLS handshake; `nil` if the listener asks for none.
    package func peerCertificate() async -> NIOSSLCertificate? {
        // Fails where the connection is not TLS, which is the same answer.
        try? await channel.nioSSL_peerCertificate().get()
    }

    /// The same for OpenID's clients, who may have signed it themselves.
    func clientCertificate() async -> ClientCertificate? {
        guard let bytes = try? await peerCertificate()?.toDERBytes() else { return nil }
        return ClientCertificate(bytes)
    }
}

/// The address and port that a connection came from.
package struct Peer: Hashable, Sendable {
    package var address: InternetAddress
    package var port: UInt16

    package init(address: InternetAddress, port: UInt16) {
        self.address = address
        self.port = port
    }

    init?(_ socket: SocketAddress) {
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

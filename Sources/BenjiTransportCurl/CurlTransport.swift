public import BenjiClient
public import BenjiProtocol
import CCurl

/// The transport of Linux devices, through libcurl: a modem's interface, or the loopback address of a virtual phone.
///
/// One thread serves one exchange and ends with it, so a slow network never holds a thread of Swift's own pool. Answers
/// are read by the same HTTP/1.1 parser as on a phone, which is stricter than libcurl. TLS is at least 1.2 and always
/// verified.
///
/// Names are looked up by the system's resolver, which may ask over another interface than ``Egress``; the exchange
/// itself never leaves by another.
public final class CurlTransport: Transport {
    private let configuration: Configuration
    private let channels: CurlChannelPool

    public init(_ configuration: Configuration = Configuration()) {
        self.configuration = configuration
        channels = CurlChannelPool(maximumIdle: configuration.keepsConnections ? 4 : 0)
    }

    /// For an interface or any way out, the source address that the kernel chooses. It is for the first address of
    /// `server` it has a route to, in the resolver's order (RFC 6724). Nothing is sent to the server. For a source
    /// address: that one.
    ///
    /// libcurl races IPv6 against IPv4 (RFC 8305). When the first family is slow the exchange may leave by the other,
    /// which ``TransportResponse/localAddress`` then shows.
    public func localAddress(towards server: ServerURL) async throws(TransportError) -> InternetAddress? {
        let egress = configuration.egress
        return try await BlockingCall.run(at: server.origin) {
            Result { () throws(TransportError) in try LocalRoute.sourceAddress(towards: server, by: egress) }
        }
    }

    /// See ``Transport/send(_:timeout:)``.
    public func send(
        _ request: TransportRequest, timeout: Duration
    ) async throws(TransportError) -> TransportResponse {
        try request.validate()
        guard timeout > .zero else {
            throw TransportError(.timedOut, at: request.url.origin, "no time was left to send the request")
        }
        let deadline = ContinuousClock.now.advanced(by: timeout)
        let cancellation = CurlCancellation()
        return try await BlockingCall.run(at: request.url.origin, onCancel: cancellation.cancel) {
            [configuration, channels] reply in
            CurlTransfer(request, configuration, deadline: deadline, cancellation: cancellation).run(
                in: channels, reply)
        }
    }
}

extension CurlTransport {
    /// Which way a transport's exchanges leave the machine.
    public enum Egress: Hashable, Sendable {
        /// Whatever the routing table says.
        case any
        /// Bound to the device of this name, such as `wwan0`. Linux 5.7 or later allows that without privileges; where
        /// it is refused the exchange fails, for a source address alone can leave by another interface.
        case interface(String)
        /// From this address of the machine, such as the `127.0.0.11` of a virtual phone. Does not choose the
        /// interface.
        case sourceAddress(InternetAddress)
    }

    public struct Configuration: Hashable, Sendable {
        public var egress: Egress
        /// A PEM file of the only certificate authorities to trust; `nil` for the system's.
        public var trustedAuthorities: String?
        /// Content larger than this is refused with ``TransportError/Code/tooLarge``.
        public var maximumBody: Int
        /// Keep connections for the next exchange, so that an authorize after a prefetch costs one round trip. A kept
        /// connection is given up when the address that it left by is gone from the machine. That happens after a
        /// change of the cellular address. When it ends without an answer the exchange fails with
        /// ``TransportError/Code/connectionLost``: content that may have arrived is never sent twice.
        public var keepsConnections: Bool

        public init(
            egress: Egress = .any, trustedAuthorities: String? = nil, maximumBody: Int = 1024 * 1024,
            keepsConnections: Bool = true
        ) {
            self.egress = egress
            self.trustedAuthorities = trustedAuthorities
            self.maximumBody = maximumBody
            self.keepsConnections = keepsConnections
        }
    }
}

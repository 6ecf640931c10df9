#if canImport(Network)
public import BenjiProtocol
import Network

/// The transport of iPhones: Network.framework bound to mobile data, with the HTTP/1.1 of this module.
///
/// `URLSession` has no public way to require the cellular interface; `NWConnection` has. Wi-Fi and cables are
/// prohibited too, so that no change of path moves the connection to them. App Transport Security does not govern
/// `NWConnection`: a plain `http` gateway needs no exception in the app's property list. TLS is the system's, with its
/// trust store, and always verified.
///
/// A network that is missing may take two seconds to appear, for the radio may have to wake; then the error is
/// ``TransportError/Code/cellularUnavailable``.
public struct CellularTransport: Transport {
    /// Content larger than this is refused with ``TransportError/Code/tooLarge``.
    public var greatestBody: Int

    public init(greatestBody: Int = 1024 * 1024) { self.greatestBody = greatestBody }

    /// The address on the path that the system would choose now; nothing is sent to the server. It takes five seconds
    /// at most.
    ///
    /// The system races IPv6 against IPv4, so the exchange may in the end leave by the other family;
    /// ``TransportResponse/localAddress`` then shows it.
    public func localAddress(towards server: ServerURL) async throws(TransportError) -> InternetAddress? {
        try await CellularRoute(server).localAddress().get()
    }

    /// See ``Transport/send(_:timeout:)``.
    public func send(
        _ request: TransportRequest, timeout: Duration
    ) async throws(TransportError) -> TransportResponse {
        try await HTTP1Connection.send(
            request, greatestBody: greatestBody, timeout: timeout, using: .cellular(for: request.url))
    }
}
#endif

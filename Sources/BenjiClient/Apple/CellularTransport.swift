#if canImport(Network)
public import BenjiProtocol
import Network

/// The transport of iPhones: Network.framework bound to mobile data, with the HTTP/1.1 of this module.
///
/// `URLSession` has no public way to require the cellular interface; `NWConnection` has. Wi-Fi and cables are
/// prohibited too, so that no change of path moves the connection to them. TLS is the system's, with its trust store,
/// and always verified. A gateway needs `https`: iCloud Private Relay carries what apps send by plain `http`, and the
/// gateway would see the relay's address. ``Benji`` refuses plain `http` but to loopback addresses, where the sandbox
/// runs. A simulator, which has no mobile data, reaches those by whatever network there is.
///
/// A missing network may take two seconds to appear, because the radio may have to wake. Then the error is
/// ``TransportError/Code/cellularUnavailable``, or ``TransportError/Code/cellularDenied`` when mobile data is switched
/// off. At the first launch in mainland China, Wi-Fi is denied to the app too until the person answers the system's
/// question. While it is, the request waits for its whole time.
public struct CellularTransport: Transport {
    /// Content larger than this is refused with ``TransportError/Code/tooLarge``.
    public var maximumBody: Int

    public init(maximumBody: Int = 1024 * 1024) { self.maximumBody = maximumBody }

    /// The address on the path that the system would choose now; nothing is sent to the server. It takes five seconds
    /// at most.
    ///
    /// The system races IPv6 against IPv4, so the exchange may in the end leave by the other family;
    /// ``TransportResponse/localAddress`` then shows it.
    public func localAddress(towards server: ServerURL) async throws(TransportError) -> InternetAddress? {
        // The address that the sandbox's gateway sees is its phone's, which a simulator does not know.
        guard !server.isSandboxOfSimulator else { return nil }
        return try await CellularRoute(server).localAddress().get()
    }

    /// See ``Transport/send(_:timeout:)``.
    public func send(
        _ request: TransportRequest, timeout: Duration
    ) async throws(TransportError) -> TransportResponse {
        try await HTTP1Connection.send(
            request, maximumBody: maximumBody, timeout: timeout, using: .cellular(for: request.url))
    }
}
#endif

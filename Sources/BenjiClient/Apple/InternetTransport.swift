#if canImport(Network)
public import BenjiProtocol
import Network

/// The transport for what needs no mobile data: by whatever network the phone has, Wi-Fi first.
///
/// It is like ``CellularTransport`` without its binding: no redirect, no cookie, the system's TLS. Never prove a number
/// by it: on Wi-Fi the gateway would see another subscriber's address.
public struct InternetTransport: Transport {
    /// Content larger than this is refused with ``TransportError/Code/tooLarge``.
    public var maximumBody: Int

    public init(maximumBody: Int = 1024 * 1024) { self.maximumBody = maximumBody }

    /// Unknown: no proof of an address is made over this transport.
    public func localAddress(towards server: ServerURL) async throws(TransportError) -> InternetAddress? { nil }

    /// See ``Transport/send(_:timeout:)``.
    public func send(
        _ request: TransportRequest, timeout: Duration
    ) async throws(TransportError) -> TransportResponse {
        do throws(TransportError) {
            return try await HTTP1Connection.send(
                request, maximumBody: maximumBody, timeout: timeout, using: .anyNetwork(for: request.url))
        } catch {
            // Without a binding, the error means that there is no network at all.
            throw error.isNetworkMissing
                ? TransportError(.noNetwork, at: request.url.origin, "there is no network") : error
        }
    }
}
#endif

public import BenjiProtocol

/// One HTTP exchange over one chosen network, usually the cellular one.
///
/// The gateway recognises a phone by the address it calls from. A request that leaves by another interface is worse
/// than one that fails. So a transport never falls back to a second network, follows no redirect, keeps no cookie and
/// uses no proxy. Any complete reply is a ``TransportResponse``, whatever its status; everything else is a
/// ``TransportError``.
public protocol Transport: Sendable {
    /// The address that a request to `server` would leave by now, as the phone sees it; `nil` when the transport cannot
    /// tell.
    ///
    /// The engine asks before it signs a proof. Ask again for every proof: a cellular address changes at any time, and
    /// an answer that differs from ``TransportResponse/localAddress`` afterwards says that it did.
    ///
    /// - Throws: ``TransportError/Code/noNetwork`` or ``TransportError/Code/cellularUnavailable`` when there is no way
    ///   out.
    func localAddress(towards server: ServerURL) async throws(TransportError) -> InternetAddress?

    /// Sends one request and waits for the whole answer.
    ///
    /// Cancelling the calling task ends the transfer at once with ``TransportError/Code/cancelled``.
    ///
    /// - Parameters:
    ///   - request: What to send. `Host`, `Content-Length` and `Connection` are the transport's own and refused here.
    ///   - timeout: For the whole exchange, name look-up and TLS included. Zero or less has already timed out.
    func send(_ request: TransportRequest, timeout: Duration) async throws(TransportError) -> TransportResponse
}

package import BenjiClient
package import BenjiProtocol

/// Sends requests to a phone of the sandbox. The sandbox plays that phone's network, and reports a request that it
/// loses.
package struct SandboxTransport: Transport {
    private let base: any Transport

    package init(_ base: any Transport) { self.base = base }

    /// Unknown: the phone's address is the sandbox's matter.
    package func localAddress(towards server: ServerURL) async throws(TransportError) -> InternetAddress? { nil }

    package func send(
        _ request: TransportRequest, timeout: Duration
    ) async throws(TransportError) -> TransportResponse {
        let response = try await base.send(request, timeout: timeout)
        if let reason = response.headers["Benji-Sandbox-Error"] {
            throw TransportError(.init(rawValue: reason), at: request.url.origin, "so the sandbox's phone has it")
        }
        return response
    }
}

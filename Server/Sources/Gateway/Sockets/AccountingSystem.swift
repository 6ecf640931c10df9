import BenjiProtocol

/// The system's support for an accounting socket. For a check before the service runs; nothing is received meanwhile.
package struct AccountingSystem: Sendable, Hashable {
    /// The buffer that the kernel gives when ``GatewayConfiguration/receiveBuffer`` is asked for, in bytes.
    package let receiveBuffer: Int
    /// Why the kernel would not filter unknown senders; `nil` if it would.
    package let filterProblem: String?

    /// Opens a socket on the loopback, asks the kernel, and closes it.
    /// - Throws: the system's error if no UDP socket can be had at all.
    package static func examine(_ configuration: GatewayConfiguration) throws -> AccountingSystem {
        let socket = try AccountingSocket.open(
            InternetAddress(bytes: [127, 0, 0, 1])!, port: 0,
            filter: SourceFilter(configuration.networkAccessServers.flatMap(\.sources)),
            receiveBuffer: configuration.receiveBuffer)
        defer { socket.close() }
        return AccountingSystem(receiveBuffer: socket.receiveBuffer, filterProblem: socket.filterProblem)
    }
}

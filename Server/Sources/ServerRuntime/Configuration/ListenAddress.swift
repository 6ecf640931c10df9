package import BenjiProtocol

/// Where a listener listens: `127.0.0.1:8080`, `[::1]:8080`. Port 0 lets the system choose.
package struct ListenAddress: Hashable, Sendable, CustomStringConvertible {
    package var host: InternetAddress
    package var port: UInt16

    package init(host: InternetAddress, port: UInt16) {
        self.host = host
        self.port = port
    }

    package init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
            return nil
        }
        var host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
        guard let address = InternetAddress(host) else { return nil }
        self.init(host: address, port: port)
    }

    package var description: String { host.family == .v4 ? "\(host):\(port)" : "[\(host)]:\(port)" }
}

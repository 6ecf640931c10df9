@_spi(Server) import BenjiProtocol

/// The machine that this process runs on. Plain HTTP to it crosses no network.
package enum OwnMachine {
    /// Whether the host of a URL is this machine: `localhost` or an address of the loopback, not a name that begins
    /// like one.
    package static func isNamed(_ host: String) -> Bool {
        let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
        guard let address = InternetAddress(isBracketed ? String(host.dropFirst().dropLast()) : host) else {
            return host == "localhost"
        }
        return address.isLoopback
    }
}

package import BenjiProtocol

/// The machine that this process runs on. Plain HTTP to it crosses no network.
package enum OwnMachine {
    /// What only this machine reaches (RFC 1122 §3.2.1.3, RFC 4291 §2.5.3).
    package static let loopback = ["127.0.0.0/8", "::1/128"].compactMap { IPPrefix($0) }

    /// Whether the host of a URL is this machine: `localhost` or an address of the loopback, not a name that begins like one.
    package static func isNamed(_ host: String) -> Bool {
        let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
        guard let address = InternetAddress(isBracketed ? String(host.dropFirst().dropLast()) : host) else {
            return host == "localhost"
        }
        return loopback.contains { $0.contains(address) }
    }
}

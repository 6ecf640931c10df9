#if canImport(Network)
@_spi(Server) import BenjiProtocol
import Foundation
import Network
import Security

extension NWParameters {
    /// Mobile data or nothing, without proxies; TLS 1.2 or later when the address says `https`.
    static func cellular(for server: ServerURL) -> NWParameters {
        server.isSandboxOfSimulator ? anyNetwork(for: server) : boundToCellular(anyNetwork(for: server))
    }

    /// Whatever network the system likes best; TLS 1.2 or later when the address says `https`.
    static func anyNetwork(for server: ServerURL) -> NWParameters {
        guard server.scheme == .https else { return NWParameters(tls: nil) }
        let tls = NWProtocolTLS.Options()
        sec_protocol_options_set_min_tls_protocol_version(tls.securityProtocolOptions, .TLSv12)
        return NWParameters(tls: tls)
    }

    /// The same way out for datagrams, to ask for a route.
    static var cellularDatagrams: NWParameters { boundToCellular(.udp) }

    private static func boundToCellular(_ parameters: NWParameters) -> NWParameters {
        parameters.requiredInterfaceType = .cellular
        parameters.prohibitedInterfaceTypes = [.wifi, .wiredEthernet]
        parameters.preferNoProxies = true
        return parameters
    }
}

extension ServerURL {
    /// Whether a simulator calls a sandbox on its own machine; never on a phone. A simulator has no mobile data, and
    /// the sandbox maps incoming connections to a phone's address, so the connection is not bound to an interface.
    var isSandboxOfSimulator: Bool {
        #if targetEnvironment(simulator)
        guard let address else { return host == "localhost" }
        return IPPrefix("127.0.0.0/8")?.contains(address) == true || InternetAddress("::1") == address
        #else
        return false
        #endif
    }
}

extension NWConnection {
    convenience init(to server: ServerURL, using parameters: NWParameters) {
        // Port 0 cannot be in a ServerURL.
        let port = NWEndpoint.Port(rawValue: server.port) ?? .https
        self.init(host: NWEndpoint.Host(server.host), port: port, using: parameters)
    }

    /// This end's address, once there is a path.
    ///
    /// `nil` where the phone has IPv6 only and translates IPv4 itself (464XLAT, RFC 6877). Every such phone gives
    /// itself the same few addresses (RFC 7335), so naming one proves nothing.
    var localAddress: InternetAddress? {
        guard case .hostPort(let host, _)? = currentPath?.localEndpoint else { return nil }
        let address: InternetAddress? =
            switch host {
            case .ipv4(let address): InternetAddress(bytes: address.rawValue)
            case .ipv6(let address): InternetAddress(bytes: address.rawValue)
            default: nil
            }
        return address.flatMap { $0.isOfTranslator ? nil : $0 }
    }
}

extension TransportError {
    /// The same, with the path's own word on what keeps it down.
    init(_ error: NWError, at server: ServerURL, on path: NWPath?) {
        self.init(error, at: server)
        guard code == .cellularUnavailable, path?.unsatisfiedReason == .cellularDenied else { return }
        self.init(
            .cellularDenied, at: "cellular",
            "mobile data is switched off, or not allowed for this app; the person changes it in Settings, Mobile Data")
    }

    /// Whether the network is missing and may still appear.
    var isNetworkMissing: Bool { code == .cellularUnavailable || code == .cellularDenied }

    /// Describes a Network.framework error in our words: the framework's text is localised and changes.
    init(_ error: NWError, at server: ServerURL) {
        switch error {
        case .dns(let code):
            self.init(.nameNotResolved, at: server.origin, "the name has no address over mobile data (DNS \(code))")
        case .tls(let status):
            self.init(
                .tlsFailed, at: server.origin,
                "no trusted TLS connection; check the certificate's names, dates and issuer (OSStatus \(status))")
        case .posix(let code):
            switch code {
            case .ENETDOWN, .ENETUNREACH, .EHOSTUNREACH, .EADDRNOTAVAIL, .ENOTCONN:
                self.init(
                    .cellularUnavailable, at: "cellular",
                    "there is no mobile data: no signal, no SIM, or flight mode (errno \(code.rawValue))")
            case .ECONNREFUSED:
                self.init(.connectionRefused, at: server.origin, "nothing listens at this address and port")
            case .ETIMEDOUT: self.init(.timedOut, at: server.origin, "it did not answer to a connection")
            default:
                self.init(.connectionLost, at: server.origin, "the connection ended (errno \(code.rawValue))")
            }
        default: self.init(.connectionLost, at: server.origin, "the connection ended")
        }
    }
}
#endif

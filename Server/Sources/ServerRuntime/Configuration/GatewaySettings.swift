package import BenjiPolicy
package import BenjiProtocol
package import Gateway
package import Link
package import Logging
import RADIUS
package import ServerHTTP

/// The settings of a gateway, checked.
package struct GatewaySettings: Sendable {
    /// Accounting over TLS (RFC 6614).
    package struct RadSec: Sendable {
        package var address: ListenAddress
        package var identity: CertificateFiles
        /// PEM file of who signs the certificates of network elements.
        package var clientAuthority: String
    }

    package var device: ListenAddress
    package var accounting: ListenAddress
    /// Where accounting comes over TLS; `nil` if nowhere.
    package var radSec: RadSec?
    /// Addresses under which phones reach the device listener.
    package var publicURLs: [String] = []
    package var gatewayName = "gateway-1"
    package var gatewayDomain = "default"
    /// Role gateway: whether it is one of two of which one owns the addresses.
    package var isPaired = false
    package var gatewaySessions = 20_000_000
    package var gatewayReceiveBuffer = 8 << 20
    package var networkElements: [NetworkAccessServer] = []
    /// By the ip-domain of their public side.
    package var deterministicNATs: [String: [DeterministicNAT]] = [:]
    /// Role gateway: the nodes of the authority, one at least.
    package var authorityURLs: [String] = []
    /// Role gateway: how long the answer of one node of the authority is awaited.
    package var authorityTimeout = RemoteAuthority.usualTimeout

    package init(device: ListenAddress, accounting: ListenAddress) {
        (self.device, self.accounting) = (device, accounting)
    }

    /// Where accounting comes.
    package var feedListeners: [(name: ListenerName, address: ListenAddress)] {
        [(.accounting, accounting)] + (radSec.map { [(.radsec, $0.address)] } ?? [])
    }

    /// For the first line of the log.
    package var summary: Logger.Metadata {
        var summary: Logger.Metadata = [
            "device": "\(device)", "accounting": "\(accounting)", "nas": "\(networkElements.count)",
        ]
        if let radSec { summary["radsec"] = "\(radSec.address)" }
        return summary
    }

    /// Warnings about settings that are missing, for people.
    package var warnings: [String] {
        var warnings: [String] = []
        if networkElements.isEmpty {
            warnings.append("no NAS is configured, so no phone can be recognised; see nas.names")
        }
        if publicURLs.isEmpty {
            warnings.append(
                "public.urls is not set: the Host header decides what proofs must name; set it in production")
        }
        return warnings
    }

    /// The configuration of the gateway in this process.
    ///
    /// - Parameter journalPath: the journal, unless the gateway is of a pair.
    package func service(journalPath: String) -> GatewayConfiguration {
        var gateway = GatewayConfiguration(
            name: gatewayName, networkAccessServers: networkElements,
            listeners: [.init(address: accounting.host, port: accounting.port)],
            journalPath: isPaired ? nil : journalPath)
        gateway.isPaired = isPaired
        gateway.sessionLimit = gatewaySessions
        gateway.receiveBuffer = gatewayReceiveBuffer
        gateway.deterministicNATs = deterministicNATs
        return gateway
    }

    /// The certificate of accounting over TLS; `nil` if none comes that way.
    package func radSecTLS() throws -> RenewableTLS? {
        try radSec.map { radSec in try RenewableTLS("radsec") { try ServerCertificate(radSec).identity } }
    }
}

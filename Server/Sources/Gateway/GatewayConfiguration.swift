package import BenjiProtocol
import RADIUS

/// The configuration of a gateway, fixed at start.
package struct GatewayConfiguration: Sendable {
    /// The gateway's name in sightings.
    package var name: String
    package var networkAccessServers: [NetworkAccessServer]
    /// Address and port pairs that accounting is heard on. Port 0 lets the system choose.
    package var listeners: [AccountingAddress]
    /// Where connections over TLS are taken, from NASes that have certificates; `nil` if nowhere.
    package var radSec: RadSecSettings?
    /// The journal's file; `nil` keeps nothing, and every session is unknown after a restart.
    package var journalPath: String?
    /// A session is stale when nothing was heard of it for this many of its NAS's interim intervals.
    package var leaseIntervals = 2
    /// How late packets may come. A session that ended is remembered for this long, so that a late or replayed Start
    /// does not bring it back. An older Start creates nothing.
    package var reorderWindow: Duration = .seconds(600)
    /// How far an event may lie ahead of our clock. Beyond it the NAS's clock is wrong and its packet is dropped.
    package var clockTolerance: Duration = .seconds(60)
    /// How long a NAS leaves a returned address unused. An end that is reported later than this revokes everything
    /// earned since.
    package var reuseQuarantine: Duration = .seconds(10)
    /// Bytes of packets that the kernel is asked to keep for each accounting socket. It gives `net.core.rmem_max` at
    /// most.
    package var receiveBuffer = 8 << 20
    /// Packets that wait for processing; more are shed.
    package var queueLimit = 65_536
    /// Answers kept for repeated packets.
    package var duplicateLimit = 65_536
    /// The most sessions that the directory's indexes support.
    package static let maximumSessionLimit = SlotIndex.maximumPosition
    /// Sessions held; more are refused.
    package var sessionLimit = 20_000_000
    /// Whether this is one of two gateways of which one owns the addresses; then what it would journal is recorded for
    /// the other.
    package var isPaired = false
    /// NATs that compute ports from addresses (RFC 7422), by the domain of their public side.
    package var deterministicNATs: [String: [DeterministicNAT]] = [:]

    /// Where accounting is heard.
    package struct AccountingAddress: Sendable, Hashable {
        package var address: InternetAddress
        package var port: UInt16

        package init(address: InternetAddress, port: UInt16 = 1813) {
            self.address = address
            self.port = port
        }
    }

    package init(
        name: String, networkAccessServers: [NetworkAccessServer], listeners: [AccountingAddress] = [],
        journalPath: String? = nil
    ) {
        self.name = name
        self.networkAccessServers = networkAccessServers
        self.listeners = listeners
        self.journalPath = journalPath
    }

    /// The errors in the configuration, in words for the operator; empty if there are none.
    package var problems: [String] {
        var problems: [String] = []
        var names: Set<String> = []
        for (index, nas) in networkAccessServers.enumerated() {
            if nas.name.isEmpty || nas.name.utf8.count > 64 { problems.append("a NAS needs a name of 1 to 64 bytes") }
            if !names.insert(nas.name).inserted { problems.append("two NASes are called \(nas.name)") }
            if nas.sources.isEmpty == nas.certificates.isEmpty {
                problems.append("\(nas.name): needs either source addresses or names of certificates")
            }
            if !nas.certificates.isEmpty, nas.secret != .radSec {
                problems.append("\(nas.name): the secret of a connection over TLS is radsec (RFC 6614 §2.3)")
            }
            if nas.pools.isEmpty {
                problems.append("\(nas.name): no address pools, so nothing it says can be accepted")
            }
            if nas.interimInterval < .seconds(1) {
                problems.append("\(nas.name): the interim interval must be at least 1 s")
            }
            if !CallingNumber.isKnown(country: nas.country) {
                problems.append("\(nas.name): \(nas.country) is no country whose numbers are known, such as CN")
            }
            if nas.repeats < .zero { problems.append("\(nas.name): the time of repeating must not be negative") }
            if nas.silence < .seconds(1) { problems.append("\(nas.name): the silence must be at least 1 s") }
            if nas.rateLimit < 1 { problems.append("\(nas.name): the rate limit must be at least 1") }
            for other in networkAccessServers[..<index] {
                for source in nas.sources where other.sources.contains(where: { $0.overlaps(source) }) {
                    problems.append("\(nas.name) and \(other.name) share source addresses in \(source)")
                }
                for name in nas.certificates where other.certificates.contains(name) {
                    problems.append("\(nas.name) and \(other.name) share the certificate \(name)")
                }
            }
        }
        if !(1...Self.maximumSessionLimit).contains(sessionLimit) {
            problems.append("sessionLimit must be from 1 to \(Self.maximumSessionLimit)")
        }
        if isPaired, journalPath != nil { problems.append("a gateway of a pair keeps no journal") }
        if leaseIntervals < 1 { problems.append("leaseIntervals must be at least 1") }
        return problems
    }
}

extension IPPrefix {
    func overlaps(_ other: IPPrefix) -> Bool { contains(other.address) || other.contains(address) }
}

/// A configuration that cannot work.
package struct GatewayConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
    package let problems: [String]
    package var description: String { "gateway configuration: " + problems.joined(separator: "; ") }
}

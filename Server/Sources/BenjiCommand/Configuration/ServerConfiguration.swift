import AppAttest
import Authority
import BenjiPolicy
import BenjiProtocol
import Console
import Foundation
import Gateway
import Link
import Logging
import NIOSSL
import OpenIDProvider
import PKCS11
import RADIUS
import ServerHTTP

/// Where a listener listens: `127.0.0.1:8080`, `[::1]:8080`. Port 0 lets the system choose.
struct ListenAddress: Hashable, Sendable, CustomStringConvertible {
    var host: InternetAddress
    var port: UInt16

    init(host: InternetAddress, port: UInt16) {
        self.host = host
        self.port = port
    }

    init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
            return nil
        }
        var host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
        guard let address = InternetAddress(host) else { return nil }
        self.init(host: address, port: port)
    }

    var description: String { host.family == .v4 ? "\(host):\(port)" : "[\(host)]:\(port)" }
}

/// Everything `benji serve` needs to know, checked.
struct ServerConfiguration: Sendable {
    enum Role: String, Sendable, CaseIterable {
        case all, gateway, authority
    }

    /// How log lines are written.
    enum LogFormat: String, Sendable, CaseIterable {
        /// For people.
        case text
        /// One object a line, for programs that collect logs.
        case json
    }

    struct Identity: Sendable {
        var certificate: String
        var key: String
    }

    /// Both sides of the link between gateway and authority.
    struct MutualTLS: Sendable {
        var identity: Identity
        var certificateAuthority: String
    }

    /// Accounting over TLS (RFC 6614).
    struct RadSec {
        var address: ListenAddress
        var identity: Identity
        /// PEM file of who signs the certificates of network elements.
        var clientAuthority: String
    }

    /// Where OpenID's clients show certificates.
    struct ClientTLS {
        var address: ListenAddress
        /// PEM file of who signs certificates for `tls_client_auth`.
        var clientAuthority: String?
    }

    /// The admin interface.
    struct Administration: Sendable {
        var address: ListenAddress
        /// Names by which it may be called, in lower case; addresses and localhost always may.
        var hosts: Set<String> = []
        /// PEM file of who signs the certificates of admins that have one.
        var clientAuthority: String?
        /// `nil` if one-tap sign-in to the console is off.
        var oneTap: OneTap?
    }

    /// The console as a client of an OpenID provider.
    struct OneTap: Sendable {
        var client: OneTapClient.Configuration
        var tls: TLSConfiguration
    }

    var role: Role = .all
    var dataDirectory: String
    /// Where the data directory was named: the command line, the environment, a file, or nowhere.
    var dataOrigin = "the default"
    /// The options by which a command names this installation again, such as ` -c benji.yaml`.
    var options = ""
    /// The database of an installation that keeps nothing in `benji.sqlite`.
    var postgres: Postgres?
    /// Wraps new master keys; `nil` where they are kept in clear.
    var wrappingKey: PKCS11URI?
    /// Wrapped the present master keys, where new ones are kept otherwise.
    var formerWrappingKey: PKCS11URI?
    /// Warnings about settings that work and are dangerous, for people.
    var warnings: [String] = []
    var logLevel: Logger.Level = .info
    var logFormat: LogFormat = .text
    var policy: CarrierPolicy = .standard
    /// The file that the policy came from; `nil` for the one that comes along.
    var policyFile: String?
    var device: ListenAddress
    var server: ListenAddress
    var admin: ListenAddress
    /// Names by which monitoring may call, in lower case; addresses and localhost always may.
    var adminHosts: Set<String> = []
    /// Where orders are given over HTTP; `nil` if nowhere.
    var administration: Administration?
    var accounting: ListenAddress
    /// Where accounting comes over TLS; `nil` if nowhere.
    var radSec: RadSec?
    var tls: Identity?
    var publicURLs: [String] = []
    /// `nil` while OpenID Connect is off, and in the role gateway.
    var openID: OpenIDProvider.Configuration?
    /// `nil` if no client of OpenID's shows a certificate.
    var clientTLS: ClientTLS?
    /// `nil` while face login is off, and in the role gateway.
    var face: Face?
    var gatewayName = "gateway-1"
    var gatewayDomain = "default"
    /// Role gateway: whether it is one of two of which one owns the addresses.
    var isPaired = false
    var gatewaySessions = 20_000_000
    var gatewayReceiveBuffer = 8 << 20
    var quarantine: Duration = .seconds(90 * 86400)
    var networkElements: [NetworkAccessServer] = []
    /// By the ip-domain of their public side.
    var deterministicNATs: [String: [DeterministicNAT]] = [:]
    /// Role gateway: the nodes of the authority, one at least.
    var authorityURLs: [String] = []
    /// Role gateway: how long the answer of one node of the authority is awaited.
    var authorityTimeout = RemoteAuthority.usualTimeout
    /// Role authority.
    var gatewayListener: ListenAddress?
    var gatewayCarriers: [String: Set<Carrier>] = [:]
    /// Of which pair each gateway is that is of one.
    var gatewayPairs: [String: String] = [:]
    /// The gateways of each pair, by its name.
    var membersOfPairs: [String: [String]] {
        Dictionary(grouping: gatewayPairs.keys.sorted()) { gatewayPairs[$0] ?? "" }
    }
    var mutualTLS: MutualTLS?
    /// The senders of short messages, in the order in which they are asked.
    var shortMessageSenders: [ShortMessageSenderSettings] = []
    var limits = ServerLimits()
    /// How long a process that is being stopped goes on while readiness fails.
    var drain: Duration = .zero
    var rememberedCallers = 1_000_000
    var rememberedProofs = 1_000_000
    /// Answers a day of an app without a contract and without a quota of its own; `nil` for no limit.
    var freeAnswersPerDay: Int?
    var takesUnchallengedAttestations = false
    /// Checks what App Attest says of keys; `nil` without a root.
    var appAttest: AppAttestVerifier?
    var retention = Retention()
    var callbacks = CallbackRules()
    /// Networks in which apps' callbacks may be although they are not reachable from outside.
    var callbackNetworks: [IPPrefix] = []
    /// PEM file of who signs receivers' certificates, besides the system's authorities.
    var callbackAuthorityFile: String?
    /// The datagram socket of a syslog daemon that gets the lines of the audit log, too; `nil` if none does.
    var auditSyslog: String?
    /// Whether people are shown their own log.
    var showsOwnLog = false
    var smsCodes = SMSCodes.Settings()
    var smsUpstream = SMSUpstream.Settings()

    /// Where SQLite's database is, of an installation without ``postgres``.
    var databasePath: String { "\(dataDirectory)/\(DataDirectory.database)" }
    var journalPath: String { "\(dataDirectory)/\(DataDirectory.journal)" }
    var masterKeyPath: String { "\(dataDirectory)/\(DataDirectory.key)" }

    /// The role's listeners; of two that clash the later one is named.
    var listeners: [(name: ListenerName, address: ListenAddress)] {
        var listeners: [(name: ListenerName, address: ListenAddress)] = []
        if role != .authority { listeners.append((.device, device)) }
        if role != .gateway { listeners.append((.server, server)) }
        if let clientTLS { listeners.append((.mtls, clientTLS.address)) }
        if let gatewayListener { listeners.append((.gateways, gatewayListener)) }
        listeners.append((.admin, admin))
        if let administration { listeners.append((.administration, administration.address)) }
        if role != .authority { listeners.append((.accounting, accounting)) }
        if let radSec { listeners.append((.radsec, radSec.address)) }
        return listeners
    }

    /// Listeners of which one would find its port taken by another.
    var clashes: [ConfigurationError] {
        let listeners = listeners.filter { $0.name != .accounting && $0.address.port != 0 }
        return listeners.indices.compactMap { index in
            let (name, address) = listeners[index]
            guard
                let other = listeners[..<index].first(where: {
                    $0.address.port == address.port
                        && ($0.address.host == address.host || $0.address.isEverywhere || address.isEverywhere)
                })
            else { return nil }
            return ConfigurationError(
                key: "listen.\(name)",
                problem:
                    "\(address) has the port of listen.\(other.name) (\(other.address)); give each a port of its own")
        }
    }

    /// The configuration of the gateway in this process.
    var gateway: GatewayConfiguration {
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
}

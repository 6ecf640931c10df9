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
import ServerRuntime

/// Everything `benji serve` needs to know, checked.
@dynamicMemberLookup
struct ServerConfiguration: Sendable {
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

    /// The settings that every role has.
    var process: ProcessConfiguration
    /// The settings of the gateway in this process; unused in the role authority.
    var gateway: GatewaySettings
    /// The database of an installation that keeps nothing in `benji.sqlite`.
    var postgres: Postgres?
    /// Wraps new master keys; `nil` where they are kept in clear.
    var wrappingKey: PKCS11URI?
    /// Wrapped the present master keys, where new ones are kept otherwise.
    var formerWrappingKey: PKCS11URI?
    var server: ListenAddress
    /// Where orders are given over HTTP; `nil` if nowhere.
    var administration: Administration?
    /// `nil` while OpenID Connect is off, and in the role gateway.
    var openID: OpenIDProvider.Configuration?
    /// `nil` if no client of OpenID's shows a certificate.
    var clientTLS: ClientTLS?
    /// `nil` while face login is off, and in the role gateway.
    var face: Face?
    var quarantine: Duration = .seconds(90 * 86400)
    /// Role authority.
    var gatewayListener: ListenAddress?
    var gatewayCarriers: [String: Set<Carrier>] = [:]
    /// Of which pair each gateway is that is of one.
    var gatewayPairs: [String: String] = [:]
    /// The gateways of each pair, by its name.
    var membersOfPairs: [String: [String]] {
        Dictionary(grouping: gatewayPairs.keys.sorted()) { gatewayPairs[$0] ?? "" }
    }
    /// The senders of short messages, in the order in which they are asked.
    var shortMessageSenders: [ShortMessageSenderSettings] = []
    var rememberedCallers = 1_000_000
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

    init(process: ProcessConfiguration, gateway: GatewaySettings, server: ListenAddress) {
        (self.process, self.gateway, self.server) = (process, gateway, server)
    }

    subscript<Value>(dynamicMember path: WritableKeyPath<ProcessConfiguration, Value>) -> Value {
        get { process[keyPath: path] }
        set { process[keyPath: path] = newValue }
    }

    subscript<Value>(dynamicMember path: KeyPath<ProcessConfiguration, Value>) -> Value { process[keyPath: path] }

    subscript<Value>(dynamicMember path: WritableKeyPath<GatewaySettings, Value>) -> Value {
        get { gateway[keyPath: path] }
        set { gateway[keyPath: path] = newValue }
    }

    /// Where SQLite's database is, of an installation without ``postgres``.
    var databasePath: String { "\(process.dataDirectory)/\(DataDirectory.database)" }
    var masterKeyPath: String { "\(process.dataDirectory)/\(DataDirectory.key)" }

    /// The role's listeners; of two that clash the later one is named.
    var listeners: [(name: ListenerName, address: ListenAddress)] {
        var listeners: [(name: ListenerName, address: ListenAddress)] = []
        if process.role != .authority { listeners.append((.device, gateway.device)) }
        if process.role != .gateway { listeners.append((.server, server)) }
        if let clientTLS { listeners.append((.mtls, clientTLS.address)) }
        if let gatewayListener { listeners.append((.gateways, gatewayListener)) }
        listeners.append((.admin, process.admin))
        if let administration { listeners.append((.administration, administration.address)) }
        if process.role != .authority { listeners += gateway.feedListeners }
        return listeners
    }

    /// Listeners of which one would find its port taken by another.
    var clashes: [ConfigurationError] { ConfigurationError.clashes(of: listeners) }
}

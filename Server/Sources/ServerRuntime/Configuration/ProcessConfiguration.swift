package import BenjiPolicy
import BenjiProtocol
package import Link
package import Logging
package import ServerHTTP

/// The part of a login that a process does: all of it, the recognition of phones, or the decisions.
package enum ServerRole: String, Sendable, CaseIterable {
    case all, gateway, authority
}

/// How log lines are written.
package enum LogFormat: String, Sendable, CaseIterable {
    /// For people.
    case text
    /// One object a line, for programs that collect logs.
    case json
}

/// The files of a certificate and its key.
package struct CertificateFiles: Sendable {
    package var certificate: String
    package var key: String

    package init(certificate: String, key: String) { (self.certificate, self.key) = (certificate, key) }
}

/// The settings that every process has, checked.
package struct ProcessConfiguration: Sendable {
    /// The name of a gateway's journal in the data directory.
    package static let journal = "directory.journal"

    /// Both sides of the link between gateway and authority.
    package struct MutualTLS: Sendable {
        package var identity: CertificateFiles
        package var certificateAuthority: String

        package init(identity: CertificateFiles, certificateAuthority: String) {
            (self.identity, self.certificateAuthority) = (identity, certificateAuthority)
        }
    }

    package var role: ServerRole = .all
    package var dataDirectory: String
    /// Where the data directory was named: the command line, the environment, a file, or nowhere.
    package var dataOrigin = "the default"
    /// The options by which a command names this installation again, such as ` -c benji.yaml`.
    package var options = ""
    /// Warnings about settings that work and are dangerous, for people.
    package var warnings: [String] = []
    package var logLevel: Logger.Level = .info
    package var logFormat: LogFormat = .text
    package var policy: CarrierPolicy = .standard
    /// The file that the policy came from; `nil` for the one that comes along.
    package var policyFile: String?
    package var admin: ListenAddress
    /// Names by which monitoring may call, in lower case; addresses and localhost always may.
    package var adminHosts: Set<String> = []
    package var tls: CertificateFiles?
    /// Roles gateway and authority.
    package var mutualTLS: MutualTLS?
    package var limits = ServerLimits()
    package var rememberedProofs = 1_000_000
    /// How long a process that is being stopped goes on while readiness fails.
    package var drain: Duration = .zero

    package init(dataDirectory: String, admin: ListenAddress) {
        (self.dataDirectory, self.admin) = (dataDirectory, admin)
    }

    /// For the first line of the log.
    package var summary: Logger.Metadata {
        ["role": "\(role.rawValue)", "admin": "\(admin)", "data": "\(absoluteDataDirectory)"]
    }

    /// The certificate of the listeners for phones and apps' servers; `nil` if they speak plain HTTP.
    package func listenerTLS() throws -> RenewableTLS? {
        try tls.map { identity in try RenewableTLS("tls") { try ServerCertificate(identity).identity } }
    }

    /// This end's certificate for the link.
    package func linkTLS() throws(ConfigurationError) -> LinkTLS {
        guard let mutualTLS else {
            throw ConfigurationError(
                key: "mutual-tls.certificate", problem: "missing; roles that are apart talk over mutual TLS")
        }
        do {
            return try LinkTLS(
                certificatePath: mutualTLS.identity.certificate, keyPath: mutualTLS.identity.key,
                authorityPath: mutualTLS.certificateAuthority)
        } catch { throw ConfigurationError(key: "mutual-tls", problem: error.problem) }
    }
}

extension ProcessConfiguration {
    /// Reads the settings of every role.
    ///
    /// - Parameters:
    ///   - role: the role if the settings name none.
    ///   - isOnly: whether the program has no other role.
    package init(_ settings: Settings, role fallback: ServerRole, isOnly: Bool = false) throws {
        let role = try settings.value(
            "role", default: fallback, "all, gateway or authority", ServerRole.init(rawValue:))
        guard !isOnly || role == fallback else {
            throw ConfigurationError(
                key: "role",
                problem: "is \(role.rawValue), and this program is the \(fallback.rawValue) alone; start benji serve "
                    + "with this configuration")
        }
        try settings.refuseOthers(than: role)
        self.init(
            dataDirectory: settings.string("data") ?? settings.besideFile("benji-data"),
            admin: try settings.address("listen.admin", default: "127.0.0.1:8082"))
        self.role = role
        dataOrigin = settings.origin("data") ?? settings.defaultOrigin
        adminHosts = Set(try settings.list("admin.hosts", "a name such as benji.internal", Settings.hostName))
        let isPublic = try settings.flag("admin.public", default: false)
        guard isPublic || admin.isInside else {
            throw ConfigurationError(
                key: "listen.admin",
                problem:
                    "\(admin) can be reached from outside, and the listener asks nobody who they are; use loopback or "
                    + "a private address, or set admin.public=true behind a firewall")
        }
        logLevel = try settings.value(
            "log.level", default: .info, "trace, debug, info, notice, warning, error or critical",
            Logger.Level.init(rawValue:))
        logFormat = try settings.value("log.format", default: .text, "text or json", LogFormat.init(rawValue:))
        if let path = settings.string("policy") {
            policy = try PolicyFile(path).policy
            policyFile = path
        }
        tls = try settings.identity("tls")
        try readLimits(settings)
    }

    /// Reads this side's certificate for the link, which the roles gateway and authority need.
    package mutating func readLink(_ settings: Settings) throws(ConfigurationError) {
        guard role != .all else { return }
        guard let identity = try settings.identity("mutual-tls") else {
            throw ConfigurationError(
                key: "mutual-tls.certificate",
                problem: "missing; the roles gateway and authority talk over mutual TLS")
        }
        mutualTLS = MutualTLS(
            identity: identity, certificateAuthority: try settings.required("mutual-tls.authority"))
    }

    /// The limits of one connection, and of one address, at a listener.
    private mutating func readLimits(_ settings: Settings) throws(ConfigurationError) {
        limits.connections = try settings.number("limits.connections", default: limits.connections)
        limits.connectionsPerAddress = try settings.number(
            "limits.connections-per-address", default: limits.connectionsPerAddress)
        limits.headTimeout = try settings.seconds("limits.head-timeout", default: limits.headTimeout)
        limits.bodyTimeout = try settings.seconds("limits.body-timeout", default: limits.bodyTimeout)
        limits.idleTimeout = try settings.seconds("limits.idle-timeout", default: limits.idleTimeout)
        limits.writeTimeout = try settings.seconds("limits.write-timeout", default: limits.writeTimeout)
        rememberedProofs = try settings.number("limits.remembered-proofs", default: rememberedProofs)
        drain = try settings.seconds("drain", default: drain)
    }
}

extension Settings {
    /// A listener's address.
    package func address(_ key: String, default fallback: String) throws(ConfigurationError) -> ListenAddress {
        try value(
            key, default: ListenAddress(fallback), "an address and a port, such as 127.0.0.1:8080",
            { ListenAddress($0) })
    }

    /// The files of a certificate and its key; `nil` if neither is set.
    package func identity(_ prefix: String) throws(ConfigurationError) -> CertificateFiles? {
        let certificate = string("\(prefix).certificate")
        let key = string("\(prefix).key")
        switch (certificate, key) {
        case (nil, nil): return nil
        case (let certificate?, let key?): return CertificateFiles(certificate: certificate, key: key)
        case (nil, _):
            throw ConfigurationError(key: "\(prefix).certificate", problem: "missing, but \(prefix).key is set")
        case (_, nil):
            throw ConfigurationError(key: "\(prefix).key", problem: "missing, but \(prefix).certificate is set")
        }
    }

    /// The name of a host in lower case; `nil` for other text.
    package static func hostName(_ text: String) -> String? {
        let isName =
            (1...253).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                $0 == 0x2d || $0 == 0x2e || (0x30...0x39).contains($0) || (0x61...0x7a).contains($0 | 0x20)
            }
        return isName ? text.lowercased() : nil
    }

    /// A name that an operator chose; `nil` for other text.
    package static func name(_ text: String) -> String? {
        let isName =
            (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                $0 == 0x2d || $0 == 0x5f || (0x30...0x39).contains($0) || (0x61...0x7a).contains($0)
            }
        return isName ? text : nil
    }
}

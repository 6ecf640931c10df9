import BenjiPolicy
import BenjiProtocol
import Foundation
import Gateway
import Logging
import RADIUS

extension ServerConfiguration {
    init(_ settings: Settings) throws {
        func address(_ key: String, _ fallback: String) throws(ConfigurationError) -> ListenAddress {
            try settings.value(
                key, default: ListenAddress(fallback), "an address and a port, such as 127.0.0.1:8080",
                { ListenAddress($0) })
        }
        let role = try settings.value("role", default: Role.all, "all, gateway or authority", Role.init(rawValue:))
        try settings.refuseOthers(than: role)
        self.init(
            dataDirectory: settings.string("data") ?? settings.besideFile("benji-data"),
            device: try address("listen.device", "127.0.0.1:8080"),
            server: try address("listen.server", "127.0.0.1:8081"),
            admin: try address("listen.admin", "127.0.0.1:8082"),
            accounting: try address("listen.accounting", "127.0.0.1:1813"))
        self.role = role
        dataOrigin = settings.origin("data") ?? settings.defaultOrigin
        adminHosts = Set(try settings.list("admin.hosts", "a name such as benji.internal", Self.hostName))
        let isPublic = try settings.flag("admin.public", default: false)
        guard isPublic || admin.isInside else {
            throw ConfigurationError(
                key: "listen.admin",
                problem:
                    "\(admin) can be reached from outside, and the listener asks nobody who they are; use loopback or "
                    + "a "
                    + "private address, or set admin.public=true behind a firewall")
        }
        postgres = try Self.postgres(settings)
        try readWrappingKeys(settings)
        logLevel = try settings.value(
            "log.level", default: .info, "trace, debug, info, notice, warning, error or critical",
            Logger.Level.init(rawValue:))
        logFormat = try settings.value("log.format", default: .text, "text or json", LogFormat.init(rawValue:))
        if let path = settings.string("policy") {
            policy = try PolicyFile(path).policy
            policyFile = path
        }
        tls = try Self.identity(settings, "tls")
        administration = try Self.administration(settings, tls: tls)
        publicURLs = try settings.list("public.urls", "an address such as https://gw.example") {
            $0.hasPrefix("https://") || $0.hasPrefix("http://") ? $0 : nil
        }
        // A gateway forwards all that phones and browsers ask; whether there is an answer is the authority's to know.
        if role != .gateway {
            showsOwnLog = try settings.flag("public-log.page", default: false)
            face = try Self.face(settings)
            openID = try Self.openID(settings, publicURLs: publicURLs, role: role)
            clientTLS = try readClientTLS(settings)
            auditSyslog = try settings.string("audit.syslog").map { path throws(ConfigurationError) in
                guard path.utf8.count <= SyslogSocket.maximumPath else {
                    throw ConfigurationError(
                        key: "audit.syslog",
                        problem: "\(path) is longer than the path of a socket may be, \(SyslogSocket.maximumPath) bytes"
                    )
                }
                return path
            }
        }
        gatewayName = settings.string("gateway.name") ?? gatewayName
        gatewayDomain = settings.string("gateway.domain") ?? gatewayDomain
        isPaired = try settings.flag("gateway.pair", default: false)
        if isPaired, role == .all {
            throw ConfigurationError(
                key: "gateway.pair", problem: "needs the role gateway: a pair keeps what it knows with an authority")
        }
        gatewaySessions = try settings.number("gateway.sessions", default: gatewaySessions)
        gatewayReceiveBuffer = try settings.number("gateway.receive-buffer", default: gatewayReceiveBuffer)
        quarantine = .seconds(86400 * (try settings.number("quarantine.days", default: 90)))
        for name in try settings.list("nas.names", "a name", Self.name, isUnique: true) {
            networkElements.append(try Self.networkElement(name, settings, policy))
        }
        radSec = try Self.radSec(settings)
        if let nas = networkElements.first(where: { !$0.certificates.isEmpty }), radSec == nil {
            throw ConfigurationError(
                key: "listen.radsec",
                problem: "missing; nas.\(nas.name) has a certificate, so where do connections over TLS come?")
        }
        for name in try settings.list("nat.names", "a name", Self.name, isUnique: true) {
            let (domain, nat) = try Self.deterministicNAT(name, settings)
            guard domain == gatewayDomain else {
                throw ConfigurationError(
                    key: "nat.\(name).domain",
                    problem: "is \(domain), but the device listener is in \(gatewayDomain) (gateway.domain), so this "
                        + "NAT would never be asked")
            }
            deterministicNATs[domain, default: []].append(nat)
        }
        limits = try Self.limits(settings)
        drain = try settings.seconds("drain", default: drain)
        try readMemories(settings)
        try readRetention(settings)
        try readCallbacks(settings)
        try readSMSCodes(settings)
        if role == .gateway {
            let list = try settings.required("authority.url")
            authorityURLs = try settings.list(
                "authority.url", "an address such as https://authority.internal:8083",
                { $0.hasPrefix("https://") ? $0 : nil }, isUnique: true)
            guard !authorityURLs.isEmpty else {
                throw ConfigurationError(key: "authority.url", problem: "\"\(list)\" names no authority")
            }
            authorityTimeout = try settings.seconds("authority.timeout", default: authorityTimeout)
            if authorityURLs.count == 1, let place = settings.origin("limits.remembered-proofs") {
                throw ConfigurationError(
                    key: "limits.remembered-proofs",
                    problem: "has no effect (from \(place)): the one authority in authority.url remembers proofs itself"
                )
            }
        }
        if role == .authority {
            gatewayListener = try settings.value("listen.gateways", "an address and a port", { ListenAddress($0) })
            for name in try settings.list("gateways.names", "a name", Self.name, isUnique: true) {
                gatewayCarriers[name] = Set(
                    try settings.list(
                        "gateways.\(name).carriers", policy.names
                    ) { policy.carrier($0) })
                if settings.string("gateways.\(name).pair") != nil {
                    gatewayPairs[name] = try settings.value("gateways.\(name).pair", "a name", Self.name)
                }
            }
            for (pair, names) in membersOfPairs where names.count != 2 {
                throw ConfigurationError(
                    key: "gateways.\(names[0]).pair",
                    problem:
                        "the pair \(pair) is named by \(names.count == 1 ? "one gateway" : "\(names.count) gateways"); "
                        + "a pair is two, of which one answers"
                )
            }
        }
        if role != .all {
            guard let identity = try Self.identity(settings, "mutual-tls") else {
                throw ConfigurationError(
                    key: "mutual-tls.certificate",
                    problem: "missing; the roles gateway and authority talk over mutual TLS")
            }
            mutualTLS = MutualTLS(
                identity: identity, certificateAuthority: try settings.required("mutual-tls.authority"))
        }
        shortMessageSenders = try Self.shortMessageSenders(settings)
        if !shortMessageSenders.isEmpty { try refuseGuessableCodes() }
        try readSMSUpstream(settings)
        warnings += Self.exposedSecretFiles(settings)
        try settings.refuseUnused()
        warnings += [settings.exposure].compactMap { $0 }
    }

    static func hostName(_ text: String) -> String? {
        let isName =
            (1...253).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                $0 == 0x2d || $0 == 0x2e || (0x30...0x39).contains($0) || (0x61...0x7a).contains($0 | 0x20)
            }
        return isName ? text.lowercased() : nil
    }

    static func name(_ text: String) -> String? {
        let isName =
            (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                $0 == 0x2d || $0 == 0x5f || (0x30...0x39).contains($0) || (0x61...0x7a).contains($0)
            }
        return isName ? text : nil
    }

    private static func identity(_ settings: Settings, _ prefix: String) throws(ConfigurationError) -> Identity? {
        let certificate = settings.string("\(prefix).certificate")
        let key = settings.string("\(prefix).key")
        switch (certificate, key) {
        case (nil, nil): return nil
        case (let certificate?, let key?): return Identity(certificate: certificate, key: key)
        case (nil, _):
            throw ConfigurationError(key: "\(prefix).certificate", problem: "missing, but \(prefix).key is set")
        case (_, nil):
            throw ConfigurationError(key: "\(prefix).key", problem: "missing, but \(prefix).certificate is set")
        }
    }

    private static func radSec(_ settings: Settings) throws(ConfigurationError) -> RadSec? {
        guard settings.string("listen.radsec") != nil else { return nil }
        let address = try settings.value("listen.radsec", "an address and a port", { ListenAddress($0) })
        guard let identity = try identity(settings, "radsec") else {
            throw ConfigurationError(
                key: "radsec.certificate", problem: "missing; accounting over TLS needs a certificate and its key")
        }
        return RadSec(
            address: address, identity: identity, clientAuthority: try settings.required("radsec.client-authority"))
    }

    private static func networkElement(
        _ name: String, _ settings: Settings, _ policy: CarrierPolicy
    ) throws(ConfigurationError) -> NetworkAccessServer {
        let sources = try settings.list("nas.\(name).sources", "an address or a block", { IPPrefix($0) })
        let pools = try settings.list("nas.\(name).pools", "an address or a block", { IPPrefix($0) })
        let certificates = try settings.list(
            "nas.\(name).certificate", "a DNS name, a URI, or sha256: and 64 hexadecimal digits", { ClientName($0) })
        guard sources.isEmpty != certificates.isEmpty else {
            throw ConfigurationError(
                key: "nas.\(name).sources",
                problem: sources.isEmpty
                    ? "missing; where do its packets come from? (nas.\(name).certificate if they come over TLS)"
                    : "nas.\(name).certificate is set too; it comes by UDP from addresses, or over TLS with a "
                        + "certificate"
            )
        }
        guard !pools.isEmpty else {
            throw ConfigurationError(key: "nas.\(name).pools", problem: "missing; which addresses may it announce?")
        }
        let carrier = try settings.value("nas.\(name).carrier", policy.names) { policy.carrier($0) }
        let record = policy.carriers[carrier]
        if !certificates.isEmpty, let place = settings.origin("nas.\(name).secret") {
            throw ConfigurationError(
                key: "nas.\(name).secret",
                problem:
                    "has no effect (from \(place)): over TLS a certificate proves who sends, and the secret is radsec"
            )
        }
        let secret =
            certificates.isEmpty
            ? try settings.value("nas.\(name).secret", "not empty", { SharedSecret($0) }) : .radSec
        let ranges = try settings.list("nas.\(name).numbers", "the beginning of a number, such as 86138", digits)
        let interim = try settings.seconds("nas.\(name).interim", default: .seconds(300))
        let country = try settings.value(
            "nas.\(name).country", default: record?.country ?? "CN", "two capital letters, such as CN",
            NetworkAccessServer.country)
        let home = try settings.list("nas.\(name).home-networks", "five or six digits, such as 46000") {
            (5...6).contains($0.count) ? digits($0) : nil
        }
        return NetworkAccessServer(
            name: name, sources: sources, certificates: certificates, secret: secret,
            domain: settings.string("nas.\(name).domain") ?? "default",
            publicDomain: settings.string("nas.\(name).public-domain"), pools: pools,
            carrier: carrier,
            numberRanges: ranges.isEmpty ? nil : ranges,
            excludedNumberRanges: try settings.list(
                "nas.\(name).excluded-numbers", "the beginning of a number, such as 861440", digits),
            country: country,
            numberForm: try settings.value(
                "nas.\(name).number-form", default: .international, "international or national",
                NetworkAccessServer.NumberForm.init(rawValue:)),
            homeNetworks: Set(home.isEmpty ? record?.networks ?? [] : home),
            interimInterval: interim,
            silence: try settings.seconds("nas.\(name).silence", default: interim * 3 / 2),
            repeats: try settings.seconds("nas.\(name).repeats", default: .zero),
            eventTimestamp: try settings.value(
                "nas.\(name).event-timestamp", default: .required, "required or optional",
                NetworkAccessServer.EventTimestamp.init(rawValue:)),
            rateLimit: try settings.number("nas.\(name).rate", default: 50_000),
            sendsSessionStopIndicator: try settings.flag("nas.\(name).session-stop-indicator", default: true))
    }

    private static func digits(_ text: String) -> String? {
        (1...15).contains(text.utf8.count) && text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? text : nil
    }

    /// A NAT that computes ports from addresses, and the domain of its public side.
    private static func deterministicNAT(
        _ name: String, _ settings: Settings
    ) throws(ConfigurationError) -> (domain: String, nat: DeterministicNAT) {
        let inside = try settings.value("nat.\(name).inside", "an IPv4 block", { IPPrefix($0) })
        let outside = try settings.value("nat.\(name).outside", "an IPv4 block", { IPPrefix($0) })
        guard
            let nat = DeterministicNAT(
                inside: inside, outside: outside,
                insideDomain: settings.string("nat.\(name).inside-domain") ?? "default")
        else {
            throw ConfigurationError(
                key: "nat.\(name).inside",
                problem: "must be IPv4 like nat.\(name).outside, at least as large, and leave each address a port")
        }
        return (settings.string("nat.\(name).domain") ?? "public", nat)
    }
}

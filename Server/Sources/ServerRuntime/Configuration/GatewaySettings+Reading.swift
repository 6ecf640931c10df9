import BenjiPolicy
import BenjiProtocol
import Gateway
import RADIUS

extension GatewaySettings {
    /// Reads the settings of a gateway.
    package init(_ settings: Settings, _ process: ProcessConfiguration) throws {
        let role = process.role
        self.init(
            device: try settings.address("listen.device", default: "127.0.0.1:8080"),
            accounting: try settings.address("listen.accounting", default: "127.0.0.1:1813"))
        publicURLs = try settings.list("public.urls", "an address such as https://gw.example") {
            $0.hasPrefix("https://") || $0.hasPrefix("http://") ? $0 : nil
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
        for name in try settings.list("nas.names", "a name", Settings.name, isUnique: true) {
            networkElements.append(try Self.networkElement(name, settings, process.policy))
        }
        radSec = try Self.radSec(settings)
        if let nas = networkElements.first(where: { !$0.certificates.isEmpty }), radSec == nil {
            throw ConfigurationError(
                key: "listen.radsec",
                problem: "missing; nas.\(nas.name) has a certificate, so where do connections over TLS come?")
        }
        for name in try settings.list("nat.names", "a name", Settings.name, isUnique: true) {
            let (domain, nat) = try Self.deterministicNAT(name, settings)
            guard domain == gatewayDomain else {
                throw ConfigurationError(
                    key: "nat.\(name).domain",
                    problem: "is \(domain), but the device listener is in \(gatewayDomain) (gateway.domain), so this "
                        + "NAT would never be asked")
            }
            deterministicNATs[domain, default: []].append(nat)
        }
        if role == .gateway { try readAuthority(settings) }
    }

    private mutating func readAuthority(_ settings: Settings) throws(ConfigurationError) {
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

    private static func radSec(_ settings: Settings) throws(ConfigurationError) -> RadSec? {
        guard settings.string("listen.radsec") != nil else { return nil }
        let address = try settings.value("listen.radsec", "an address and a port", { ListenAddress($0) })
        guard let identity = try settings.identity("radsec") else {
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

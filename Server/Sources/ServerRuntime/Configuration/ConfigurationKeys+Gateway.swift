import Gateway

extension ConfigurationKeys {
    /// The keys of `benji-gateway`, which is a gateway alone.
    package static let gatewayProgram = ConfigurationKeys(
        [Group(process.roles, process.keys.map(ofGateway)), gateway, gatewayApart, link], remedies: gatewayRemedies,
        exampleCommand: "benji-gateway --example", others: "keys of other roles are for benji serve")

    /// A key of every role as a gateway alone describes it.
    private static func ofGateway(_ key: Key) -> Key {
        var key = key
        switch key.name {
        case "role": (key.example, key.meaning) = ("gateway", "gateway; benji serve has the other roles")
        case "data": key.meaning = "directory for the journal"
        default: break
        }
        return key
    }

    /// The example file of `benji-gateway`.
    package static let gatewayExample = gatewayProgram.exampleFile(
        """
        role: gateway
        data: ./benji-data
        listen:
          device: 127.0.0.1:8080      # where phones call, on the carrier's side
          admin: 127.0.0.1:8082       # health and metrics; keep it inside
          accounting: 127.0.0.1:1813  # where RADIUS accounting arrives (UDP)
        authority: {url: "https://authority.internal:8083"}
        mutual-tls: {certificate: gateway-1.pem, key: gateway-1.key, authority: link-ca.pem}
        # public: {urls: ["https://gw.example"]}
        # tls: {certificate: cert.pem, key: key.pem}
        gateway: {name: gateway-1, domain: default}
        \(exampleFeed)
        """)

    /// The keys of every role.
    package static let process = Group(
        ServerRole.allCases,
        [
            Key(name: "role", example: "all", meaning: "all, gateway or authority"),
            Key(
                name: "data", isPath: true, example: "./benji-data",
                meaning: "directory for the database, the journal and the master key"
            ),
            Key(
                name: "log.level", example: "info",
                meaning:
                    "trace, debug, info, notice, warning, error or critical"),
            Key(
                name: "log.format", example: "json",
                meaning:
                    "text or json: one object a line with time, level, message and metadata; "
                    + "text if absent"),
            Key(
                name: "policy", isPath: true, example: "policy.json",
                meaning:
                    "the carriers' records; China's three, built in, if absent "
                    + "(docs/operations/policy.md)"),
            Key(
                name: "listen.admin", example: "127.0.0.1:8082",
                meaning:
                    "health and metrics, without authentication; keep it on loopback or inside"),
            Key(
                name: "admin.hosts", example: "benji.monitoring.internal",
                meaning:
                    "names by which monitoring calls listen.admin, besides addresses and localhost; others are "
                    + "refused"
            ),
            Key(
                name: "admin.public", example: "true",
                meaning:
                    "takes an address of listen.admin that others may reach; the listener asks "
                    + "nobody who they are"
            ),
            Key(
                name: "tls.certificate", isPath: true, example: "cert.pem",
                meaning: "PEM certificate chain for phones and servers"),
            Key(
                name: "tls.key", isPath: true, example: "key.pem",
                meaning:
                    "PEM private key of the certificate"),
            Key(
                name: "limits.connections", example: "16384",
                meaning:
                    "open connections of one listener; more wait, and fewer if the process has too few "
                    + "descriptors",
                bounds: .count(1...1_000_000)),
            Key(
                name: "limits.connections-per-address", example: "1024",
                meaning: "open connections from one address, or one /64 of IPv6; more are closed",
                bounds: .count(1...1_000_000)),
            Key(
                name: "limits.head-timeout", example: "10",
                meaning: "seconds until a new connection has sent its header",
                bounds: .seconds(1...86400)),
            Key(
                name: "limits.body-timeout", example: "10",
                meaning:
                    "seconds from the header to the end of the body",
                bounds: .seconds(1...86400)),
            Key(
                name: "limits.idle-timeout", example: "60",
                meaning: "seconds that a connection may wait between requests",
                bounds: .seconds(1...86400)),
            Key(
                name: "drain", example: "5",
                meaning:
                    "seconds that a stop still answers while /health/ready fails, for a "
                    + "balancer; 0 by default",
                bounds: .seconds(0...300)),
            Key(
                name: "limits.write-timeout", example: "10",
                meaning:
                    "seconds until answers that pile up are taken",
                bounds: .seconds(1...86400)),
            Key(
                name: "limits.remembered-proofs", example: "1000000",
                meaning:
                    "proofs that are remembered, 40 bytes each; when more come, only newer "
                    + "ones are taken",
                bounds: .count(1000...100_000_000)),
        ])

    /// The keys of the roles that have a gateway in their process.
    package static let gateway = Group(
        [.all, .gateway],
        [
            Key(
                name: "listen.device", example: "0.0.0.0:8080",
                meaning:
                    "where phones call, on the carrier's side"),
            Key(
                name: "listen.accounting", example: "127.0.0.1:1813",
                meaning:
                    "where RADIUS accounting arrives (UDP)"),
            Key(
                name: "listen.radsec", example: "0.0.0.0:2083",
                meaning:
                    "where RADIUS accounting arrives over TLS (RFC 6614, TCP); nowhere if "
                    + "absent"),
            Key(
                name: "radsec.certificate", isPath: true, example: "radsec.pem",
                meaning: "PEM certificate chain that network elements are shown"),
            Key(
                name: "radsec.key", isPath: true, example: "radsec.key",
                meaning:
                    "PEM private key of that certificate"),
            Key(
                name: "radsec.client-authority", isPath: true, example: "radsec-ca.pem",
                meaning:
                    "PEM certificates that sign those of network elements; nobody else's "
                    + "certificates count"),
            Key(
                name: "public.urls", example: "https://gw.example",
                meaning:
                    "addresses under which phones reach the device listener, as their proofs "
                    + "name it"),
            Key(
                name: "gateway.name", example: "gateway-1",
                meaning:
                    "this gateway's name in sightings"),
            Key(
                name: "gateway.domain", example: "default",
                meaning:
                    "ip-domain of the device listener"),
            Key(
                name: "gateway.pair", example: "true",
                meaning:
                    "role gateway: one of two gateways of the same addresses, of which one "
                    + "answers at a time"),
            Key(
                name: "gateway.sessions", example: "20000000",
                meaning: "sessions that the gateway holds; new ones are not taken beyond it",
                bounds: .count(1...GatewayConfiguration.maximumSessionLimit)),
            Key(
                name: "gateway.receive-buffer", example: "8388608",
                meaning:
                    "bytes of accounting that the kernel is asked to keep; it gives "
                    + "net.core.rmem_max at most",
                bounds: .bytes(4096...1 << 30)),
            Key(
                name: "nas.names", example: "pgw",
                meaning:
                    "the network elements that send accounting"),
            Key(
                name: "nas.*.sources", example: "127.0.0.1/32",
                meaning:
                    "addresses that its packets come from"),
            Key(
                name: "nas.*.secret", example: "16 random characters or more",
                meaning:
                    "its shared secret"),
            Key(
                name: "nas.*.certificate", example: "pgw-1.core.example",
                meaning:
                    "over TLS, in the place of sources and secret: its certificate's DNS name or URI, or "
                    + "sha256: and the fingerprint"
            ),
            Key(
                name: "nas.*.event-timestamp", example: "required",
                meaning:
                    "required or optional: whether packets without attribute 55 are answered; "
                    + "they never name anybody"),
            Key(
                name: "nas.*.domain", example: "default",
                meaning:
                    "the ip-domain that its addresses belong to"),
            Key(
                name: "nas.*.pools", example: "10.0.0.0/8",
                meaning:
                    "addresses that it may announce"),
            Key(
                name: "nas.*.carrier", example: "mobile",
                meaning: "whose subscribers it serves: a carrier of the policy"),
            Key(
                name: "nas.*.interim", example: "300",
                meaning:
                    "seconds between its Interim-Updates",
                bounds: .seconds(1...86400)),
            Key(
                name: "nas.*.silence", example: "450",
                meaning:
                    "seconds without a packet until its sessions are in doubt; one and a half nas.*.interim if "
                    + "absent",
                bounds: .seconds(1...604_800)),
            Key(
                name: "nas.*.repeats", example: "0",
                meaning:
                    "seconds for which it surely repeats what is not answered, every quarter of that or "
                    + "oftener; 0 if unknown",
                bounds: .seconds(0...86400)),
            Key(
                name: "nas.*.country", example: "CN",
                meaning:
                    "the country whose mobile numbers may log in, by ISO 3166-1; the carrier's "
                    + "if absent"),
            Key(
                name: "nas.*.number-form", example: "international",
                meaning:
                    "international or national: whether its numbers begin with the country code"),
            Key(
                name: "nas.*.public-domain", example: "public",
                meaning:
                    "the ip-domain of the public addresses in its port blocks (RFC 8045); its "
                    + "own domain if absent"
            ),
            Key(
                name: "nas.*.numbers", example: "86138",
                meaning: "beginnings of the numbers that may log in; all if absent"
            ),
            Key(
                name: "nas.*.excluded-numbers", example: "861440",
                meaning: "beginnings of numbers that may not: M2M, IoT"),
            Key(
                name: "nas.*.home-networks", example: "46000",
                meaning:
                    "MCC-MNC that are not roaming; the carrier's, or else the IMSI's, if absent"
            ),
            Key(
                name: "nas.*.rate", example: "50000",
                meaning:
                    "packets a second that are taken from it",
                bounds: NumberBounds(range: 1...10_000_000, unit: "packets a second")),
            Key(
                name: "nas.*.session-stop-indicator", example: "true",
                meaning:
                    "whether its Stops without 3GPP-Session-Stop-Indicator end one bearer only"),
            Key(
                name: "nat.names", example: "cgn",
                meaning:
                    "NATs that compute ports from addresses (RFC 7422)"),
            Key(
                name: "nat.*.inside", example: "100.64.0.0/16",
                meaning:
                    "its subscribers' addresses"),
            Key(name: "nat.*.outside", example: "203.0.113.0/24", meaning: "its public addresses"),
            Key(
                name: "nat.*.inside-domain", example: "default",
                meaning:
                    "the ip-domain of its inside"),
            Key(
                name: "nat.*.domain", example: "public",
                meaning: "the ip-domain of its outside, as of the device listener"),
        ])

    /// The keys of a gateway whose authority is another process.
    package static let gatewayApart = Group(
        [.gateway],
        [
            Key(
                name: "authority.url", example: "https://authority.internal:8083",
                meaning:
                    "role gateway: where the authority listens for gateways; a list where several nodes of it "
                    + "use one database"
            ),
            Key(
                name: "authority.timeout", example: "2",
                meaning:
                    "role gateway: seconds to wait for the answer of one node of the "
                    + "authority; 2 by default",
                bounds: .seconds(1...600)),
        ])

    /// The keys of the link, of either side.
    package static let link = Group(
        [.gateway, .authority],
        [
            Key(
                name: "mutual-tls.certificate", isPath: true, example: "gateway-1.pem",
                meaning:
                    "PEM certificate for the link between gateway and authority; its one DNS name is the "
                    + "gateway's name"
            ),
            Key(
                name: "mutual-tls.key", isPath: true, example: "gateway-1.key",
                meaning: "PEM private key of that certificate"),
            Key(
                name: "mutual-tls.authority", isPath: true, example: "link-ca.pem",
                meaning: "PEM certificate that signs both sides'"),
        ])

    /// A NAS that sends accounting, as YAML for the example file.
    package static let exampleFeed = """
        nas:
          names: [pgw]
          pgw:
            sources: [127.0.0.1/32]   # addresses that its packets come from
            secret: \(exampleSecret)
            pools: [127.8.0.0/16]     # addresses that it may announce
            carrier: mobile
            interim: 300
        """

    /// How to give a key of a gateway's section an effect.
    package static let gatewayRemedies = [
        "nas": "name it in nas.names first", "nat": "name it in nat.names first",
    ]
}

import Authority
import Gateway
import PKCS11

/// Every key that a configuration may have, with its meaning and, for a number, its bounds. The reader, the check for
/// misspelt keys and the file that `benji serve --example` prints use this list.
enum ConfigurationKeys {
    /// The shared secret of the example file: known to everybody.
    static let exampleSecret = "change-me-to-sixteen-or-more"

    struct Key: Sendable {
        var name: String
        var example: String
        var meaning: String
        /// Required for a whole number: ``Settings/number(_:default:)`` reads no key without bounds.
        var bounds: NumberBounds?

        /// The meaning and, for a number, the range.
        var explanation: String {
            bounds.map { "\(meaning), \($0.range.lowerBound) to \($0.range.upperBound)" } ?? meaning
        }
    }

    /// `*` stands for the name of a NAS out of `nas.names`.
    static let all: [Key] = [
        Key(name: "role", example: "all", meaning: "all, gateway or authority"),
        Key(
            name: "data", example: "./benji-data", meaning: "directory for the database, the journal and the master key"
        ),
        Key(
            name: "store.postgres",
            example: "host=db.example.com dbname=benji user=benji sslrootcert=/etc/benji/db-ca.pem",
            meaning:
                "keeps everything in this PostgreSQL database instead of benji.sqlite; a server over a network is "
                + "verified "
                + "(sslmode=verify-full) unless sslmode= names another mode; its password belongs into a file, such as "
                + "~/.pgpass "
                + "(docs/operations/postgresql.md, PostgreSQL)"),
        Key(
            name: "store.serving-role", example: "benji_serving",
            meaning:
                "the role of PostgreSQL that servers connect as, for them and for the commands of the tables' owner "
                + "(docs/operations/postgresql.md, Two roles); a server that connects as this role refuses to start if "
                + "it has the owner's "
                + "power; if absent, a server may own the tables"),
        Key(
            name: "store.connections", example: "10",
            meaning: "connections of one server to PostgreSQL; with four, a flood of requests delays logins",
            bounds: .count(1...64)),
        Key(
            name: "store.queue-timeout", example: "10",
            meaning: "seconds that work may wait for one of these connections; 10 by default",
            bounds: .seconds(1...600)),
        Key(
            name: "store.answer-timeout", example: "6",
            meaning: "seconds that PostgreSQL may take for an answer to logins; 6 by default",
            bounds: .seconds(6...600)),
        Key(
            name: "master-key.wrapping-key", example: PKCS11URI.example,
            meaning:
                "the key in an HSM that wraps master keys (docs/operations/keys.md, Keys); they are kept in clear if "
                + "absent"
        ),
        Key(
            name: "master-key.former-wrapping-key", example: PKCS11URI.example,
            meaning: "the one that wrapped the present master key, until benji keys rotate has put another in its place"
        ),
        Key(name: "log.level", example: "info", meaning: "trace, debug, info, notice, warning, error or critical"),
        Key(
            name: "log.format", example: "json",
            meaning: "text or json: one object a line with time, level, message and metadata; text if absent"),
        Key(
            name: "policy", example: "policy.json",
            meaning: "the carriers' records; China's three, built in, if absent (docs/operations/policy.md)"),
        Key(name: "listen.device", example: "0.0.0.0:8080", meaning: "where phones call, on the carrier's side"),
        Key(name: "listen.server", example: "0.0.0.0:8081", meaning: "where apps' servers call"),
        Key(
            name: "listen.mtls", example: "0.0.0.0:8085",
            meaning:
                "where apps' servers call that show a client certificate (RFC 8705, docs/openid.md); nowhere if "
                + "absent. It has "
                + "tls.certificate, which names that host too"),
        Key(
            name: "listen.admin", example: "127.0.0.1:8082",
            meaning: "health and metrics, without authentication; keep it on loopback or inside"),
        Key(name: "listen.accounting", example: "127.0.0.1:1813", meaning: "where RADIUS accounting arrives (UDP)"),
        Key(
            name: "listen.radsec", example: "0.0.0.0:2083",
            meaning: "where RADIUS accounting arrives over TLS (RFC 6614, TCP); nowhere if absent"),
        Key(
            name: "radsec.certificate", example: "radsec.pem",
            meaning: "PEM certificate chain that network elements are shown"),
        Key(name: "radsec.key", example: "radsec.key", meaning: "PEM private key of that certificate"),
        Key(
            name: "radsec.client-authority", example: "radsec-ca.pem",
            meaning: "PEM certificates that sign those of network elements; nobody else's certificates count"),
        Key(
            name: "admin.hosts", example: "benji.monitoring.internal",
            meaning: "names by which monitoring calls listen.admin, besides addresses and localhost; others are refused"
        ),
        Key(
            name: "admin.public", example: "true",
            meaning: "takes an address of listen.admin that others may reach; the listener asks nobody who they are"),
        Key(
            name: "listen.administration", example: "127.0.0.1:8084",
            meaning:
                "where admins give orders over HTTP (docs/operations/admin.md); nowhere if absent. Beyond loopback it "
                + "needs TLS"
        ),
        Key(
            name: "administration.hosts", example: "benji-admin.internal",
            meaning:
                "names by which listen.administration is called, besides addresses and localhost; others are refused"),
        Key(
            name: "administration.client-authority", example: "admins-ca.pem",
            meaning: "PEM certificates that sign those of admins who come with a client certificate instead of a "
                + "token"),
        Key(
            name: "console.openid.issuer", example: "https://id.example",
            meaning:
                "lets admins sign in to the console by one tap of their own phone (docs/console.md): the OpenID "
                + "provider that knows it, "
                + "such as this installation's openid.issuer"),
        Key(
            name: "console.openid.address", example: "https://benji-admin.internal:8084",
            meaning: "where browsers reach the console; with /console/tap it is the client's redirect URI"),
        Key(
            name: "console.openid.client-id", example: "300000000001",
            meaning: "the console's own client id at the provider, the id of its app"),
        Key(
            name: "console.openid.client-secret-file", example: "console.secret",
            meaning: "the file that holds the client's secret"),
        Key(
            name: "console.openid.authority", example: "id-ca.pem",
            meaning: "PEM certificates of who signs the provider's; the system's if absent"),
        Key(name: "tls.certificate", example: "cert.pem", meaning: "PEM certificate chain for phones and servers"),
        Key(name: "tls.key", example: "key.pem", meaning: "PEM private key of the certificate"),
        Key(
            name: "public.urls", example: "https://gw.example",
            meaning: "addresses under which phones reach the device listener, as their proofs name it"),
        Key(
            name: "openid.issuer", example: "https://id.example",
            meaning: "switches OpenID Connect on: where apps' servers reach listen.server, the issuer in tokens"),
        Key(
            name: "openid.pages", example: "https://gw.example",
            meaning:
                "where browsers on phones reach listen.device; the first of public.urls if absent. Needed at an "
                + "authority, whose gateways listen there"),
        Key(
            name: "openid.mtls", example: "https://mtls.id.example",
            meaning: "where apps' servers reach listen.mtls: the mtls_endpoint_aliases"),
        Key(
            name: "openid.client-authority", example: "clients-ca.pem",
            meaning:
                "PEM certificates of who directly signs those of clients of tls_client_auth; without it clients can "
                + "only register "
                + "certificates of their own (self_signed_tls_client_auth)"),
        Key(
            name: "openid.api-prefix", example: "/carrier",
            meaning:
                "stands before all paths of CAMARA's interfaces, for callers that expect one; without it nothing does"),
        Key(
            name: "face.enabled", example: "true",
            meaning:
                "switches face login on (docs/superid-dialect.md)"),
        Key(
            name: "face.terms-url", example: "https://id.example/face-terms",
            meaning: "what people agree to before their face is used; needed where face login is on"),
        Key(name: "face.terms-title", example: "人脸信息处理规则", meaning: "the title of these terms"),
        Key(
            name: "face.terms-version", example: "1",
            meaning: "another version asks everybody for a new consent at their next login"),
        Key(
            name: "face.least-assurance", example: "net+app",
            meaning:
                "the least that a number must be proven with before a face is tied to it; an app may ask for more. "
                + "With sms, whoever can read a number's messages can give its account a face"),
        Key(
            name: "face.models", example: ".face/models",
            meaning: "folder of the models; models in the folder that BENJI_FACE names, or in .face, if absent"),
        Key(
            name: "face.engines", example: "2", meaning: "pictures that are looked at at a time; 130 MB each",
            bounds: .count(1...64)),
        Key(name: "face.policy", example: "face-policy.json", meaning: "thresholds; the built-in ones if absent"),
        Key(name: "gateway.name", example: "gateway-1", meaning: "this gateway's name in sightings"),
        Key(name: "gateway.domain", example: "default", meaning: "ip-domain of the device listener"),
        Key(
            name: "gateway.pair", example: "true",
            meaning: "role gateway: one of two gateways of the same addresses, of which one answers at a time"),
        Key(
            name: "gateway.sessions", example: "20000000",
            meaning: "sessions that the gateway holds; new ones are not taken beyond it",
            bounds: .count(1...GatewayConfiguration.maximumSessionLimit)),
        Key(
            name: "gateway.receive-buffer", example: "8388608",
            meaning: "bytes of accounting that the kernel is asked to keep; it gives net.core.rmem_max at most",
            bounds: .bytes(4096...1 << 30)),
        Key(
            name: "quarantine.days", example: "90", meaning: "days that a number rests before somebody else gets it",
            bounds: .days(0...36500)),
        Key(
            name: "retention.traces", example: "7", meaning: "days that steps of logins are kept",
            bounds: .retention("traces")),
        Key(
            name: "retention.login-counts", example: "400",
            meaning: "days that counts of logins by app and hour are kept, for charts",
            bounds: .retention("login-counts")),
        Key(
            name: "retention.device-keys", example: "180",
            meaning: "days after its last login that a phone's key is known",
            bounds: .retention("device-keys")),
        Key(
            name: "retention.consents", example: "1827", meaning: "days that consents are kept as evidence",
            bounds: .retention("consents")),
        Key(
            name: "retention.ledger", example: "3653",
            meaning: "days that lines of the ledger are kept; whole months end",
            bounds: .retention("ledger")),
        Key(
            name: "retention.delivered-events", example: "3",
            meaning: "days that events are kept which an app's callback has got",
            bounds: .retention("delivered-events")),
        Key(
            name: "retention.dead-events", example: "30",
            meaning: "days that events are kept which no attempt brought to the app's callback",
            bounds: .retention("dead-events")),
        Key(
            name: "audit.syslog", example: "/run/benji-audit.sock",
            meaning:
                "also sends each line of the audit log to the syslog daemon that reads this datagram socket "
                + "(docs/operations/rows.md, "
                + "The audit log in syslog)"),
        Key(
            name: "public-log.page", example: "true",
            meaning: "shows people at /log/mine, over mobile data, who got their number (docs/log.md)"),
        Key(
            name: "callbacks.ports", example: "443, 8443",
            meaning: "ports that apps' callbacks may have (docs/callbacks.md)",
            bounds: NumberBounds(range: 1...65535, unit: "a port")),
        Key(
            name: "callbacks.allow-networks", example: "10.20.0.0/24",
            meaning: "networks of yours in which callbacks may be; besides them only public addresses are called"),
        Key(
            name: "callbacks.authorities", example: "receivers-ca.pem",
            meaning: "PEM certificates that sign those of callbacks, besides the system's authorities"),
        Key(
            name: "callbacks.plain-loopback", example: "false",
            meaning: "lets callbacks be http://localhost on this machine; for trying out alone"),
        Key(
            name: "sms-codes.destinations", example: "86",
            meaning: "country codes to which codes are sent; 86 if absent"),
        Key(
            name: "sms-codes.digits", example: "6", meaning: "digits of an SMS code",
            bounds: .count(SMSCodes.Settings.digitCounts)),
        Key(
            name: "sms-codes.lifetime", example: "300", meaning: "seconds that an SMS code is good for",
            bounds: .seconds(60...1800)),
        Key(
            name: "sms-codes.tries", example: "5", meaning: "wrong codes before a code ends",
            bounds: .count(1...10)),
        Key(
            name: "sms-codes.per-minute", example: "5",
            meaning: "messages with codes to one number in a minute, of all apps",
            bounds: .count(1...100)),
        Key(
            name: "sms-codes.per-day", example: "10",
            meaning: "messages with codes to one number in a day, of all apps",
            bounds: .count(1...1000)),
        Key(
            name: "sms-codes.per-app-and-day", example: "10000",
            meaning: "messages with codes of one app in a day (UTC+8)",
            bounds: .count(1...10_000_000)),
        Key(
            name: "sms-codes.per-prefix-and-hour", example: "100",
            meaning: "messages with codes in an hour to the 10,000 numbers that differ in the last four digits",
            bounds: .count(1...10_000_000)),
        Key(
            name: "sms-codes.per-source-and-hour", example: "1000",
            meaning: "messages with codes in an hour that one server address asks for",
            bounds: .count(1...10_000_000)),
        Key(
            name: "sms-codes.per-device-address-and-hour", example: "60",
            meaning: "messages with codes in an hour that phones at one address, or in one /64, ask for",
            bounds: .count(1...10_000_000)),
        Key(
            name: "sms-codes.login-text", example: "{{code}} is your code to log in to {{app}}",
            meaning: "what the message with a login's code says; {{code}} becomes the digits, {{app}} the app's name"),
        Key(
            name: "sms-upstream.number", example: "10690123",
            meaning:
                "the service number that people send texts to who log in by a message "
                + "(docs/operations/short-messages.md); nobody does if absent"
        ),
        Key(
            name: "sms-upstream.lifetime", example: "300",
            meaning: "seconds from a text until somebody must have logged in by it",
            bounds: .seconds(60...1800)),
        Key(
            name: "sms-upstream.per-app-and-day", example: "10000",
            meaning: "texts of one app in a day (UTC+8) that phones are given to send",
            bounds: .count(1...10_000_000)),
        Key(
            name: "sms-upstream.per-device-address-and-hour", example: "60",
            meaning: "texts in an hour that phones at one address, or in one /64, are given to send",
            bounds: .count(1...10_000_000)),
        Key(
            name: "sms-upstream.text", example: "I log in to {{app}} myself: {{code}}",
            meaning: "what people send, in their own name; {{code}} becomes the code, {{app}} the app's name"),
        Key(name: "nas.names", example: "pgw", meaning: "the network elements that send accounting"),
        Key(name: "nas.*.sources", example: "127.0.0.1/32", meaning: "addresses that its packets come from"),
        Key(name: "nas.*.secret", example: "16 random characters or more", meaning: "its shared secret"),
        Key(
            name: "nas.*.certificate", example: "pgw-1.core.example",
            meaning:
                "over TLS, in the place of sources and secret: its certificate's DNS name or URI, or sha256: and the "
                + "fingerprint"
        ),
        Key(
            name: "nas.*.event-timestamp", example: "required",
            meaning: "required or optional: whether packets without attribute 55 are answered; they never name "
                + "anybody"),
        Key(name: "nas.*.domain", example: "default", meaning: "the ip-domain that its addresses belong to"),
        Key(name: "nas.*.pools", example: "10.0.0.0/8", meaning: "addresses that it may announce"),
        Key(name: "nas.*.carrier", example: "mobile", meaning: "whose subscribers it serves: a carrier of the policy"),
        Key(
            name: "nas.*.interim", example: "300", meaning: "seconds between its Interim-Updates",
            bounds: .seconds(1...86400)),
        Key(
            name: "nas.*.silence", example: "450",
            meaning:
                "seconds without a packet until its sessions are in doubt; one and a half nas.*.interim if absent",
            bounds: .seconds(1...604_800)),
        Key(
            name: "nas.*.repeats", example: "0",
            meaning:
                "seconds for which it surely repeats what is not answered, every quarter of that or oftener; 0 if "
                + "unknown",
            bounds: .seconds(0...86400)),
        Key(
            name: "nas.*.country", example: "CN",
            meaning: "the country whose mobile numbers may log in, by ISO 3166-1; the carrier's if absent"),
        Key(
            name: "nas.*.number-form", example: "international",
            meaning: "international or national: whether its numbers begin with the country code"),
        Key(
            name: "nas.*.public-domain", example: "public",
            meaning: "the ip-domain of the public addresses in its port blocks (RFC 8045); its own domain if absent"),
        Key(
            name: "nas.*.numbers", example: "86138", meaning: "beginnings of the numbers that may log in; all if absent"
        ),
        Key(name: "nas.*.excluded-numbers", example: "861440", meaning: "beginnings of numbers that may not: M2M, IoT"),
        Key(
            name: "nas.*.home-networks", example: "46000",
            meaning: "MCC-MNC that are not roaming; the carrier's, or else the IMSI's, if absent"
        ),
        Key(
            name: "nas.*.rate", example: "50000", meaning: "packets a second that are taken from it",
            bounds: NumberBounds(range: 1...10_000_000, unit: "packets a second")),
        Key(
            name: "nas.*.session-stop-indicator", example: "true",
            meaning: "whether its Stops without 3GPP-Session-Stop-Indicator end one bearer only"),
        Key(name: "nat.names", example: "cgn", meaning: "NATs that compute ports from addresses (RFC 7422)"),
        Key(name: "nat.*.inside", example: "100.64.0.0/16", meaning: "its subscribers' addresses"),
        Key(name: "nat.*.outside", example: "203.0.113.0/24", meaning: "its public addresses"),
        Key(name: "nat.*.inside-domain", example: "default", meaning: "the ip-domain of its inside"),
        Key(
            name: "nat.*.domain", example: "public",
            meaning: "the ip-domain of its outside, as of the device "
                + "listener"),
        Key(
            name: "limits.connections", example: "16384",
            meaning: "open connections of one listener; more wait, and fewer if the process has too few descriptors",
            bounds: .count(1...1_000_000)),
        Key(
            name: "limits.connections-per-address", example: "1024",
            meaning: "open connections from one address, or one /64 of IPv6; more are closed",
            bounds: .count(1...1_000_000)),
        Key(
            name: "limits.head-timeout", example: "10", meaning: "seconds until a new connection has sent its header",
            bounds: .seconds(1...86400)),
        Key(
            name: "limits.body-timeout", example: "10", meaning: "seconds from the header to the end of the body",
            bounds: .seconds(1...86400)),
        Key(
            name: "limits.idle-timeout", example: "60", meaning: "seconds that a connection may wait between requests",
            bounds: .seconds(1...86400)),
        Key(
            name: "drain", example: "5",
            meaning: "seconds that a stop still answers while /health/ready fails, for a balancer; 0 by default",
            bounds: .seconds(0...300)),
        Key(
            name: "limits.write-timeout", example: "10", meaning: "seconds until answers that pile up are taken",
            bounds: .seconds(1...86400)),
        Key(
            name: "quotas.free-per-day", example: "100",
            meaning:
                "answers a day of an app that has neither a contract nor a quota of its own; no limit if absent "
                + "(docs/operations/limits.md)",
            bounds: .count(0...1_000_000_000)),
        Key(
            name: "limits.remembered-callers", example: "1000000",
            meaning: "names that each limit counts, 200 bytes each; when more come, the longest unheard are forgotten",
            bounds: .count(1000...100_000_000)),
        Key(
            name: "limits.remembered-proofs", example: "1000000",
            meaning: "proofs that are remembered, 40 bytes each; when more come, only newer ones are taken",
            bounds: .count(1000...100_000_000)),
        Key(
            name: "sms.names", example: "smsc",
            meaning:
                "who takes short messages, in the order in which they are asked (docs/operations/short-messages.md, "
                + "Short messages)"
        ),
        Key(name: "sms.*.kind", example: "smpp", meaning: "smpp, http or file"),
        Key(
            name: "sms.*.source", example: "10690",
            meaning: "who messages come from: a number, a short code or up to 11 letters; the sender's choice if absent"
        ),
        Key(
            name: "sms.*.response-timeout", example: "10", meaning: "seconds that an answer may take",
            bounds: .seconds(1...120)),
        Key(name: "sms.*.address", example: "smsc.example.net:2775", meaning: "kind smpp: where the SMSC listens"),
        Key(name: "sms.*.system-id", example: "benji", meaning: "kind smpp: our name there"),
        Key(
            name: "sms.*.password-file", example: "smsc.password",
            meaning: "kind smpp: the file that holds the password, 8 characters at most"),
        Key(name: "sms.*.system-type", example: "otp", meaning: "kind smpp: system_type of the bind; empty if absent"),
        Key(
            name: "sms.*.service-type", example: "otp",
            meaning: "kind smpp: service_type of messages; empty if "
                + "absent"),
        Key(
            name: "sms.*.bind", example: "transceiver",
            meaning: "kind smpp: transceiver, or transmitter where receipts are of no interest"),
        Key(
            name: "sms.*.upstream-carriers", example: "mobile",
            meaning:
                "kind smpp: for which carriers' numbers the SMSC vouches when it delivers a text to "
                + "sms-upstream.number; none if absent"
        ),
        Key(
            name: "sms.*.window", example: "10", meaning: "kind smpp: messages that may be without an answer",
            bounds: .count(1...1000)),
        Key(
            name: "sms.*.enquire-interval", example: "30",
            meaning: "kind smpp: seconds of silence after which the SMSC is asked whether it is there",
            bounds: .seconds(1...3600)),
        Key(
            name: "sms.*.tls", example: "true",
            meaning: "kind smpp: whether the connection is TLS; false for a line that others cannot read"),
        Key(
            name: "sms.*.tls-authority", example: "smsc-ca.pem",
            meaning: "kinds smpp and http: PEM certificates of who signs the other side's; the system's if absent"),
        Key(name: "sms.*.url", example: "https://sms.example/v1/messages", meaning: "kind http: where to POST"),
        Key(
            name: "sms.*.secret-file", example: "provider.secret",
            meaning: "kind http: the file that holds the "
                + "secret"),
        Key(
            name: "sms.*.header", example: "authorization",
            meaning:
                "kind http: the header of the secret; in authorization it is a Bearer token, in others it stands "
                + "alone"),
        Key(name: "sms.*.to-field", example: "to", meaning: "kind http: the member with the number"),
        Key(name: "sms.*.text-field", example: "text", meaning: "kind http: the member with the text"),
        Key(name: "sms.*.from-field", example: "from", meaning: "kind http: the member with the source"),
        Key(
            name: "sms.*.id-field", example: "messages.0.id",
            meaning: "kind http: where the answer has the message's id; id if absent"),
        Key(
            name: "sms.*.path", example: "messages.jsonl",
            meaning: "kind file: where messages are written instead of being sent; for trying"),
        Key(
            name: "attestation.apple-roots", example: "Apple_App_Attestation_Root_CA.pem",
            meaning:
                "PEM certificates under which App Attest's attestations count: Apple's App Attestation Root CA, from "
                + "apple.com/certificateauthority/private; none count if absent"
        ),
        Key(
            name: "attestation.without-challenge", example: "false",
            meaning: "true takes attestations without iat and challenge: weaker, for attesters that know neither"),
        Key(
            name: "authority.url", example: "https://authority.internal:8083",
            meaning:
                "role gateway: where the authority listens for gateways; a list where several nodes of it use one "
                + "database"
        ),
        Key(
            name: "authority.timeout", example: "2",
            meaning: "role gateway: seconds to wait for the answer of one node of the authority; 2 by default",
            bounds: .seconds(1...600)),
        Key(
            name: "listen.gateways", example: "0.0.0.0:8083",
            meaning: "role authority: where gateways call, over mutual TLS"),
        Key(name: "gateways.names", example: "gateway-1", meaning: "role authority: the gateways that may call"),
        Key(
            name: "gateways.*.carriers", example: "mobile",
            meaning: "role authority: the carriers that a gateway may speak for"),
        Key(
            name: "gateways.*.pair", example: "east",
            meaning: "role authority: the pair that a gateway is of; two gateways name the same one"),
        Key(
            name: "mutual-tls.certificate", example: "gateway-1.pem",
            meaning:
                "PEM certificate for the link between gateway and authority; its one DNS name is the gateway's name"),
        Key(name: "mutual-tls.key", example: "gateway-1.key", meaning: "PEM private key of that certificate"),
        Key(name: "mutual-tls.authority", example: "link-ca.pem", meaning: "PEM certificate that signs both sides'"),
    ]

    private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

    /// What to say of an unknown key: the one that was probably meant, or what there is under its first part.
    static func hint(for name: String) -> String {
        if let meant = suggestion(for: name) { return "did you mean \(meant)?" }
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        let siblings = all.map(\.name).filter { $0.hasPrefix("\(parts[0]).") }
        let listed = siblings.isEmpty ? all.map(\.name).filter { $0.hasSuffix(".\(parts[0])") } : siblings
        guard !listed.isEmpty else { return "`benji serve --example` lists all keys" }
        return "there are \(listed.prefix(12).joined(separator: ", "))\(listed.count > 12 ? " …" : "")"
    }

    /// The declaration of a key: `nas.pgw.rate` is declared as `nas.*.rate`.
    static func declaration(of name: String) -> Key? {
        if let key = byName[name] { return key }
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 3 ? byName["\(parts[0]).*.\(parts[2])"] : nil
    }

    /// The known key that is written most like `name`, if one is close: of the same section, if there is such a
    /// section.
    static func suggestion(for name: String) -> String? {
        // A name in the place of `*` is the operator's own and stays.
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        let candidates = all.map { key in
            let pattern = key.name.split(separator: ".")
            guard pattern.count == parts.count else { return key.name }
            return zip(pattern, parts).map { String($0 == "*" ? $1 : $0) }.joined(separator: ".")
        }
        let section = "\(parts[0])."
        let nearby = candidates.filter { $0.hasPrefix(section) }
        let best = (nearby.isEmpty ? candidates : nearby).map { ($0, EditDistance.between(name, $0)) }.min {
            $0.1 < $1.1
        }
        return best.flatMap { $0.1 <= min(3, name.count / 3) ? $0.0 : nil }
    }
}

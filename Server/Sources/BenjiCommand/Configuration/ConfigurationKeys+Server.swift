import Authority
import PKCS11
import ServerRuntime

extension ConfigurationKeys {
    /// The keys of a process in any role.
    static let server = ConfigurationKeys(
        [process, gateway, gatewayApart, link, deciding, authority],
        remedies: gatewayRemedies.merging([
            "gateways": "name it in gateways.names first",
            "sms": "name it in sms.names first; each kind has keys of its own",
            "console": "console.openid.issuer switches sign-in by one tap on",
            "openid": "openid.issuer switches OpenID Connect on",
            "face": "face.enabled switches face login on",
        ]) { $1 }, exampleCommand: "benji serve --example")

    /// The keys of the roles that decide.
    private static let deciding = Group(
        [.all, .authority],
        [
            Key(
                name: "store.postgres",
                example: "host=db.example.com dbname=benji user=benji sslrootcert=/etc/benji/db-ca.pem",
                meaning:
                    "keeps everything in this PostgreSQL database instead of benji.sqlite; a server over a "
                    + "network is verified (sslmode=verify-full) unless sslmode= names another mode; its "
                    + "password belongs into a file, such as ~/.pgpass (docs/operations/postgresql.md, "
                    + "PostgreSQL)"),
            Key(
                name: "store.serving-role", example: "benji_serving",
                meaning:
                    "the role of PostgreSQL that servers connect as, for them and for the commands of the "
                    + "tables' owner (docs/operations/postgresql.md, Two roles); a server that connects as this "
                    + "role refuses to start if it has the owner's power; if absent, a server may own the tables"),
            Key(
                name: "store.connections", example: "10",
                meaning:
                    "connections of one server to PostgreSQL; with four, a flood of requests "
                    + "delays logins",
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
                    "the key in an HSM that wraps master keys (docs/operations/keys.md, Keys); they are kept "
                    + "in clear if absent"
            ),
            Key(
                name: "master-key.former-wrapping-key", example: PKCS11URI.example,
                meaning:
                    "the one that wrapped the present master key, until benji keys rotate has put another in "
                    + "its place"
            ),
            Key(
                name: "listen.server", example: "0.0.0.0:8081",
                meaning:
                    "where apps' servers call"),
            Key(
                name: "listen.mtls", example: "0.0.0.0:8085",
                meaning:
                    "where apps' servers call that show a client certificate (RFC 8705, docs/openid.md); "
                    + "nowhere if absent. It has tls.certificate, which names that host too"),
            Key(
                name: "listen.administration", example: "127.0.0.1:8084",
                meaning:
                    "where admins give orders over HTTP (docs/operations/admin.md); nowhere if absent. Beyond "
                    + "loopback it needs TLS"
            ),
            Key(
                name: "administration.hosts", example: "benji-admin.internal",
                meaning:
                    "names by which listen.administration is called, besides addresses and localhost; others "
                    + "are refused"
            ),
            Key(
                name: "administration.client-authority", isPath: true, example: "admins-ca.pem",
                meaning:
                    "PEM certificates that sign those of admins who come with a client "
                    + "certificate instead of a token"),
            Key(
                name: "console.openid.issuer", example: "https://id.example",
                meaning:
                    "lets admins sign in to the console by one tap of their own phone (docs/console.md): the "
                    + "OpenID provider that knows it, such as this installation's openid.issuer"),
            Key(
                name: "console.openid.address", example: "https://benji-admin.internal:8084",
                meaning:
                    "where browsers reach the console; with /console/tap it is the client's "
                    + "redirect URI"),
            Key(
                name: "console.openid.client-id", example: "300000000001",
                meaning: "the console's own client id at the provider, the id of its app"),
            Key(
                name: "console.openid.client-secret-file", isPath: true, example: "console.secret",
                meaning: "the file that holds the client's secret"),
            Key(
                name: "console.openid.authority", isPath: true, example: "id-ca.pem",
                meaning: "PEM certificates of who signs the provider's; the system's if absent"),
            Key(
                name: "openid.issuer", example: "https://id.example",
                meaning:
                    "switches OpenID Connect on: where apps' servers reach listen.server, the "
                    + "issuer in tokens"),
            Key(
                name: "openid.pages", example: "https://gw.example",
                meaning:
                    "where browsers on phones reach listen.device; the first of public.urls if absent. Needed "
                    + "at an authority, whose gateways listen there"),
            Key(
                name: "openid.mtls", example: "https://mtls.id.example",
                meaning: "where apps' servers reach listen.mtls: the mtls_endpoint_aliases"),
            Key(
                name: "openid.client-authority", isPath: true, example: "clients-ca.pem",
                meaning:
                    "PEM certificates of who directly signs those of clients of tls_client_auth; without it "
                    + "clients can only register certificates of their own (self_signed_tls_client_auth)"),
            Key(
                name: "openid.api-prefix", example: "/carrier",
                meaning:
                    "stands before all paths of CAMARA's interfaces, for callers that expect one; without it "
                    + "nothing does"
            ),
            Key(
                name: "face.enabled", example: "true",
                meaning:
                    "switches face login on (docs/superid-dialect.md)"),
            Key(
                name: "face.terms-url", example: "https://id.example/face-terms",
                meaning:
                    "what people agree to before their face is used; needed where face login "
                    + "is on"),
            Key(name: "face.terms-title", example: "人脸信息处理规则", meaning: "the title of these terms"),
            Key(
                name: "face.terms-version", example: "1",
                meaning: "another version asks everybody for a new consent at their next login"),
            Key(
                name: "face.least-assurance", example: "net+app",
                meaning:
                    "the least that a number must be proven with before a face is tied to it; an app may ask "
                    + "for more. With sms, whoever can read a number's messages can give its account a face"),
            Key(
                name: "face.models", isPath: true, example: ".face/models",
                meaning:
                    "folder of the models; models in the folder that BENJI_FACE names, or in "
                    + ".face, if absent"),
            Key(
                name: "face.engines", example: "2",
                meaning:
                    "pictures that are looked at at a time; 130 MB each",
                bounds: .count(1...64)),
            Key(
                name: "face.policy", isPath: true, example: "face-policy.json",
                meaning: "thresholds; the built-in ones if absent"),
            Key(
                name: "quarantine.days", example: "90",
                meaning: "days that a number rests before somebody else gets it",
                bounds: .days(0...36500)),
            Key(
                name: "retention.traces", example: "7",
                meaning:
                    "days that steps of logins are kept",
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
                name: "retention.consents", example: "1827",
                meaning:
                    "days that consents are kept as evidence",
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
                name: "audit.syslog", isPath: true, example: "/run/benji-audit.sock",
                meaning:
                    "also sends each line of the audit log to the syslog daemon that reads this datagram "
                    + "socket (docs/operations/rows.md, The audit log in syslog)"),
            Key(
                name: "public-log.page", example: "true",
                meaning:
                    "shows people at /log/mine, over mobile data, who got their number "
                    + "(docs/log.md)"),
            Key(
                name: "callbacks.ports", example: "443, 8443",
                meaning: "ports that apps' callbacks may have (docs/callbacks.md)",
                bounds: NumberBounds(range: 1...65535, unit: "a port")),
            Key(
                name: "callbacks.allow-networks", example: "10.20.0.0/24",
                meaning:
                    "networks of yours in which callbacks may be; besides them only public "
                    + "addresses are called"),
            Key(
                name: "callbacks.authorities", isPath: true, example: "receivers-ca.pem",
                meaning:
                    "PEM certificates that sign those of callbacks, besides the system's "
                    + "authorities"),
            Key(
                name: "callbacks.plain-loopback", example: "false",
                meaning:
                    "lets callbacks be http://localhost on this machine; for trying out alone"),
            Key(
                name: "sms-codes.destinations", example: "86",
                meaning: "country codes to which codes are sent; 86 if absent"),
            Key(
                name: "sms-codes.digits", example: "6", meaning: "digits of an SMS code",
                bounds: .count(SMSCodes.Settings.digitCounts)),
            Key(
                name: "sms-codes.lifetime", example: "300",
                meaning:
                    "seconds that an SMS code is good for",
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
                meaning:
                    "messages with codes in an hour to the 10,000 numbers that differ in the "
                    + "last four digits",
                bounds: .count(1...10_000_000)),
            Key(
                name: "sms-codes.per-source-and-hour", example: "1000",
                meaning: "messages with codes in an hour that one server address asks for",
                bounds: .count(1...10_000_000)),
            Key(
                name: "sms-codes.per-device-address-and-hour", example: "60",
                meaning:
                    "messages with codes in an hour that phones at one address, or in one /64, "
                    + "ask for",
                bounds: .count(1...10_000_000)),
            Key(
                name: "sms-codes.login-text", example: "{{code}} is your code to log in to {{app}}",
                meaning:
                    "what the message with a login's code says; {{code}} becomes the digits, {{app}} the app's "
                    + "name"),
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
                meaning:
                    "texts in an hour that phones at one address, or in one /64, are given to "
                    + "send",
                bounds: .count(1...10_000_000)),
            Key(
                name: "sms-upstream.text", example: "I log in to {{app}} myself: {{code}}",
                meaning:
                    "what people send, in their own name; {{code}} becomes the code, {{app}} "
                    + "the app's name"),
            Key(
                name: "quotas.free-per-day", example: "100",
                meaning:
                    "answers a day of an app that has neither a contract nor a quota of its own; no limit if "
                    + "absent (docs/operations/limits.md)",
                bounds: .count(0...1_000_000_000)),
            Key(
                name: "limits.remembered-callers", example: "1000000",
                meaning:
                    "names that each limit counts, 200 bytes each; when more come, the longest unheard are "
                    + "forgotten",
                bounds: .count(1000...100_000_000)),
            Key(
                name: "sms.names", example: "smsc",
                meaning:
                    "who takes short messages, in the order in which they are asked "
                    + "(docs/operations/short-messages.md, Short messages)"
            ),
            Key(name: "sms.*.kind", example: "smpp", meaning: "smpp, http or file"),
            Key(
                name: "sms.*.source", example: "10690",
                meaning:
                    "who messages come from: a number, a short code or up to 11 letters; the sender's choice "
                    + "if absent"
            ),
            Key(
                name: "sms.*.response-timeout", example: "10",
                meaning:
                    "seconds that an answer may take",
                bounds: .seconds(1...120)),
            Key(
                name: "sms.*.address", example: "smsc.example.net:2775",
                meaning:
                    "kind smpp: where the SMSC listens"),
            Key(name: "sms.*.system-id", example: "benji", meaning: "kind smpp: our name there"),
            Key(
                name: "sms.*.password-file", isPath: true, example: "smsc.password",
                meaning: "kind smpp: the file that holds the password, 8 characters at most"),
            Key(
                name: "sms.*.system-type", example: "otp",
                meaning: "kind smpp: system_type of the bind; empty if absent"),
            Key(
                name: "sms.*.service-type", example: "otp",
                meaning: "kind smpp: service_type of messages; empty if absent"),
            Key(
                name: "sms.*.bind", example: "transceiver",
                meaning:
                    "kind smpp: transceiver, or transmitter where receipts are of no interest"),
            Key(
                name: "sms.*.upstream-carriers", example: "mobile",
                meaning:
                    "kind smpp: for which carriers' numbers the SMSC vouches when it delivers a text to "
                    + "sms-upstream.number; none if absent"
            ),
            Key(
                name: "sms.*.window", example: "10",
                meaning:
                    "kind smpp: messages that may be without an answer",
                bounds: .count(1...1000)),
            Key(
                name: "sms.*.enquire-interval", example: "30",
                meaning:
                    "kind smpp: seconds of silence after which the SMSC is asked whether it is "
                    + "there",
                bounds: .seconds(1...3600)),
            Key(
                name: "sms.*.tls", example: "true",
                meaning:
                    "kind smpp: whether the connection is TLS; false for a line that others "
                    + "cannot read"),
            Key(
                name: "sms.*.tls-authority", isPath: true, example: "smsc-ca.pem",
                meaning:
                    "kinds smpp and http: PEM certificates of who signs the other side's; the "
                    + "system's if absent"),
            Key(
                name: "sms.*.url", example: "https://sms.example/v1/messages",
                meaning:
                    "kind http: where to POST"),
            Key(
                name: "sms.*.secret-file", isPath: true, example: "provider.secret",
                meaning: "kind http: the file that holds the secret"),
            Key(
                name: "sms.*.header", example: "authorization",
                meaning:
                    "kind http: the header of the secret; in authorization it is a Bearer token, in others it "
                    + "stands alone"),
            Key(
                name: "sms.*.to-field", example: "to",
                meaning:
                    "kind http: the member with the number"),
            Key(
                name: "sms.*.text-field", example: "text",
                meaning:
                    "kind http: the member with the text"),
            Key(
                name: "sms.*.from-field", example: "from",
                meaning:
                    "kind http: the member with the source"),
            Key(
                name: "sms.*.id-field", example: "messages.0.id",
                meaning: "kind http: where the answer has the message's id; id if absent"),
            Key(
                name: "sms.*.path", isPath: true, example: "messages.jsonl",
                meaning: "kind file: where messages are written instead of being sent; for trying"),
            Key(
                name: "attestation.apple-roots", isPath: true, example: "Apple_App_Attestation_Root_CA.pem",
                meaning:
                    "PEM certificates under which App Attest's attestations count: Apple's App Attestation "
                    + "Root CA, from apple.com/certificateauthority/private; none count if absent"
            ),
            Key(
                name: "attestation.without-challenge", example: "false",
                meaning:
                    "true takes attestations without iat and challenge: weaker, for attesters "
                    + "that know neither"),
        ])

    /// The keys of an authority whose gateways are other processes.
    private static let authority = Group(
        [.authority],
        [
            Key(
                name: "listen.gateways", example: "0.0.0.0:8083",
                meaning: "role authority: where gateways call, over mutual TLS"),
            Key(
                name: "gateways.names", example: "gateway-1",
                meaning:
                    "role authority: the gateways that may call"),
            Key(
                name: "gateways.*.carriers", example: "mobile",
                meaning: "role authority: the carriers that a gateway may speak for"),
            Key(
                name: "gateways.*.pair", example: "east",
                meaning:
                    "role authority: the pair that a gateway is of; two gateways name the same "
                    + "one"),
        ])
}

extension NumberBounds {
    /// The days of a kind of record.
    /// - Parameter name: as in ``Authority/Retention/kinds``; `nil` for another name.
    static func retention(_ name: String) -> NumberBounds? {
        Retention.kinds.first { $0.name == name }.map {
            NumberBounds(range: $0.range, unit: "days", reason: $0.reason)
        }
    }
}

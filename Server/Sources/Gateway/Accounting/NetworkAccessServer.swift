@_spi(Server) package import BenjiProtocol
package import RADIUS

/// A sender of accounting that a gateway listens to: a packet gateway, a NAT, or a proxy in front of several.
package struct NetworkAccessServer: Sendable, Hashable {
    /// Name in configuration, metrics and journal. Renaming one forgets its sessions.
    package var name: String
    /// Where its datagrams may come from; nowhere if it comes over TLS. Everything else is dropped unheard.
    package var sources: [IPPrefix]
    /// The names of which the certificate of its TLS connections must have one. Empty if it sends datagrams.
    package var certificates: [ClientName]
    package var secret: SharedSecret
    /// The ip-domain (APN, VRF) of the addresses that it hands out: the same private address means another subscriber
    /// in another domain.
    package var domain: String
    /// The domain of the public addresses of its port blocks; the same as ``domain`` unless said.
    package var publicDomain: String
    /// The addresses that it may announce: IPv4 and IPv6 pools and the public side of its NAT. Nothing else is
    /// accepted.
    package var pools: [IPPrefix]
    /// The carrier whose subscribers it serves.
    package var carrier: Carrier
    /// Beginnings of the numbers, in E.164 without plus, that can log in through this NAS; `nil` for all.
    package var numberRanges: [String]?
    /// Beginnings of numbers that cannot log in, such as those of machines.
    package var excludedNumberRanges: [String]
    /// The country whose mobile numbers can log in through this NAS, by two letters of ISO 3166-1.
    package var country: String
    package var numberForm: NumberForm
    /// MCC-MNC codes that count as home. Empty: the IMSI's own.
    package var homeNetworks: Set<String>
    /// How often it sends an Interim-Update. A session is stale after ``GatewayConfiguration/leaseIntervals`` of these.
    package var interimInterval: Duration
    /// How long it may be silent while it has sessions. Then each session is in doubt until it is heard of again.
    package var silence: Duration
    /// How long it repeats an unanswered packet, with pauses of at most a quarter of this; zero if unknown. A restart
    /// shorter than half of it misses nothing.
    package var repeats: Duration
    /// Whether what it sends must have an Event-Timestamp.
    package var eventTimestamp: EventTimestamp
    /// Packets a second that are taken from it, over a second's burst.
    package var rateLimit: Int
    /// Whether its Stops without 3GPP-Session-Stop-Indicator end a bearer only (TS 29.061 §16.4.7). Concerns packets
    /// with 3GPP attributes.
    package var sendsSessionStopIndicator: Bool

    /// How Calling-Station-Id writes a number that has neither a plus nor 00 in front.
    package enum NumberForm: String, Sendable, Hashable, CaseIterable {
        /// The country code first, as 3GPP TS 29.061 §16.4.7 has it.
        case international
        /// As people of the NAS's ``NetworkAccessServer/country`` dial it.
        case national
    }

    /// The treatment of packets without Event-Timestamp (attribute 55). They may be recordings. So with either choice
    /// they put addresses in doubt and never identify a subscriber.
    package enum EventTimestamp: String, Sendable, Hashable, CaseIterable {
        /// Not answered: the NAS must be told to send the attribute.
        case required
        /// Answered, for a NAS that dates its sessions and leaves the time out of, say, Accounting-On.
        case optional
    }

    package init(
        name: String, sources: [IPPrefix], certificates: [ClientName] = [], secret: SharedSecret, domain: String,
        publicDomain: String? = nil,
        pools: [IPPrefix], carrier: Carrier, numberRanges: [String]? = nil, excludedNumberRanges: [String] = [],
        country: String = "CN", numberForm: NumberForm = .international, homeNetworks: Set<String> = [],
        interimInterval: Duration = .seconds(600), silence: Duration? = nil, repeats: Duration = .zero,
        eventTimestamp: EventTimestamp = .required, rateLimit: Int = 50_000, sendsSessionStopIndicator: Bool = true
    ) {
        self.name = name
        self.sources = sources
        self.certificates = certificates
        self.secret = secret
        self.domain = domain
        self.publicDomain = publicDomain ?? domain
        self.pools = pools
        self.carrier = carrier
        self.numberRanges = numberRanges
        self.excludedNumberRanges = excludedNumberRanges
        self.country = country
        self.numberForm = numberForm
        self.homeNetworks = homeNetworks
        self.interimInterval = interimInterval
        self.silence = silence ?? interimInterval * 3 / 2
        self.repeats = repeats
        self.eventTimestamp = eventTimestamp
        self.rateLimit = rateLimit
        self.sendsSessionStopIndicator = sendsSessionStopIndicator
    }

    /// The country itself, if its numbers are known.
    package static func country(_ letters: String) -> String? {
        CallingNumber.isKnown(country: letters) ? letters : nil
    }

    func maySend(from source: InternetAddress) -> Bool { sources.contains { $0.contains(source) } }

    /// Whether its packets may come from more than one address, or by more than one certificate: they may be several
    /// NASes'.
    var hasManySources: Bool {
        certificates.count > 1
            || sources.contains { $0 != sources[0] || $0.length < 8 * $0.address.bytes.count }
    }

    func mayAnnounce(_ address: InternetAddress) -> Bool { pools.contains { $0.contains(address) } }

    func mayAnnounce(_ prefix: IPPrefix) -> Bool {
        pools.contains { $0.length <= prefix.length && $0.contains(prefix.address) }
    }

    /// The mobile number that Calling-Station-Id means; `nil` if it is none of ``country``.
    func number(_ text: String) -> PhoneNumber? { CallingNumber.read(text, country: country, form: numberForm) }

    /// Whether a number can log in through this NAS.
    func serves(_ number: PhoneNumber) -> Bool {
        let digits = number.e164
        return numberRanges?.contains(where: { digits.hasPrefix($0) }) ?? true
            && !excludedNumberRanges.contains(where: { digits.hasPrefix($0) })
    }
}

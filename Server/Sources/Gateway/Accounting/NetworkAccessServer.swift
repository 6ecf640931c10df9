public import BenjiProtocol
public import RADIUS

/// A sender of accounting that a gateway listens to: a packet gateway, a NAT, or a proxy in front of several.
public struct NetworkAccessServer: Sendable, Hashable {
    /// Name in configuration, metrics and journal. Renaming one forgets its sessions.
    public var name: String
    /// Where its packets may come from. Everything else is dropped unheard.
    public var sources: [IPPrefix]
    public var secret: SharedSecret
    /// The ip-domain (APN, VRF) of the addresses that it hands out: the same private address means another subscriber
    /// in another domain.
    public var domain: String
    /// The domain of the public addresses of its port blocks; the same as ``domain`` unless said.
    public var publicDomain: String
    /// The addresses that it may announce: IPv4 and IPv6 pools and the public side of its NAT. Nothing else is
    /// accepted.
    public var pools: [IPPrefix]
    /// The carrier whose subscribers it serves.
    public var carrier: Carrier
    /// Beginnings of the numbers, in E.164 without plus, that can log in through this NAS; `nil` for all.
    public var numberRanges: [String]?
    /// Beginnings of numbers that cannot log in, such as those of machines.
    public var excludedNumberRanges: [String]
    /// MCC-MNC codes that count as home. Empty: the IMSI's own.
    public var homeNetworks: Set<String>
    /// How often it sends an Interim-Update. A session is stale after ``GatewayConfiguration/leaseIntervals`` of these.
    public var interimInterval: Duration
    /// Packets a second that are taken from it, over a second's burst.
    public var rateLimit: Int
    /// Whether its Stops without 3GPP-Session-Stop-Indicator end a bearer only (TS 29.061 §16.4.7). Concerns packets
    /// with 3GPP attributes.
    public var sendsSessionStopIndicator: Bool

    public init(
        name: String, sources: [IPPrefix], secret: SharedSecret, domain: String, publicDomain: String? = nil,
        pools: [IPPrefix], carrier: Carrier, numberRanges: [String]? = nil, excludedNumberRanges: [String] = [],
        homeNetworks: Set<String> = [], interimInterval: Duration = .seconds(600), rateLimit: Int = 50_000,
        sendsSessionStopIndicator: Bool = true
    ) {
        self.name = name
        self.sources = sources
        self.secret = secret
        self.domain = domain
        self.publicDomain = publicDomain ?? domain
        self.pools = pools
        self.carrier = carrier
        self.numberRanges = numberRanges
        self.excludedNumberRanges = excludedNumberRanges
        self.homeNetworks = homeNetworks
        self.interimInterval = interimInterval
        self.rateLimit = rateLimit
        self.sendsSessionStopIndicator = sendsSessionStopIndicator
    }

    func maySend(from source: InternetAddress) -> Bool { sources.contains { $0.contains(source) } }

    func mayAnnounce(_ address: InternetAddress) -> Bool { pools.contains { $0.contains(address) } }

    func mayAnnounce(_ prefix: IPPrefix) -> Bool {
        pools.contains { $0.length <= prefix.length && $0.contains(prefix.address) }
    }

    func serves(_ number: PhoneNumber, digits: String) -> Bool {
        (numberRanges?.contains { digits.hasPrefix($0) } ?? true)
            && !excludedNumberRanges.contains { digits.hasPrefix($0) }
    }
}

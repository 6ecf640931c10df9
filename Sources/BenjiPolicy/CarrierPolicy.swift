public import BenjiProtocol

/// The differences between carriers and dialects, as data that an operator can edit: terms, slogans, lifetimes
/// (decision 6).
///
/// One versioned table; the version is part of every consent.
public struct CarrierPolicy: Hashable, Sendable {
    /// How long credentials live in one dialect.
    public struct Lifetimes: Hashable, Sendable {
        /// Seconds.
        public var scrip: Int64
        /// A reusable scrip rotates at each use; a single-use one is gone after its first.
        public var scripReusable: Bool
        /// Seconds.
        public var token: Int64

        public init(scrip: Int64, scripReusable: Bool, token: Int64) {
            self.scrip = scrip
            self.scripReusable = scripReusable
            self.token = token
        }
    }

    /// One carrier's record.
    public struct Entry: Hashable, Sendable {
        /// Whether this carrier's subscribers may log in at all.
        public var enabled: Bool
        /// The carrier's common name, in simplified Chinese and in English.
        public var name: LocalizedText
        /// The country whose mobile numbers its subscribers have, by two capital letters of ISO 3166-1: the number
        /// plan.
        public var country: String
        /// Its mobile networks by MCC and MNC (ITU-T E.212), such as `46000`. A subscriber in another network roams.
        /// Empty: the network of each IMSI.
        public var networks: [String]
        public var page: CarrierPage
        /// By dialect; ``Dialect/device`` must be there and stands in for dialects that are not.
        public var lifetimes: [Dialect: Lifetimes]

        public init(
            enabled: Bool, name: LocalizedText, country: String, networks: [String] = [], page: CarrierPage,
            lifetimes: [Dialect: Lifetimes]
        ) {
            self.enabled = enabled
            self.name = name
            self.country = country
            self.networks = networks
            self.page = page
            self.lifetimes = lifetimes
        }
    }

    public var version: String
    public var carriers: [Carrier: Entry]
    /// Unused tokens that one device key may have of one app and number, counted over ``unusedTokenWindow``. It gets no
    /// more.
    public var unusedTokensPerApp: Int
    /// Unused tokens of one number, app and assurance at a time, of all device keys together. One more replaces an
    /// older one, so that a client at the phone's address cannot shut the phone out by asking.
    public var unusedTokensPerNumber: Int
    /// Seconds.
    public var unusedTokenWindow: Int64

    public init(
        version: String, carriers: [Carrier: Entry], unusedTokensPerApp: Int, unusedTokensPerNumber: Int,
        unusedTokenWindow: Int64
    ) {
        self.version = version
        self.carriers = carriers
        self.unusedTokensPerApp = unusedTokensPerApp
        self.unusedTokensPerNumber = unusedTokensPerNumber
        self.unusedTokenWindow = unusedTokenWindow
    }

    /// All carriers of the table: China's three first, then the others by name.
    public var order: [Carrier] {
        Carrier.documented.filter { carriers[$0] != nil }
            + carriers.keys.filter { !Carrier.documented.contains($0) }.sorted { $0.rawValue < $1.rawValue }
    }

    public func lifetimes(_ carrier: Carrier, _ dialect: Dialect) -> Lifetimes? {
        guard let entry = carriers[carrier] else { return nil }
        return entry.lifetimes[dialect] ?? entry.lifetimes[.device]
    }

    /// The values of the documents, with the departures that `docs/decisions/` explains. Benji's own tokens live two
    /// minutes everywhere, and the thirty days of China Telecom's tokens must be switched on by hand.
    public static let standard = CarrierPolicy(
        version: "2026-11",
        carriers: [
            .mobile: entry(
                "中国移动", "China Mobile", "中国移动认证服务条款", "https://wap.cmpassport.com/resources/html/contract.html",
                "中国移动提供认证服务",
                scrip: 3600, documentedToken: 120),
            .unicom: entry(
                "中国联通", "China Unicom", "联通统一认证服务条款",
                "https://opencloud.wostore.cn/authz/resource/html/disclaimer.html?fromsdk=true",
                "认证服务由联通统一认证提供", scrip: 600, documentedToken: 1800),
            .telecom: entry(
                "中国电信", "China Telecom", "天翼账号服务与隐私协议", "https://e.189.cn/sdk/agreement/detail.do?hidetop=true",
                "天翼账号提供认证服务",
                scrip: 600, documentedToken: 600),
        ], unusedTokensPerApp: 30, unusedTokensPerNumber: 1000, unusedTokenWindow: 600)

    private static func entry(
        _ chinese: String, _ english: String, _ termsTitle: String, _ termsURL: String, _ slogan: String, scrip: Int64,
        documentedToken: Int64
    ) -> Entry {
        Entry(
            enabled: true, name: LocalizedText(chinese, english), country: "CN",
            page: CarrierPage(termsTitle: termsTitle, termsURL: termsURL, slogan: slogan),
            lifetimes: [
                .device: Lifetimes(scrip: scrip, scripReusable: true, token: 120),
                // China Mobile's document §2.3 and §2.5: 60 minutes, two minutes.
                .cmpassport: Lifetimes(scrip: scrip, scripReusable: true, token: 120),
                // A vendor's document: ten minutes and once. In this dialect and the next a token is redeemed with its
                // process id. That id lives ten minutes, and the token no longer, whatever a carrier's own tokens live.
                .geyan: Lifetimes(scrip: 600, scripReusable: false, token: min(documentedToken, 600)),
                // A vendor's document: an hour with China Mobile, ten minutes with the others, and once.
                .onelogin: Lifetimes(scrip: scrip, scripReusable: false, token: min(documentedToken, 600)),
            ])
    }
}

/// A carrier, as pages need to know it.
public enum PageCarrier: String, Hashable, Sendable, CaseIterable, PageWord {
    /// China Mobile.
    case mobile
    /// China Unicom.
    case unicom
    /// China Telecom.
    case telecom
    /// Any other: its page shows what the prefetch brings.
    case other

    /// The three whose norms, terms and slogans are known here.
    public static let documented: [PageCarrier] = [.mobile, .unicom, .telecom]
}

/// A carrier's requirements for a page: a row of the versioned policy, from the prefetch.
public struct CarrierDuties: Hashable, Sendable, PageObject {
    /// The version of the policy.
    public var policyVersion: String
    /// The title of the carrier's terms, without 《》.
    public var termsTitle: String
    /// Their `https` address.
    public var termsURL: String
    /// The line that names who recognises the number.
    public var slogan: String

    public init(policyVersion: String, termsTitle: String, termsURL: String, slogan: String) {
        self.policyVersion = policyVersion
        self.termsTitle = termsTitle
        self.termsURL = termsURL
        self.slogan = slogan
    }

    init() { self.init(policyVersion: "", termsTitle: "", termsURL: "", slogan: "") }

    mutating func code(_ coder: inout PageCoder) throws(PageError) {
        try coder.string("policyVersion", &policyVersion, PageGrammar.text)
        try coder.string("termsTitle", &termsTitle, PageGrammar.text)
        try coder.string("termsURL", &termsURL, PageGrammar.address)
        try coder.string("slogan", &slogan, PageGrammar.text)
    }

    /// The duties of the standard policy, for pages that are looked at without a prefetch.
    public static func standard(_ carrier: PageCarrier) -> CarrierDuties {
        switch carrier {
        case .mobile:
            CarrierDuties(
                policyVersion: "2026-11", termsTitle: "中国移动认证服务条款",
                termsURL: "https://wap.cmpassport.com/resources/html/contract.html", slogan: "中国移动提供认证服务")
        case .unicom:
            CarrierDuties(
                policyVersion: "2026-11", termsTitle: "联通统一认证服务条款",
                termsURL: "https://opencloud.wostore.cn/authz/resource/html/disclaimer.html?fromsdk=true",
                slogan: "认证服务由联通统一认证提供")
        case .telecom:
            CarrierDuties(
                policyVersion: "2026-11", termsTitle: "天翼账号服务与隐私协议",
                termsURL: "https://e.189.cn/sdk/agreement/detail.do?hidetop=true", slogan: "天翼账号提供认证服务")
        case .other:
            // Made up: a real one comes with the prefetch.
            CarrierDuties(
                policyVersion: "2026-11", termsTitle: "示例运营商认证服务条款", termsURL: "https://operator.example/terms",
                slogan: "示例运营商提供认证服务")
        }
    }
}

/// The parts of a page that the app does not decide: the prefetch's answer.
public struct PageFacts: Hashable, Sendable, PageObject {
    /// The subscriber's carrier.
    public var carrier: PageCarrier
    /// The number with its middle digits masked, such as `138****0000`.
    public var maskedNumber: String
    /// The carrier's requirements for the page.
    public var duties: CarrierDuties

    public init(carrier: PageCarrier, maskedNumber: String, duties: CarrierDuties) {
        self.carrier = carrier
        self.maskedNumber = maskedNumber
        self.duties = duties
    }

    /// A made-up subscriber under the standard policy, for previews and tests.
    public static func sample(_ carrier: PageCarrier) -> PageFacts {
        PageFacts(carrier: carrier, maskedNumber: "138****0000", duties: .standard(carrier))
    }

    init() { self = .sample(.mobile) }

    /// Reads and checks facts.
    public init(_ json: PageJSON) throws(PageError) { try self.init(json, at: "$facts") }

    /// As ``init(_:)``, for JSON that stands at a path of a larger value, which errors name.
    package init(_ json: PageJSON, at path: String) throws(PageError) { self = try PageFacts.read(json, at: path) }

    /// The facts as JSON. Refused when reading would refuse them.
    public func json() throws(PageError) -> PageJSON { try written(at: "$facts") }

    mutating func code(_ coder: inout PageCoder) throws(PageError) {
        try coder("carrier", &carrier)
        try coder.string("maskedNumber", &maskedNumber, PageGrammar.text)
        try coder("duties", &duties)
    }
}

/// The state of a page that is shown.
public struct PageState: Hashable, Sendable {
    /// Whether the tick is set.
    public var isTicked: Bool
    /// Whether a finger is on the login button.
    public var isLoginPressed = false
    /// Whether the app has switched the login button off.
    public var isLoginDisabled = false
    /// Whether the hint about the missing tick is shown.
    public var isHintShown = false
    /// Whether the consent dialog is shown.
    public var isDialogShown = false
    /// Whether the token is on its way.
    public var isLoading = false

    /// A page that has just appeared.
    public init(of page: PageDescription) { self.init(ticked: page.terms.tick.isInitiallySet) }

    init(ticked: Bool) { isTicked = ticked }
}

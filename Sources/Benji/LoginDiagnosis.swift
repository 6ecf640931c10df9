public import BenjiClient
public import BenjiProtocol

/// Which preconditions of a login by one tap hold on this phone, and the first that does not.
public struct LoginDiagnosis: Hashable, Sendable {
    /// A precondition. They are checked in this order.
    public enum Check: String, Hashable, Sendable, CaseIterable {
        /// The SDK has what it needs on this phone: a configuration without mistakes, and the install's key.
        case install
        /// Mobile data is on, and this app may use it.
        case mobileData = "mobile_data"
        /// The gateway answers over mobile data: its name, its port, its certificate.
        case gateway
        /// The app's id, key and bundle id are those that are registered, and the install proves as much as the app
        /// demands.
        case app
        /// The gateway knows whose number has the address that this phone calls from, and the carrier is served.
        case number
        /// The page keeps the rules that it is held against.
        case page
    }

    /// The preconditions that hold.
    public let passed: [Check]
    /// The first precondition that does not hold; `nil` if all that were checked do.
    public let failed: Check?
    /// Why: ``BenjiClient/BenjiError/situation`` is the code, `detail` is for the developer. `nil` if nothing failed.
    public let error: BenjiError?

    private init(passed: [Check], failed: Check?, error: BenjiError?) {
        self.passed = passed
        self.failed = failed
        self.error = error
    }

    /// All holds, save that no page was checked.
    static let good = LoginDiagnosis(passed: Check.allCases.filter { $0 != .page }, failed: nil, error: nil)

    /// All holds, the page too.
    static let goodWithPage = LoginDiagnosis(passed: Check.allCases, failed: nil, error: nil)

    init(_ error: BenjiError) {
        let check = error.situation.check
        self.init(passed: Array(Check.allCases.prefix { $0 != check }), failed: check, error: error)
    }

    /// One sentence for the person, about what they can do; `nil` if nothing failed.
    public func advice(in language: Language) -> String? { error?.situation.advice[language] }
}

extension LoginDiagnosis: CustomStringConvertible {
    /// For the developer's log: each check, and why one failed.
    public var description: String {
        let checks =
            passed.map { "\($0.rawValue): ok" } + (failed.map { ["\($0.rawValue): \(error?.description ?? "")"] } ?? [])
        return checks.joined(separator: "\n")
    }
}

extension Situation {
    /// The precondition that does not hold.
    fileprivate var check: LoginDiagnosis.Check {
        switch self {
        case .notConfigured, .invalidArgument, .deviceKeyUnavailable: .install
        case .noNetwork, .cellularDataOff, .noSIM: .mobileData
        case .appUnknown, .appSuspended, .appNotAllowed, .appKeyWrong, .bundleMismatch, .capabilityMissing,
            .clockSkew, .proofMissing, .proofInvalid, .proofReplayed, .attestationInvalid, .assuranceTooLow:
            .app
        case .addressUnknown, .addressStale, .addressAmbiguous, .subscriberUnsupported, .carrierUnsupported,
            .tooManyRequests:
            .number
        case .pageFailed: .page
        default: .gateway
        }
    }

    fileprivate var advice: LocalizedText {
        switch self {
        case .noNetwork: LocalizedText("没有网络连接。", "沒有網路連線。", "There is no network connection.")
        case .cellularDataOff:
            LocalizedText(
                "请打开移动数据，并在系统设置中允许本应用使用移动数据。", "請開啟行動數據，並在系統設定中允許本應用程式使用行動數據。",
                "Switch on mobile data, and allow this app to use it in the system's settings.")
        case .noSIM: LocalizedText("手机里没有 SIM 卡。", "手機裡沒有 SIM 卡。", "There is no SIM in this phone.")
        case .addressUnknown, .addressStale, .addressAmbiguous:
            LocalizedText(
                "无法识别本机号码。请关闭 VPN 后重试，或关闭再打开移动数据。", "無法識別本機號碼。請關閉 VPN 後重試，或關閉再開啟行動數據。",
                "Your number could not be recognised. Switch off any VPN, or switch mobile data off and on, and try "
                    + "again."
            )
        case .subscriberUnsupported, .carrierUnsupported:
            LocalizedText(
                "您的运营商或号码不支持一键登录，请用其他方式登录。", "您的電信業者或號碼不支援一鍵登入，請用其他方式登入。",
                "One-tap login does not work with your carrier or number. Log in another way.")
        case .clockSkew:
            LocalizedText("手机时间不准，请设为自动。", "手機時間不準，請設為自動。", "Your phone's clock is wrong. Have it set automatically.")
        case .tooManyRequests: LocalizedText("操作过于频繁，请稍后再试。", "操作過於頻繁，請稍後再試。", "Too many tries. Try again later.")
        case .networkFailure, .timedOut:
            LocalizedText("网络不稳定，请重试。", "網路不穩定，請重試。", "The network is unreliable. Try again.")
        default:
            LocalizedText(
                "一键登录暂时不可用，请用其他方式登录。", "一鍵登入暫時無法使用，請用其他方式登入。",
                "One-tap login is not available at the moment. Log in another way.")
        }
    }
}

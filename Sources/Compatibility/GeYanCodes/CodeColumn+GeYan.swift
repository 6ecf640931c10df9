public import BenjiProtocol
import OneLoginCodes

/// The codes of GeYan's own SDK, before and after 3.0.
extension CodeColumn {
    /// GeYan's document, `code`. The details of a failure are in `errorCode` (``geyanBusiness``).
    public static let geyan = CodeColumn { situation, _, step in geyanCode(situation, step) }

    private static func geyanCode(_ situation: Situation, _ step: Step?) -> Code {
        switch situation {
        case .success: exact("30000")
        case .noNetwork, .cellularDataOff, .noSIM, .addressUnknown, .carrierUnsupported, .subscriberUnsupported:
            exact("30001")
        case .switchAccount: exact("30002")
        case .userCancelled: exact("30003")
        case .pageDismissedByApp, .cancelledByApp: near("30003", "the document knows only the person's closing")
        case .notConfigured, .appIDMissing, .invalidArgument, .controllerMissing, .alreadyRunning, .prefetchRunning,
            .loginRunning:
            exact("30004")
        case .prefetchMissing, .prefetchExpired: exact("30005")
        case .addressStale, .addressAmbiguous, .subscriptionChanged, .subscriptionMismatch, .scripInvalid,
            .scripExpired, .scripReused, .scripStolen:
            step == .prefetch || step == nil ? exact("30005") : exact("40047")
        default:
            switch step {
            case .prefetch: exact("30005")
            case .authorize, .verify: exact("30006")
            case nil: exact("30004")
            }
        }
    }

    /// GeYan's document, `errorCode`: OneLogin's codes, but for one.
    public static let geyanBusiness = oneLogin(unicomToken: "-40204")

    /// GeYan 3.0, `code`: what failed; `errorCode` says why (``geyan3Business``).
    public static let geyan3 = CodeColumn { situation, _, step in geyan3Code(situation, step) }

    private static func geyan3Code(_ situation: Situation, _ step: Step?) -> Code {
        if situation == .success { return exact("30000") }
        return switch step {
        case .prefetch: exact("30005")
        case .authorize: exact("30006")
        case .verify: exact("30007")
        case nil: exact("30004")
        }
    }

    /// GeYan 3.0, `errorCode`.
    public static let geyan3Business = CodeColumn { situation, _, _ in geyan3BusinessCode(situation) }

    private static func geyan3BusinessCode(_ situation: Situation) -> Code {
        switch situation {
        case .success: exact("0")
        case .notConfigured: exact("-10000")
        case .timedOut: exact("-10003")
        case .alreadyRunning, .prefetchRunning, .loginRunning: exact("-10006")
        case .tooManyRequests, .tooManyUnusedTokens: near("-10010", "the code speaks of number verification only")
        case .quotaExceeded, .numberQuotaExceeded: near("-10011", "the code speaks of number verification only")
        case .invalidArgument, .controllerMissing, .parameterMissing, .parameterInvalid: exact("-20100")
        case .appIDMissing: exact("-20101")
        case .appUnknown: exact("-20102")
        case .appKeyWrong, .bundleMismatch: near("-20102", "the release has one code for a refused registration")
        case .prefetchMissing, .prefetchExpired, .scripInvalid, .scripExpired, .scripReused, .scripStolen:
            exact("-20104")
        case .subscriptionMismatch: near("-20104", "the SIM changed after the prefetch, which ends it")
        case .noNetwork: exact("-20200")
        case .noSIM: exact("-20201")
        case .cellularDataOff: exact("-20202")
        case .carrierUnsupported: exact("-20203")
        case .userCancelled, .pageDismissedByApp: exact("-20301")
        case .cancelledByApp: near("-20301", "the release knows only that the page was left")
        case .switchAccount: exact("-20303")
        case .pageFailed: exact("-20304")
        case .splitViewUnsupported: near("-20304", "the page is not shown in split view")
        case .consentMissing, .consentInvalid: near("-20305", "the code is for taps without the tick")
        case .addressUnknown, .addressStale, .addressAmbiguous, .subscriberUnsupported, .subscriptionChanged:
            exact("-40001")
        case .networkFailure, .nameNotResolved, .connectionRefused, .tlsFailure, .deviceKeyUnavailable:
            near("-10009", "the release's code for the rest")
        default: exact("-30001")
        }
    }
}

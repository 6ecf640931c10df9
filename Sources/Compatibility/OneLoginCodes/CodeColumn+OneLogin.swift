public import BenjiProtocol

/// The codes of OneLogin's SDK. Those of 1.6.1 are also GeYan's, but for one.
extension CodeColumn {
    /// OneLogin's document (1.6.1).
    public static let oneLogin = oneLogin(unicomToken: "-40202")

    /// OneLogin's document (1.6.1), and GeYan's business codes.
    ///
    /// A carrier's failure has four codes. They differ by the request (masked number or token), and by *failed* (a
    /// refusal) or *abnormal* (no usable answer). Before the first answer the carrier is unknown. The service's own
    /// codes are used then, and for carriers that the documents do not know.
    ///
    /// - Parameter unicomToken: China Unicom's refusal of a token, the one code in which the two documents differ.
    public static func oneLogin(unicomToken: String) -> CodeColumn {
        CodeColumn { situation, carrier, step in oneLoginCode(situation, carrier, step, unicomToken) }
    }

    private static func oneLoginCode(
        _ situation: Situation, _ carrier: Carrier?, _ step: Step?, _ unicomToken: String
    ) -> Code? {
        let abnormal = carrier.flatMap { carrierFailure($0, step, isAbnormal: true, unicomToken) }
        let failed = carrier.flatMap { carrierFailure($0, step, isAbnormal: false, unicomToken) }
        return switch situation {
        // The documents tell success by another member: `status` 200, `code` 30000.
        case .success: nil
        case .notConfigured: exact("-20101")
        case .appIDMissing: exact("-20101")
        case .prefetchRunning: exact("-20102")
        case .loginRunning: exact("-20103")
        case .alreadyRunning: near(step == .prefetch ? "-20102" : "-20103", "a second call while one runs")
        case .cellularDataOff: exact("-20202")
        case .noNetwork, .noSIM: near("-20202", "the document names this as a reason for having no mobile data")
        case .addressUnknown: near("-20202", "the request did not come over a mobile network that the gateway serves")
        case .carrierUnsupported: exact("-20203")
        case .prefetchMissing, .prefetchExpired, .scripInvalid, .scripExpired, .scripReused, .scripStolen:
            exact("-20204")
        case .subscriptionMismatch: near("-20204", "the SIM changed after the prefetch, which ends it")
        case .userCancelled: exact("-20302")
        case .cancelledByApp, .pageDismissedByApp: near("-20302", "the document knows only the person's closing")
        case .switchAccount: exact("-20303")
        case .subscriberUnsupported, .addressStale, .addressAmbiguous, .subscriptionChanged:
            exact(failed ?? "-50101")
        case .networkFailure, .nameNotResolved, .connectionRefused, .tlsFailure, .timedOut: exact(abnormal ?? "-50102")
        case .malformedResponse: exact(abnormal ?? "-50100")
        case .pageFailed, .splitViewUnsupported:
            near(abnormal ?? "-50101", "the document has no code for a page that cannot be shown")
        // The same whatever carrier a gateway has named before: its codes send people to look at their network.
        case .invalidArgument, .controllerMissing, .parameterMissing, .parameterInvalid:
            near("-50101", "the document has no code for a wrong argument")
        case .deviceKeyUnavailable: near(abnormal ?? "-50101", "device keys are newer than the document")
        case .consentMissing, .consentInvalid: near(failed ?? "-50101", "without the page there is no token")
        case .internalError, .storeUnavailable, .overloaded: exact("-50100")
        case .appUnknown, .appSuspended, .appNotAllowed, .capabilityMissing, .bundleMismatch, .appKeyWrong,
            .quotaExceeded, .numberQuotaExceeded, .tooManyRequests, .tooManyUnusedTokens:
            exact("-50101")
        default: near("-50101", "the service refused; the document has no code of its own for it")
        }
    }

    private static func carrierFailure(
        _ carrier: Carrier, _ step: Step?, isAbnormal: Bool, _ unicomToken: String
    ) -> String? {
        let isPrefetch = step == .prefetch || step == nil
        return switch (carrier, isAbnormal) {
        case (.mobile, false): isPrefetch ? "-40101" : "-40102"
        case (.mobile, true): isPrefetch ? "-40198" : "-40199"
        case (.unicom, false): isPrefetch ? "-40201" : unicomToken
        case (.unicom, true): isPrefetch ? "-40298" : "-40299"
        case (.telecom, false): isPrefetch ? "-40301" : "-40302"
        case (.telecom, true): isPrefetch ? "-40398" : "-40399"
        default: nil
        }
    }

    /// OneLogin's list of Cocoa's network errors, which its SDK hands on in `metaData`.
    public static let oneLoginCocoa = CodeColumn { situation, _, _ in oneLoginCocoaCode(situation) }

    private static func oneLoginCocoaCode(_ situation: Situation) -> Code? {
        switch situation {
        case .timedOut: exact("-1001")
        case .nameNotResolved: exact("-1003")
        case .connectionRefused: exact("-1004")
        case .networkFailure: exact("-1005")
        case .noNetwork: exact("-1009")
        case .cellularDataOff: near("-1009", "Benji asks over mobile data only")
        case .malformedResponse: exact("-1017")
        case .tlsFailure: exact("-1200")
        default: nil
        }
    }
}

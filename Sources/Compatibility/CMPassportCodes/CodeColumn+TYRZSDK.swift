public import BenjiProtocol

/// The codes of TYRZSDK's document, §6.1.
extension CodeColumn {
    /// The SDK's codes for the app.
    public static let cmSDK = CodeColumn { situation, carrier, _ in cmSDKCode(situation, carrier) }

    private static func cmSDKCode(_ situation: Situation, _ carrier: Carrier?) -> Code {
        switch situation {
        case .success: exact("103000")
        case .notConfigured: exact("200030")
        case .invalidArgument: exact("200026")
        case .noNetwork: exact("200022")
        case .cellularDataOff: exact("200027")
        case .noSIM: exact("200048")
        case .timedOut: exact("200023")
        case .networkFailure, .nameNotResolved, .connectionRefused: exact("200028")
        case .tlsFailure: near("200028", "the document does not tell certificates from other network errors")
        case .malformedResponse: exact("200021")
        case .userCancelled: exact("200020")
        case .switchAccount: near("200020", "this generation of the SDK has no button to switch accounts")
        case .cancelledByApp, .pageDismissedByApp: near("200020", "the document knows only the person's cancelling")
        case .alreadyRunning, .prefetchRunning, .loginRunning:
            near("200025", "the document has no code for a second call while one runs")
        case .pageFailed: exact("200042")
        case .splitViewUnsupported: near("200042", "the document does not speak of split view")
        case .prefetchMissing, .prefetchExpired:
            near("200026", "the document asks for a valid scrip before authorizing, without a code of its own")
        case .deviceKeyUnavailable: near("200025", "device keys are newer than the document")
        case .addressUnknown, .addressStale, .addressAmbiguous: exact("200010")
        case .subscriberUnsupported, .carrierUnsupported:
            carrier == .telecom ? exact("200039") : near("200010", "no code for an unsupported carrier or card")
        case .bundleMismatch: exact("200009")
        case .capabilityMissing: exact("200041")
        case .appNotAllowed: exact("105302")
        case .appUnknown, .appSuspended, .appKeyWrong:
            near("200041", "the SDK's table has no code of its own for a refused app")
        case .malformedRequest, .parameterMissing, .parameterInvalid, .appIDMissing, .controllerMissing: exact("200026")
        case .consentMissing, .consentInvalid: near("200042", "without the page there is no token")
        case .scripInvalid, .scripExpired, .scripReused, .scripStolen, .subscriptionMismatch, .subscriptionChanged:
            near("200010", "the document's SDK table has no code for a refused scrip")
        case .storeUnavailable, .overloaded, .internalError: exact("200047")
        default: near("200025", "newer than the document")
        }
    }
}

public import BenjiProtocol

/// GeYan's three lists of carriers' codes, which its SDK hands on in `metadata` beside its own.
///
/// A carrier's SDK and gateway give these codes: failures between app and GeYan have none, nor has success.
extension CodeColumn {
    /// China Mobile's.
    public static let geyanMobile = CodeColumn { situation, _, step in geyanMobileCode(situation, step) }

    private static func geyanMobileCode(_ situation: Situation, _ step: Step?) -> Code? {
        switch situation {
        case .overloaded, .storeUnavailable: near("102102", "the list has no code for a gateway in trouble")
        case .timedOut: step == .authorize ? exact("102507") : exact("200023")
        case .appKeyWrong: exact("103101")
        case .proofMissing, .proofInvalid, .proofReplayed, .clockSkew:
            near("103101", "the request's sign is no good; device proofs are newer than the document")
        case .bundleMismatch: exact("103102")
        case .codeWrong: exact("103108")
        case .codeTriesExceeded: near("103108", "the list has no code for too many wrong codes")
        case .codeExpired: exact("103109")
        case .codeUnknown: near("103109", "the list has no code for a code that is not known any more")
        case .addressUnknown, .addressStale, .addressAmbiguous: exact("103111")
        case .appUnknown: exact("103119")
        case .numberMalformed: exact("103125")
        case .tooManyCodes: exact("103901")
        case .prefetchExpired, .prefetchMissing: exact("103203")
        case .scripInvalid, .scripExpired, .scripReused, .scripStolen: exact("103902")
        case .subscriptionMismatch, .subscriptionChanged: near("103902", "the SIM changed, which ends the scrip")
        case .tooManyUnusedTokens: exact("103911")
        case .tooManyRequests: near("103911", "the list's only code for too many requests")
        case .numberQuotaExceeded: exact("105021")
        case .subscriberUnsupported: exact("105002")
        case .carrierUnsupported: near("105002", "China Mobile is switched off here or for this app")
        case .appNotAllowed: exact("105302")
        case .appSuspended, .capabilityMissing: near("105302", "the list has one code for an app that may not")
        case .userCancelled: exact("200020")
        case .malformedResponse: exact("200021")
        case .noNetwork: exact("200022")
        case .invalidArgument, .parameterMissing, .parameterInvalid: exact("200026")
        case .cellularDataOff: exact("200027")
        case .networkFailure, .nameNotResolved, .connectionRefused: exact("200028")
        case .tlsFailure: near("200028", "the list does not tell certificates from other network errors")
        case .notConfigured, .appIDMissing: exact("200030")
        case .noSIM: exact("200048")
        case .switchAccount: exact("200060")
        case .pageFailed: exact("200061")
        case .internalError: exact("103211")
        default: nil
        }
    }

    /// China Unicom's.
    public static let geyanUnicom = CodeColumn { situation, _, _ in geyanUnicomCode(situation) }

    private static func geyanUnicomCode(_ situation: Situation) -> Code? {
        switch situation {
        case .appSuspended, .appNotAllowed: exact("100")
        case .appKeyWrong: exact("101")
        case .appUnknown: exact("102")
        case .bundleMismatch: exact("105")
        case .assuranceTooLow: exact("203")
        case .carrierUnsupported: exact("300")
        case .capabilityMissing: exact("301")
        case .tooManyRequests, .tooManyUnusedTokens, .numberQuotaExceeded:
            near("303", "the list's only code for too many calls")
        case .appIDMissing: exact("400")
        case .parameterMissing: exact("401")
        case .invalidArgument, .parameterInvalid: exact("402")
        case .malformedRequest: exact("1000")
        case .clockSkew, .proofReplayed:
            near("1001", "the request is older or newer than it may be, or was used before")
        case .proofMissing, .proofInvalid: near("1002", "device proofs are newer than the document")
        case .scripExpired, .prefetchExpired: exact("1003")
        case .internalError: exact("1011")
        case .storeUnavailable, .overloaded: exact("1010")
        case .subscriberUnsupported: near("2004", "the number may not log in")
        case .scripInvalid, .scripReused, .scripStolen, .prefetchMissing: near("3001", "the list's key of a prefetch")
        case .subscriptionMismatch, .subscriptionChanged: near("3001", "the SIM changed, which ends the prefetch")
        case .cellularDataOff: exact("3005")
        case .networkFailure, .nameNotResolved, .connectionRefused: exact("3007")
        case .tlsFailure, .timedOut, .malformedResponse: near("3007", "the list has one code for a request that failed")
        case .addressUnknown: exact("3011")
        case .addressStale, .addressAmbiguous: exact("3012")
        default: nil
        }
    }

    /// China Telecom's.
    public static let geyanTelecom = CodeColumn { situation, _, _ in geyanTelecomCode(situation) }

    private static func geyanTelecomCode(_ situation: Situation) -> Code? {
        switch situation {
        case .appSuspended, .appNotAllowed, .capabilityMissing: exact("-64")
        case .carrierUnsupported: near("-64", "China Telecom is switched off here or for this app")
        case .tooManyRequests: exact("-65")
        case .subscriberUnsupported: exact("-10001")
        case .scripInvalid, .scripExpired, .scripReused, .scripStolen, .subscriptionMismatch, .subscriptionChanged:
            near("-10001", "the list has no code for a prefetch that ended")
        case .parameterInvalid: exact("-10002")
        case .addressUnknown: exact("-10004")
        case .addressStale, .addressAmbiguous: exact("-10006")
        case .tooManyUnusedTokens: exact("-10008")
        case .numberQuotaExceeded: near("-10008", "the list has no code for a number's day")
        case .clockSkew: exact("-10009")
        case .appKeyWrong, .proofMissing, .proofInvalid, .proofReplayed: exact("-20005")
        case .bundleMismatch: near("-20006", "the list has no code for a bundle id")
        case .appUnknown: exact("-20006")
        case .internalError, .storeUnavailable, .overloaded: exact("-20100")
        case .parameterMissing, .appIDMissing: exact("51002")
        case .networkFailure, .connectionRefused: exact("-8001")
        case .nameNotResolved: exact("-8103")
        case .tlsFailure: near("-8001", "the list does not tell certificates from other network errors")
        case .invalidArgument: exact("-8002")
        case .timedOut: exact("-8003")
        case .cellularDataOff: exact("-8004")
        case .notConfigured: exact("-8005")
        case .noNetwork: exact("-8100")
        case .malformedResponse: near("-8201", "the answer is not what the protocol allows")
        default: nil
        }
    }
}

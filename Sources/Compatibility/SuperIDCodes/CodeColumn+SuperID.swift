import BenjiFaceProtocol
public import BenjiProtocol

/// SuperID's error codes.
extension CodeColumn {
    /// The code of an `NSError`. Success has none: the error is nil.
    public static let superID = CodeColumn { situation, _, _ in superIDCode(situation) }

    private static func superIDCode(_ situation: Situation) -> Code? {
        switch situation {
        case .success: nil
        case .userCancelled, .faceDiffers, .challengeFailed: exact("-1000")
        case .networkFailure, .nameNotResolved, .connectionRefused, .noNetwork, .tlsFailure, .timedOut: exact("-1001")
        case .malformedResponse: near("-1001", "an answer that something on the way has changed")
        case .cellularDataOff, .noSIM, .addressUnknown:
            near("-1001", "the number is proven over mobile data, which is not there")
        case .tooManyCodes: exact("-1002")
        case .messageNotSent: exact("-1003")
        case .numberMalformed, .numberNotServed, .numberBlocked, .quotaExceeded:
            near("-1003", "no code is sent, or none logs in to this number")
        case .cameraDenied: exact("-1004")
        case .accountBoundElsewhere: exact("-1005")
        case .uidTaken: near("-1006", "updating a uid has a state of its own for it, binding has not")
        case .accessTokenExpired: exact("-1007")
        case .refreshTokenInvalid: near("-1007", "after it the person logs in again")
        case .uidMissing: exact("-1008")
        case .notAuthorized: exact("-1009")
        case .accountErased: near("-1009", "the account was erased; the document has no code for it")
        case .confirmationNeeded:
            near("-1007", "the face has to be shown once more, as after an access that has expired")
        case .accessTokenInvalid: near("-1009", "the document has no code for an access that was ended")
        case .versionUnsupported: exact("-1010")
        case .notConfigured, .appUnknown, .appKeyWrong, .bundleMismatch: exact("-1011")
        case .appIDMissing, .appSuspended, .appNotAllowed, .capabilityMissing, .faceUnavailable, .deviceKeyUnavailable,
            .attestationInvalid:
            near("-1011", "the SDK gets no app token")
        case .attributesDenied: exact("-1012")
        case .appTokenInvalid: exact("-1013")
        case .numberNotMainland: exact("-1014")
        case .accountFrozen: exact("-1015")
        case .faceNotFound: exact("-1016")
        default: near("-1000", "the document has no code of its own for it")
        }
    }

    /// The code of an error that ends a binding: what SuperID's document leaves unnamed it counts apart there.
    public static let superIDBinding = CodeColumn { situation, _, _ in
        guard let code = superIDCode(situation) else { return nil }
        return code.code == "-1000" ? Code("-1006", note: code.note) : code
    }
}

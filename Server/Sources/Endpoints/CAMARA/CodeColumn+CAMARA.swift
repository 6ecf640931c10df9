package import BenjiProtocol
import OpenIDProvider

/// The codes of CAMARA's interfaces: number-verification 2.1, sim-swap 2.1, one-time-password-sms 1.1 and, for what
/// none of them names, their common definitions (Commonalities 0.6).
extension CodeColumn {
    /// An answer that is no error has no code.
    package static let camara = CodeColumn { situation, _, _ in camaraCode(situation) }

    private static func camaraCode(_ situation: Situation) -> Code? {
        switch situation {
        case .malformedRequest, .parameterMissing, .parameterInvalid, .numberMalformed, .numberHashMalformed:
            exact("INVALID_ARGUMENT")
        case .bodyTooLarge: near("INVALID_ARGUMENT", "the interfaces have no code for a body that is too large")
        case .outOfRange: exact("OUT_OF_RANGE")
        case .tokenMissing, .tokenUnknown, .tokenSpent, .tokenExpired, .dpopProofInvalid, .dpopNonceOutdated:
            exact("UNAUTHENTICATED")
        case .subscriptionChanged: near("UNAUTHENTICATED", "a token dies with the SIM and the owner that earned it")
        case .scopeMissing: exact("PERMISSION_DENIED")
        case .appUnknown, .appSuspended, .appNotAllowed, .capabilityMissing:
            near("PERMISSION_DENIED", "the app lost a right that it had when the token was issued")
        case .serverAddressNotAllowed:
            near("PERMISSION_DENIED", "an app that named its servers' addresses is answered there alone")
        case .notByNetwork: exact("NUMBER_VERIFICATION.USER_NOT_AUTHENTICATED_BY_MOBILE_NETWORK")
        case .numberUnknown: exact("IDENTIFIER_NOT_FOUND")
        case .numberMissing: exact("MISSING_IDENTIFIER")
        case .numberUnnecessary: exact("UNNECESSARY_IDENTIFIER")
        case .carrierUnsupported: exact("SERVICE_NOT_APPLICABLE")
        case .quotaExceeded: exact("QUOTA_EXCEEDED")
        case .numberQuotaExceeded: near("QUOTA_EXCEEDED", "the interfaces count by app")
        case .tooManyRequests: exact("TOO_MANY_REQUESTS")
        case .codeUnknown: exact("NOT_FOUND")
        case .codeWrong: exact("ONE_TIME_PASSWORD_SMS.INVALID_OTP")
        case .codeExpired: exact("ONE_TIME_PASSWORD_SMS.VERIFICATION_EXPIRED")
        case .codeTriesExceeded: exact("ONE_TIME_PASSWORD_SMS.VERIFICATION_FAILED")
        case .tooManyCodes: exact("ONE_TIME_PASSWORD_SMS.MAX_OTP_CODES_EXCEEDED")
        case .numberNotServed: exact("ONE_TIME_PASSWORD_SMS.PHONE_NUMBER_NOT_ALLOWED")
        case .numberBlocked: exact("ONE_TIME_PASSWORD_SMS.PHONE_NUMBER_BLOCKED")
        case .messageNotSent: near("UNAVAILABLE", "the interface has no code for a message that nobody takes")
        case .storeUnavailable: exact("UNAVAILABLE")
        case .overloaded: near("UNAVAILABLE", "the caller can only try again")
        case .internalError: exact("INTERNAL")
        default: nil
        }
    }
}

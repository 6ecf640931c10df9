package import BenjiProtocol
import CMPassportCodes

/// The codes of the platform in TYRZLogin's document.
extension CodeColumn {
    /// TYRZLogin's document §4.1; its example answers success with 103000.
    package static let tyrzPlatform = CodeColumn { situation, carrier, _ in
        tyrzPlatformCode(situation, carrier)
    }

    private static func tyrzPlatformCode(_ situation: Situation, _ carrier: Carrier?) -> Code {
        switch situation {
        case .success: near("103000", "the platform's table lists errors only; the document's example answers 103000")
        case .signWrong, .signMissing: exact("103101")
        case .signAlgorithmMismatch: near("103101", "the algorithm is pinned per app")
        case .addressUnknown, .addressStale, .addressAmbiguous: exact("103111")
        case .serverAddressNotAllowed: near("103111", "the table has one code for a wrong address")
        case .malformedRequest, .methodNotAllowed, .notFound, .bodyTooLarge: exact("103112")
        case .parameterMissing, .parameterInvalid, .appIDMissing, .timestampInvalid:
            near("103112", "the table has one code for a wrong request")
        case .tokenMissing, .tokenMalformed, .tokenWrongApp: exact("103113")
        case .tokenWrongPurpose: near("103104", "this kind of token does not open this interface")
        case .tokenExpired, .subscriptionChanged: exact("103114")
        case .tokenUnknown: exact("103115")
        case .tokenSpent: exact("103116")
        case .sourceIDUnknown: exact("103118")
        case .sourceIDMalformed: exact("103133")
        case .sourceIDTaken: exact("103139")
        case .sourceIDLimit: near("103139", "the limit of 99 has a code only in TYRZSDK's document")
        case .appUnknown: exact("103119")
        case .publicKeyMissing: near("103120", "the app registered no key to authenticate with")
        case .capabilityMissing, .appSuspended, .appNotAllowed: near("103104", "the app may not use this interface")
        case .assuranceTooLow, .attestationInvalid: near("103104", "assurance is newer than the document")
        case .versionUnsupported: exact("103127")
        case .messageReplayed: exact("103107")
        case .messageStale: exact("103226")
        case .quotaExceeded, .numberQuotaExceeded, .tooManyRequests, .tooManyUnusedTokens:
            near("103901", "the table's only code for too many calls speaks of SMS")
        case .scripInvalid, .scripExpired, .scripReused, .scripStolen, .subscriptionMismatch: exact("103902")
        case .subscriberUnsupported, .carrierUnsupported: exact(gatewayFailure(carrier))
        case .storeUnavailable: exact("103214")
        case .encryptionFailed: near("103205", "no code for a failed encryption")
        case .overloaded, .internalError: exact("103205")
        // The results of a login by SMS of the SDK, for readers who look a code up.
        case .codeWrong, .codeExpired, .codeUnknown, .codeTriesExceeded, .tooManyCodes, .messageNotSent,
            .numberMalformed,
            .numberNotServed, .numberBlocked:
            CodeColumn.tyrzSMS.code(for: situation) ?? exact("103112")
        default: near("103112", "belongs to the phone's side or to another dialect")
        }
    }
}

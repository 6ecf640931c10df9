package import BenjiProtocol
import CMPassportCodes

/// The codes of the two calls of TYRZSDK's document that app servers make.
extension CodeColumn {
    /// TYRZSDK's document §6.2: loginTokenValidate.
    package static let cmPhone = CodeColumn { situation, carrier, _ in cmPhoneCode(situation, carrier)
    }

    private static func cmPhoneCode(_ situation: Situation, _ carrier: Carrier?) -> Code {
        switch situation {
        case .success: exact("103000")
        case .signWrong: exact("103101")
        case .signMissing: exact("103401")
        case .signAlgorithmMismatch:
            near("103101", "the algorithm is pinned per app; the document lets the caller choose")
        case .bundleMismatch: exact("103102")
        case .addressUnknown, .addressStale, .addressAmbiguous: exact("103111")
        case .subscriberUnsupported: near(gatewayFailure(carrier), "the number could not be obtained")
        case .carrierUnsupported:
            switch carrier {
            case .telecom: exact("105012")
            case .unicom: exact("105013")
            default: exact("105002")
            }
        case .malformedRequest, .methodNotAllowed, .notFound, .bodyTooLarge: exact("103112")
        case .parameterMissing, .parameterInvalid, .appIDMissing, .timestampInvalid: exact("103414")
        case .versionUnsupported: near("103414", "the version is a parameter with one allowed value")
        case .tokenMissing: exact("103811")
        case .tokenMalformed, .tokenWrongApp: exact("103113")
        case .tokenUnknown, .tokenExpired, .tokenSpent: exact("104201")
        case .subscriptionChanged: near("104201", "the SIM or the owner changed, which ends the token")
        case .tokenWrongPurpose: exact("105018")
        case .appUnknown: exact("103119")
        case .appSuspended: near("105018", "the app exists but may not call")
        case .capabilityMissing: exact("105019")
        case .appNotAllowed: exact("105302")
        case .assuranceTooLow, .attestationInvalid: near("105018", "assurance is newer than the document")
        case .serverAddressNotAllowed: exact("103511")
        case .quotaExceeded: near("103911", "the document has no code for a used-up quota")
        case .numberQuotaExceeded: near("103911", "the document has no code for a number's day")
        case .tooManyRequests, .tooManyUnusedTokens: exact("103911")
        case .messageReplayed: exact("103505")
        case .messageStale: exact("103412")
        case .sourceIDUnknown, .sourceIDMalformed: exact("103133")
        case .sourceIDTaken: exact("103139")
        case .sourceIDLimit: exact("103408")
        case .publicKeyMissing: exact("105011")
        case .encryptionFailed: exact("103404")
        case .scripInvalid, .scripExpired, .scripReused, .scripStolen: exact("103902")
        case .subscriptionMismatch: near("103902", "the address belongs to another subscription")
        case .storeUnavailable: exact("103214")
        case .overloaded, .internalError: exact("103205")
        // The results of a login by SMS of the SDK, for readers who look a code up.
        case .codeWrong, .codeExpired, .codeUnknown, .codeTriesExceeded, .tooManyCodes, .messageNotSent,
            .numberMalformed,
            .numberNotServed, .numberBlocked:
            CodeColumn.cmSMS.code(for: situation) ?? exact("103211")
        default: near("103211", "belongs to the phone's side or to another dialect")
        }
    }

    /// TYRZSDK's document §6.3: tokenValidate of the number verification.
    package static let cmVerify = CodeColumn { situation, _, _ in cmVerifyCode(situation) }

    private static func cmVerifyCode(_ situation: Situation) -> Code {
        switch situation {
        case .success: exact("000")
        case .numberDiffers: exact("001")
        case .addressUnknown, .addressStale, .addressAmbiguous, .subscriberUnsupported, .carrierUnsupported:
            exact("002")
        case .numberHashMalformed, .numberMalformed: exact("004")
        case .parameterMissing, .parameterInvalid, .appIDMissing, .timestampInvalid, .numberMissing,
            .versionUnsupported:
            exact("102")
        case .serverAddressNotAllowed, .appNotAllowed: exact("124")
        case .appUnknown, .appSuspended, .capabilityMissing: near("124", "the table has no code for a refused app")
        case .signWrong, .signMissing, .signAlgorithmMismatch: exact("302")
        case .malformedRequest, .methodNotAllowed, .notFound, .bodyTooLarge: exact("303")
        case .tokenMissing, .tokenMalformed, .tokenUnknown, .tokenExpired, .tokenSpent, .tokenWrongApp,
            .tokenWrongPurpose,
            .subscriptionChanged:
            exact("606")
        case .messageReplayed:
            near("103505", "taken from the table of loginTokenValidate; this one has none for a replay")
        case .messageStale: near("102", "the timestamp is a parameter")
        case .quotaExceeded: exact("102315")
        case .tooManyRequests, .tooManyUnusedTokens: near("102315", "the table has no code for a rate")
        case .numberQuotaExceeded: near("102315", "the table has no code for a number's day")
        case .assuranceTooLow, .attestationInvalid: near("606", "assurance is newer than the document")
        case .storeUnavailable, .overloaded, .internalError: exact("999")
        default: near("003", "belongs to the phone's side or to another dialect")
        }
    }

    /// TYRZSDK's and TYRZLogin's documents have one code a carrier for a gateway that could not tell the number.
    static func gatewayFailure(_ carrier: Carrier?) -> String {
        switch carrier {
        case .unicom: "105001"
        case .telecom: "105003"
        default: "105002"
        }
    }
}

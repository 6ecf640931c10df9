package import BenjiProtocol

/// The codes of the two calls of OneLogin's family that app servers make.
extension CodeColumn {
    /// `POST /check_phone`.
    package static let oneLoginServer = CodeColumn { situation, _, _ in oneLoginServerCode(situation) }

    private static func oneLoginServerCode(_ situation: Situation) -> Code {
        switch situation {
        case .success: exact("200")
        case .processIDMissing: exact("12000")
        case .tokenMissing: exact("12001")
        case .signMissing: exact("12002")
        case .processIDMalformed: exact("12003")
        case .numberEncodingInvalid: exact("12004")
        case .timestampInvalid, .messageStale: exact("12005")
        case .serverAddressNotAllowed: exact("12007")
        case .processIDUnknown: exact("12100")
        case .processIDSpent: exact("12101")
        case .tokenSpent: near("12101", "a token and its process id are spent together")
        case .messageReplayed: near("12101", "a process id counts once, whatever is asked with it")
        case .appUnknown, .appIDMissing: exact("12102")
        case .tokenWrongApp: exact("12103")
        case .capabilityMissing, .appSuspended, .appNotAllowed:
            near("12103", "the app may not use this interface")
        case .quotaExceeded: exact("12104")
        case .signWrong: exact("12109")
        case .signAlgorithmMismatch: near("12109", "the algorithm is pinned per app")
        case .tokenExpired, .subscriptionChanged: exact("12200")
        case .tokenMalformed, .tokenUnknown, .tokenWrongProcess, .tokenWrongPurpose:
            near("12200", "the table has one code for a token that is no good")
        case .malformedRequest, .methodNotAllowed, .notFound, .bodyTooLarge, .parameterMissing, .parameterInvalid:
            near("12000", "a request that cannot be read has no process id")
        case .tooManyRequests, .tooManyUnusedTokens: near("12104", "the table has no code for a rate")
        case .numberQuotaExceeded: near("12104", "the table has no code for a number's day")
        case .addressUnknown, .addressStale, .addressAmbiguous, .subscriberUnsupported, .carrierUnsupported,
            .internalError, .storeUnavailable, .overloaded, .encryptionFailed, .timedOut, .networkFailure:
            exact("500")
        default: near("500", "the table has no code of its own for it")
        }
    }

    /// OnePass's `POST /v2.0/check_gateway`. Yes and no are both 200: `result` "0" is yes, "1" is no.
    package static let onePassServer = CodeColumn { situation, _, _ in onePassServerCode(situation) }

    private static func onePassServerCode(_ situation: Situation) -> Code {
        switch situation {
        case .success, .numberDiffers: exact("200")
        case .processIDMissing: exact("2000")
        case .signMissing: exact("2001")
        case .tokenMissing: exact("2002")
        case .numberMissing: exact("2003")
        case .numberMalformed, .numberHashMalformed: near("2003", "the table has no code for a malformed number")
        case .processIDMalformed: exact("2004")
        case .timestampInvalid, .messageStale: exact("2005")
        case .signWrong: exact("2104")
        case .signAlgorithmMismatch: near("2104", "the algorithm is pinned per app")
        case .appUnknown, .appIDMissing: exact("3101")
        case .capabilityMissing, .appSuspended, .appNotAllowed, .serverAddressNotAllowed:
            near("3101", "the app may not use this interface from here")
        case .processIDUnknown: exact("3102")
        case .processIDSpent: exact("3105")
        case .tokenSpent, .messageReplayed: near("3105", "a token and its process id are spent together")
        case .tokenExpired, .subscriptionChanged: exact("3200")
        case .tokenMalformed, .tokenUnknown, .tokenWrongProcess, .tokenWrongPurpose, .tokenWrongApp:
            near("3200", "the table has one code for a token that is no good")
        case .malformedRequest, .methodNotAllowed, .notFound, .bodyTooLarge, .parameterMissing, .parameterInvalid:
            near("2000", "a request that cannot be read has no process id")
        case .addressUnknown, .addressStale, .addressAmbiguous, .subscriberUnsupported, .carrierUnsupported,
            .internalError, .storeUnavailable, .overloaded, .timedOut, .networkFailure:
            exact("500")
        default: near("500", "the table has no code of its own for it")
        }
    }
}

package import BenjiProtocol

/// The codes of GeYan's server call.
extension CodeColumn {
    /// `POST /v2/gy/ct_login/gy_get_pn`. The vendor does not publish what each code is sent for; where its list has no
    /// word for a situation, the nearest stands in.
    package static let geyanServer = CodeColumn { situation, _, _ in geyanServerCode(situation) }

    private static func geyanServerCode(_ situation: Situation) -> Code {
        switch situation {
        case .success: exact("20000")
        case .appUnknown: exact("40004")
        case .appIDMissing: exact("40005")
        case .serverAddressNotAllowed: exact("40031")
        case .parameterMissing, .parameterInvalid, .tokenMissing, .processIDMissing, .processIDMalformed,
            .timestampInvalid, .tokenMalformed, .malformedRequest:
            exact("40032")
        case .methodNotAllowed, .notFound, .bodyTooLarge: near("40032", "what cannot be read has no parameters")
        case .processIDUnknown, .processIDSpent, .tokenWrongProcess: exact("60001")
        case .tokenUnknown, .tokenExpired, .tokenSpent, .tokenWrongApp, .tokenWrongPurpose, .subscriptionChanged,
            .messageReplayed:
            near("60001", "the list has no code for a token, which belongs to its business id")
        case .tooManyRequests, .tooManyUnusedTokens: exact("60002")
        case .quotaExceeded, .numberQuotaExceeded: near("60002", "the list has no code for a used-up quota")
        case .capabilityMissing, .appSuspended, .appNotAllowed: exact("60004")
        case .assuranceTooLow: near("60004", "assurance is newer than the list")
        case .signWrong: exact("60008")
        case .signMissing, .signAlgorithmMismatch: near("60008", "the list has one code for signs")
        case .messageStale: near("60008", "the list has no code for a signed request that is too old")
        case .storeUnavailable, .overloaded: near("50001", "the list does not tell 50001 from 50000")
        case .internalError, .encryptionFailed: exact("50000")
        default: near("50000", "the list has no code of its own for it")
        }
    }
}

package import BenjiProtocol
package import HTTPTypes

extension Situation {
    /// The HTTP status of each situation in the device dialect. Clients act on the code in the body; the status is
    /// for proxies, logs and people.
    package var httpStatus: HTTPResponse.Status { listedHTTPStatus ?? .internalServerError }

    /// `nil` for a situation that was forgotten here; a test finds it.
    var listedHTTPStatus: HTTPResponse.Status? {
        switch self {
        case .success, .numberDiffers: .ok
        case .malformedRequest, .parameterMissing, .parameterInvalid, .versionUnsupported, .numberHashMalformed,
            .tokenMissing, .tokenMalformed, .sourceIDMalformed, .consentMissing, .consentInvalid, .invalidArgument,
            .appIDMissing, .timestampInvalid, .processIDMissing, .processIDMalformed, .numberMissing,
            .numberMalformed, .numberEncodingInvalid, .uidMissing, .pictureInvalid, .numberNotMainland,
            .faceSessionIncomplete, .outOfRange, .numberUnnecessary:
            .badRequest
        case .proofMissing, .proofInvalid, .proofReplayed, .clockSkew, .appKeyWrong, .attestationInvalid, .signMissing,
            .signWrong, .signAlgorithmMismatch, .appTokenInvalid, .accessTokenExpired, .accessTokenInvalid,
            .refreshTokenInvalid:
            .unauthorized
        case .addressUnknown, .addressStale, .addressAmbiguous, .subscriberUnsupported, .carrierUnsupported,
            .gatewayNotTrusted, .appUnknown, .appSuspended, .appNotAllowed, .capabilityMissing, .bundleMismatch,
            .serverAddressNotAllowed, .assuranceTooLow, .scripInvalid, .scripExpired, .scripStolen,
            .subscriptionMismatch, .publicKeyMissing, .sourceIDUnknown, .tokenUnknown, .tokenExpired, .tokenWrongApp,
            .tokenWrongPurpose, .tokenWrongProcess, .processIDUnknown, .messageStale, .scopeMissing,
            .notByNetwork, .notAuthorized, .orderNotPermitted,
            .faceSessionInvalid, .rememberedAccountInvalid, .accountFrozen, .accountErased, .confirmationNeeded,
            .attributesDenied, .challengeInvalid, .codeWrong, .codeExpired, .codeTriesExceeded, .numberNotServed,
            .numberBlocked,
            .challengeExpired, .challengeFailed, .faceNotFound, .faceDiffers:
            .forbidden
        case .notFound, .groupUnknown, .openIDUnknown, .numberUnknown, .codeUnknown: .notFound
        case .methodNotAllowed: .methodNotAllowed
        case .scripReused, .subscriptionChanged, .messageReplayed, .tokenSpent, .processIDSpent, .sourceIDTaken,
            .sourceIDLimit, .accountBoundElsewhere, .uidTaken, .groupFull:
            .conflict
        case .bodyTooLarge: .contentTooLarge
        case .quotaExceeded, .numberQuotaExceeded, .tooManyRequests, .tooManyUnusedTokens, .tooManyCodes:
            .tooManyRequests
        case .storeUnavailable, .overloaded, .faceUnavailable, .messageNotSent: .serviceUnavailable
        case .timedOut: .gatewayTimeout
        // A situation that only a phone can observe never comes from a server; if it does, the fault is ours.
        case .internalError, .encryptionFailed, .notConfigured, .noNetwork, .cellularDataOff, .noSIM, .networkFailure,
            .nameNotResolved, .connectionRefused,
            .tlsFailure, .malformedResponse, .userCancelled, .switchAccount, .cancelledByApp, .alreadyRunning,
            .pageFailed, .prefetchMissing, .deviceKeyUnavailable, .prefetchRunning, .loginRunning, .controllerMissing,
            .splitViewUnsupported, .pageDismissedByApp, .prefetchExpired, .cameraDenied, .cameraFailed:
            .internalServerError
        default: nil
        }
    }
}

package import BenjiProtocol

extension DeviceEndpoints {
    /// Everything that a phone can be answered, success first: what `docs/openapi/device.yaml` and
    /// `docs/device-dialect.md` list.
    package static let situations: [Situation] = [
        .success, .malformedRequest, .parameterMissing, .parameterInvalid, .consentMissing, .consentInvalid,
        .proofMissing,
        .proofInvalid, .proofReplayed, .clockSkew, .appKeyWrong, .attestationInvalid, .addressUnknown, .addressStale,
        .addressAmbiguous, .subscriberUnsupported, .carrierUnsupported, .gatewayNotTrusted, .appUnknown, .appSuspended,
        .appNotAllowed, .capabilityMissing, .bundleMismatch, .assuranceTooLow, .scripInvalid, .scripExpired,
        .scripStolen,
        .subscriptionMismatch, .notFound, .methodNotAllowed, .scripReused, .subscriptionChanged, .bodyTooLarge,
        .tooManyRequests, .tooManyUnusedTokens, .numberQuotaExceeded, .numberMalformed, .codeUnknown, .codeWrong,
        .codeExpired,
        .codeTriesExceeded, .tooManyCodes, .numberNotServed, .numberBlocked, .quotaExceeded, .messageNotSent,
        .internalError, .storeUnavailable, .overloaded,
    ]
}

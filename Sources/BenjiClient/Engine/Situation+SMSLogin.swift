public import BenjiProtocol

extension Situation {
    /// Whether a login by a code by SMS may follow a login by one tap that ended so before its page was shown: this phone's
    /// connection tells no number, and nobody refused anything.
    ///
    /// What the person decided (`userCancelled`, `switchAccount`), what the app did wrong or is not allowed, what is wrong with a
    /// page or a proof, limits, and a server in trouble end the login: a code would not be another answer to any of them. Without
    /// any network no code can be asked for.
    public var mayLeadToSMS: Bool {
        switch self {
        // No way to the gateway by mobile data, or no answer.
        case .cellularDataOff, .noSIM, .networkFailure, .nameNotResolved, .connectionRefused, .timedOut: true
        // The gateway does not know whose address it is, or may not serve them.
        case .addressUnknown, .addressStale, .addressAmbiguous, .subscriberUnsupported, .carrierUnsupported,
            .gatewayNotTrusted:
            true
        default: false
        }
    }
}

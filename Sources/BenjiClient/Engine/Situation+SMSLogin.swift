public import BenjiProtocol

extension Situation {
    /// Whether a login by an SMS code may follow a login by one tap that failed this way before its page was shown. It
    /// may when this phone's connection does not identify its number and no party refused the login.
    ///
    /// The person's decision (`userCancelled`, `switchAccount`) ends the login. So do an app's error or missing
    /// permission, a bad page or proof, a limit, and a server failure: a code would not change them. Without any
    /// network no code can be requested.
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

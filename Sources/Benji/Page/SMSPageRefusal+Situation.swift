import BenjiPage
import BenjiProtocol

extension SMSPageRefusal {
    /// The message to the person for a refusal. It is `nil` for a refusal that the person cannot act on, such as a
    /// stopped app or a page that is not approved. Such a refusal ends the login.
    init?(_ situation: Situation) {
        switch situation {
        case .numberMalformed: self = .numberMalformed
        case .numberNotServed, .numberBlocked: self = .numberNotServed
        case .codeWrong: self = .codeWrong
        // The code is spent when the SIM is found to have changed since.
        case .codeExpired, .codeUnknown, .subscriptionChanged: self = .codeExpired
        case .codeTriesExceeded: self = .triesExceeded
        case .tooManyCodes: self = .tooManyCodes
        case .tooManyRequests, .quotaExceeded: self = .tooManyRequests
        case .messageNotSent: self = .notSent
        case .noNetwork, .networkFailure, .nameNotResolved, .connectionRefused, .tlsFailure, .timedOut,
            .malformedResponse:
            self = .noConnection
        case .overloaded, .storeUnavailable, .internalError: self = .unavailable
        default: return nil
        }
    }
}

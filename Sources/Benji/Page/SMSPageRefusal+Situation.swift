import BenjiPage
import BenjiProtocol

extension SMSPageRefusal {
    /// What a person is told of a refusal; `nil` for what is no matter of theirs, such as an app that was stopped or a page that is
    /// not approved: the login ends with it.
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

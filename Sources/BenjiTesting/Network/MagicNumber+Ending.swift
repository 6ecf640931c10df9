import BenjiProtocol

extension MagicNumber {
    /// How a request ends. The raw value is the last two digits of a magic number.
    public enum Ending: Int, Hashable, Sendable, CaseIterable {
        case success = 0
        // The phone and its network.
        case noNetwork = 1
        case cellularDataOff = 2
        case noSIM = 3
        case networkFailure = 4
        case tlsFailure = 5
        case malformedResponse = 6
        /// No answer at all: the time-out decides.
        case silence = 7
        /// The answer points elsewhere, as an aggregator's does that cannot serve this carrier. No transport follows
        /// it.
        case redirect = 8
        /// No server listens at the address.
        case serverDown = 9
        // The gateway's findings.
        case addressUnknown = 10
        case addressStale = 11
        case addressAmbiguous = 12
        case subscriberUnsupported = 13
        case carrierUnsupported = 14
        /// The server's name has no address.
        case nameNotResolved = 15
        // The app.
        case appUnknown = 20
        case appSuspended = 21
        case appNotAllowed = 22
        case capabilityMissing = 23
        case bundleMismatch = 24
        case appKeyWrong = 25
        case assuranceTooLow = 26
        case tooManyUnusedTokens = 27
        case tooManyRequests = 28
        // Scrip and consent.
        case scripInvalid = 30
        case scripExpired = 31
        case scripReused = 32
        case subscriptionMismatch = 33
        case subscriptionChanged = 34
        case consentInvalid = 35
        // The server.
        case storeUnavailable = 40
        case overloaded = 41
        case internalError = 42

        /// The server's refusal; `nil` for an ending that is none.
        var refusal: Situation? {
            switch self {
            case .success, .noNetwork, .cellularDataOff, .noSIM, .networkFailure, .tlsFailure, .malformedResponse,
                .silence, .redirect, .serverDown, .nameNotResolved:
                nil
            case .addressUnknown: .addressUnknown
            case .addressStale: .addressStale
            case .addressAmbiguous: .addressAmbiguous
            case .subscriberUnsupported: .subscriberUnsupported
            case .carrierUnsupported: .carrierUnsupported
            case .appUnknown: .appUnknown
            case .appSuspended: .appSuspended
            case .appNotAllowed: .appNotAllowed
            case .capabilityMissing: .capabilityMissing
            case .bundleMismatch: .bundleMismatch
            case .appKeyWrong: .appKeyWrong
            case .assuranceTooLow: .assuranceTooLow
            case .tooManyUnusedTokens: .tooManyUnusedTokens
            case .tooManyRequests: .tooManyRequests
            case .scripInvalid: .scripInvalid
            case .scripExpired: .scripExpired
            case .scripReused: .scripReused
            case .subscriptionMismatch: .subscriptionMismatch
            case .subscriptionChanged: .subscriptionChanged
            case .consentInvalid: .consentInvalid
            case .storeUnavailable: .storeUnavailable
            case .overloaded: .overloaded
            case .internalError: .internalError
            }
        }
    }
}

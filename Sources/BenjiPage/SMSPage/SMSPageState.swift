/// The state of a page that asks for a number and for the code that was sent to it.
public struct SMSPageState: Hashable, Sendable {
    /// Whether the tick is set.
    public var isTicked = false
    /// Whether a finger is on the login button.
    public var isLoginPressed = false
    /// Whether a code is being asked for.
    public var isSending = false
    /// Whether a code is out.
    public var isCodeSent = false
    /// How many digits it has.
    public var digits = 6
    /// Seconds until another code may be asked for; zero when that is now.
    public var secondsToWait = 0
    /// The message below the fields.
    public var message: SMSPageMessage?
    /// Whether the token is on its way.
    public var isLoading = false

    /// A page that has just appeared.
    public init() {}

    /// The state that the shared parts of a page of one tap use.
    var page: PageState {
        var state = PageState(ticked: isTicked)
        state.isLoginPressed = isLoginPressed
        state.isLoading = isLoading
        return state
    }
}

/// Why a server gave no code or no token, for the person. The person is not shown other reasons.
public enum SMSPageRefusal: Hashable, Sendable {
    /// The number is not one.
    case numberMalformed
    /// No code logs in to this number.
    case numberNotServed
    case codeWrong
    /// The code's time is over, it was used, or a newer one took its place.
    case codeExpired
    /// Too many wrong codes were shown.
    case triesExceeded
    /// The number got as many codes as the limits allow.
    case tooManyCodes
    case tooManyRequests
    /// No provider accepted the message.
    case notSent
    /// The server could not be reached, or did not answer.
    case noConnection
    /// The server cannot answer just now.
    case unavailable

    /// Whether another code is needed after it.
    var endsCode: Bool {
        switch self {
        case .numberNotServed, .codeExpired, .triesExceeded: true
        default: false
        }
    }
}

/// The message below the fields.
public enum SMSPageMessage: Hashable, Sendable {
    case codeSent
    case tickMissing
    case numberMissing
    /// No code was asked for yet.
    case codeNotSent
    /// Fewer digits than the code has.
    case codeMissing(digits: Int)
    /// The code is wrong; with how often the person may try again, where that is known.
    case codeWrong(triesLeft: Int?)
    case refused(SMSPageRefusal)

    /// Whether something is wrong.
    public var isProblem: Bool { self != .codeSent }

    /// - Parameter page: says in its own words that the tick is missing.
    func text(on page: PageDescription, in language: Language) -> String {
        switch self {
        case .tickMissing: page.terms.hint.text[language]
        case .codeSent: SMSPageStrings.codeSent[language]
        case .numberMissing, .refused(.numberMalformed): SMSPageStrings.numberMissing[language]
        case .codeNotSent: SMSPageStrings.codeNotSent[language]
        case .codeMissing(let digits): SMSPageStrings.codeMissing(digits)[language]
        case .codeWrong(let left): SMSPageStrings.codeWrong(left)[language]
        case .refused(let refusal): SMSPageStrings.refused(refusal)[language]
        }
    }
}

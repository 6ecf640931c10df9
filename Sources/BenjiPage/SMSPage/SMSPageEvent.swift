/// An event of a page of a login by SMS, for an ``SMSPageFlow``.
public enum SMSPageEvent: Hashable, Sendable {
    /// The page is before the person for the first time, or again.
    case appeared

    // The person's actions.
    /// The text now in the field of the number.
    case numberTyped(String)
    /// The text now in the field of the code.
    case codeTyped(String)
    case sendTapped
    case tickTapped
    /// A finger was put on the login button, or taken off.
    case loginPressed(Bool)
    case loginTapped
    case switchTapped
    case backTapped
    /// A link of the terms, by its place among ``TextBlock/links``.
    case linkTapped(Int)

    // The server's answers to ``SMSPageAction/sendCode(to:)`` and ``SMSPageAction/logIn(digits:times:)``.
    /// A code is out.
    ///
    /// - Parameters:
    ///   - digits: how many it has.
    ///   - tries: how many wrong ones are forgiven, where the server says it.
    case codeSent(digits: Int, tries: Int?)
    case refused(SMSPageRefusal)

    // The device's events.
    /// Turned, light or dark, larger text, another language.
    case screenChanged(PageScreen)
    /// A second is over.
    case secondPassed
    /// The page has left the screen, for any reason.
    case gone
}

/// A renderer's next step, from an ``SMSPageFlow``. In the order given.
public enum SMSPageAction: Hashable, Sendable {
    /// Draw these boxes.
    case draw(PageScene)
    /// Put this into the field of the code.
    case showCode(String)
    /// Let the person go on typing there.
    case focus(PageRole)
    /// Say this to people who do not see the page.
    case announce(String)
    /// Move the terms to and fro once.
    case shakeTerms(PageDescription.Terms.Shake)
    /// In a second, ``SMSPageEvent/secondPassed``.
    case endSecondLater
    /// Show the text of terms.
    case openTerms(PageTermsLink)
    /// Have a code sent.
    case sendCode(to: String)
    /// Log in by the code that was sent last: the person has ticked, then tapped.
    case logIn(digits: String, times: PageTimes)
    /// The person has decided: notify the page's opener.
    case decide(SMSPageDecision)
    /// Take the page down.
    case close
}

/// How a person leaves a page of a login by SMS without a token.
public enum SMSPageDecision: Hashable, Sendable {
    /// - Parameter after: what the page said last, if it was a refusal: then the person has not just changed their
    ///   mind.
    case cancelled(after: SMSPageRefusal?)
    /// The page breaks a rule on this screen, so no consent on it would count.
    case refused(PageRefusal)
    /// The person wants to log in another way.
    case switchAccount
}

#if canImport(UIKit)
public import BenjiPage

/// The requests of a page of a login by SMS to its host. Everything is called on the main actor, and let go of when the
/// page has left the screen.
@MainActor public struct SMSPageCallbacks {
    /// Have a code sent; answer with ``SMSPageViewController/codeSent(digits:tries:)`` or
    /// ``SMSPageViewController/refused(_:)``.
    public var sendCode: (@MainActor (_ number: String) -> Void)?
    /// Log in by the code that was sent last; close the page, or answer with ``SMSPageViewController/refused(_:)``.
    public var logIn: (@MainActor (_ digits: String, PageTimes) -> Void)?
    /// The person left the page without a token.
    public var decided: (@MainActor (SMSPageDecision) -> Void)?

    public init() {}
}
#endif

/// An event of an open page, for a ``PageFlow``.
public enum PageEvent: Hashable, Sendable {
    /// The page is before the person for the first time, or again.
    case appeared

    // The person's actions.
    case tickTapped
    /// A finger was put on the login button, or taken off.
    case loginPressed(Bool)
    case loginTapped
    case switchTapped
    case backTapped
    /// The button of a popup.
    case closeTapped
    /// A tap beside the panel of a popup.
    case outsideTapped
    /// A link of the terms, by its place among ``TextBlock/links``.
    case linkTapped(Int)
    case dialogAgreed
    case dialogDisagreed
    /// A tap beside the consent dialog.
    case dialogOutsideTapped

    // The app's answers and actions.
    /// The answer to ``PageAction/askLogin``: go on, or the app does something else.
    case loginAnswered(Bool)
    /// The answer to ``PageAction/askHint``: show the hint, or the app says it itself.
    case hintAnswered(Bool)
    /// The app sets or clears the tick. It answers for that itself: the person has not agreed by it.
    case tickSet(Bool)
    /// The app switches the login button on or off.
    case loginEnabled(Bool)
    /// The app gives the login button another text.
    case loginTitled(StyledText)
    /// The app's request has ended and the page may be used again.
    case loadingStopped

    // The device's events.
    /// Turned, light or dark, larger text, another language.
    case screenChanged(PageScreen)
    /// The hint was to be seen long enough.
    case hintEnded
    /// The page has left the screen, for any reason.
    case gone
}

/// What happens to an open page: to be given to a ``PageFlow``.
public enum PageEvent: Hashable, Sendable {
    /// The page is before the person for the first time, or again.
    case appeared

    // What the person does.
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

    // What the app answers and does.
    /// The answer to ``PageAction/askLogin``: go on, or the app does something else.
    case loginAnswered(Bool)
    /// The answer to ``PageAction/askHint``: show the hint, or the app says it itself.
    case hintAnswered(Bool)
    /// The app sets or clears the tick. It answers for that itself: nobody has agreed by it.
    case tickSet(Bool)
    /// The app switches the login button on or off.
    case loginEnabled(Bool)
    /// The app gives the login button another text.
    case loginTitled(StyledText)
    /// The app's request has ended and the page may be used again.
    case loadingStopped

    // What the device does.
    /// Turned, light or dark, larger text, another language.
    case screenChanged(PageScreen)
    /// The hint was to be seen long enough.
    case hintEnded
    /// The page has left the screen, whoever took it away.
    case gone
}

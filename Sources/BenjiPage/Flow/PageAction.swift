/// A renderer's next step, from a ``PageFlow``. In the order given.
public enum PageAction: Hashable, Sendable {
    /// Draw these boxes.
    case draw(PageScene)
    /// Ask the app whether it does something of its own in place of logging in, and answer with
    /// ``PageEvent/loginAnswered(_:)``.
    case askLogin
    /// Ask the app whether it shows the hint itself, and answer with ``PageEvent/hintAnswered(_:)``.
    case askHint
    /// Say this to people who do not see the page.
    case announce(String)
    /// Move the terms to and fro once.
    case shakeTerms(PageDescription.Terms.Shake)
    /// In two seconds, ``PageEvent/hintEnded``.
    case endHintLater
    /// Show the text of terms, unless the app wants to do that.
    case openTerms(PageTermsLink)
    /// Tell the app.
    case report(PageReport)
    /// The person has decided: notify the page's opener.
    case decide(PageDecision)
    /// Take the page down.
    case close
}

/// A report that an app may want; nothing depends on it.
public enum PageReport: Hashable, Sendable {
    /// The login button was tapped, with or without the tick.
    case loginTapped(isTicked: Bool)
    case tickChanged(Bool)
    /// The login button was tapped without the tick.
    case tickMissing
    case switchTapped
    case backTapped
    case closeTapped
    /// A tap beside the panel of a popup, whether it closes the page or not.
    case outsideTapped
    case dialogShown
    /// Agreed or not.
    case dialogAnswered(Bool)
    case loadingStarted
    case loadingStopped
    /// Rules that the page breaks as it now stands on the screen.
    case findings([PageFinding])
}

/// Terms that somebody wants to read.
public struct PageTermsLink: Hashable, Sendable {
    /// The tapped title.
    public var title: String
    /// Where it leads.
    public var url: String
    /// Its place among the app's own terms as the description lists them; `nil` for the carrier's.
    public var item: Int?
}

/// When a person saw, ticked and tapped: milliseconds since 1970, never going back.
public struct PageTimes: Hashable, Sendable {
    public var shown: Int64
    public var ticked: Int64
    public var tapped: Int64

    public init(shown: Int64, ticked: Int64, tapped: Int64) {
        self.shown = shown
        self.ticked = ticked
        self.tapped = tapped
    }
}

/// The result of a page.
public enum PageDecision: Hashable, Sendable {
    /// The person ticked, then tapped the login button. The page stays and shows that it waits.
    case consented(PageTimes)
    /// The person left the page.
    case cancelled
    /// The person wants to log in another way. The page stays.
    case switchAccount
    /// The page breaks rules without which there is no consent.
    case refused(PageRefusal)
}

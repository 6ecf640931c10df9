#if canImport(UIKit)
public import BenjiPage
public import UIKit

/// An app's callbacks of a page, and the questions that it may answer. All of it is optional.
///
/// The names in parentheses are those of the vendors' view models. Everything is called on the main actor, once for
/// each time that it happens. The page lets go of all of it when it has left the screen, so that what the closures hold
/// is freed.
@MainActor public struct PageCallbacks {
    /// The page came, went, or is about to (`viewLifeCycleBlock`); with whether that is animated.
    public var lifeCycle: (@MainActor (PageLifeCycle, _ animated: Bool) -> Void)?
    /// Where the app may add views of its own (`customUIHandler`): below the navigation bar, or the panel of a popup.
    /// Called once, when the area has its size. What covers number, terms or login button keeps the page from being
    /// used.
    public var customArea: (@MainActor (UIView) -> Void)?
    /// The device turns (`authVCTransitionBlock`): the new size, who moves, and the area of ``customArea``.
    public var transition: (@MainActor (CGSize, any UIViewControllerTransitionCoordinator, UIView) -> Void)?
    /// The app lays all views out itself (`autolayoutBlock`). Called when the page has its first size and at each new
    /// one, after Benji has put the views in their described places. Later changes of the page leave the frames alone.
    public var layout: (@MainActor (PageViews) -> Void)?

    /// The login button was tapped (`clickAuthButtonBlock`), with or without the tick.
    public var loginTapped: (@MainActor (_ isTicked: Bool) -> Void)?
    /// Asked when the tick is set and the button was tapped (`customAuthActionBlock`): whether to log in. With `false`
    /// the app does something of its own, and the page waits.
    public var shouldLogIn: (@MainActor () -> Bool)?
    /// The person set or cleared the tick (`clickCheckboxBlock`).
    public var tickChanged: (@MainActor (Bool) -> Void)?
    /// The login button was tapped without the tick (`protocolHintBlock`, `hintBlock`): whether Benji shows its hint.
    /// Not called when the page asks by a consent dialog.
    public var tickMissing: (@MainActor () -> Bool)?
    /// The consent dialog is shown.
    public var dialogShown: (@MainActor () -> Void)?
    /// The person agreed in it or did not.
    public var dialogAnswered: (@MainActor (Bool) -> Void)?
    /// The person wants to log in another way (`clickSwitchButtonBlock`).
    public var switchTapped: (@MainActor () -> Void)?
    /// The back button of the navigation bar (`clickBackButtonBlock`).
    public var backTapped: (@MainActor () -> Void)?
    /// The close button of a popup.
    public var closeTapped: (@MainActor () -> Void)?
    /// A tap beside the panel of a popup (`tapAuthBackgroundBlock`), whether it closes the page or not.
    public var outsideTapped: (@MainActor () -> Void)?

    /// Terms were tapped (`carrierTermItemBlock`): with it, the app shows them itself.
    public var termsTapped: (@MainActor (PageTermsLink, UIViewController) -> Void)?
    /// An item's own callback, by its place in the description's terms. It wins over ``termsTapped``.
    public var itemTapped: [Int: @MainActor (PageTermsLink, UIViewController) -> Void] = [:]

    /// The app shows itself that it waits (`loadingViewBlock`), in a view that lies over the whole page. With it Benji
    /// shows nothing of its own.
    public var loadingStarted: (@MainActor (UIView) -> Void)?
    /// The waiting is over (`stopLoadingViewBlock`), with the same view.
    public var loadingStopped: (@MainActor (UIView) -> Void)?

    /// The page breaks rules on this screen; also those that do not keep it from being used. Write it to the log.
    public var findings: (@MainActor ([PageFinding]) -> Void)?
    /// The page's result, for its opener.
    public var decided: (@MainActor (PageDecision) -> Void)?

    public init() {}
}

/// The argument of `viewLifeCycleBlock`; the raw values are the names that the documents use.
public enum PageLifeCycle: String, Hashable, Sendable, CaseIterable {
    case viewDidLoad, viewWillAppear, viewDidAppear, viewWillDisappear, viewDidDisappear
}
#endif

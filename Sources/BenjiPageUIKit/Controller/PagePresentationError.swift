#if canImport(UIKit)
public import BenjiPage

/// Why a page was not shown, for the developer.
public enum PagePresentationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The description, the facts or the screen are not what a page can be made of.
    case invalid(PageError)
    /// The page breaks rules that keep it from being used.
    case refused(PageRefusal)
    /// The controller that should show it is not on screen.
    case hostNotOnScreen
    /// It is in the middle of a change of its own.
    case hostIsBusy
    /// The page should be pushed, and there is nothing to push it onto.
    case noNavigationController
    /// The page is on screen already, or was and is used up.
    case alreadyShown

    public var description: String {
        switch self {
        case .invalid(let error): "the authorization page cannot be laid out: \(error)"
        case .refused(let refusal): refusal.description
        case .hostNotOnScreen: "show the authorization page from a view controller that is on screen"
        case .hostIsBusy:
            "the view controller is being presented or dismissed; show the authorization page when that has ended"
        case .noNavigationController:
            "the page's presentation.style is push, but the view controller has no navigation controller; use modal"
        case .alreadyShown: "this authorization page was shown already; make a new one for each login"
        }
    }
}
#endif

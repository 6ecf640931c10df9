#if canImport(UIKit)
public import Foundation
public import UIKit

// The blocks of GeYan's and OneLogin's documents. Objective-C has the same names from OneTapCTypes. All are called on
// the main thread.

/// Is given the page's area for views of the app's own.
public typealias OLCustomUIHandler = @MainActor (_ customAreaView: UIView) -> Void
/// Is given a view over the whole page, for the app's own sign that the token is on its way.
public typealias OLLoadingViewBlock = @MainActor (_ containerView: UIView) -> Void
/// Is given the same view when that shall end.
public typealias OLStopLoadingViewBlock = @MainActor (_ containerView: UIView) -> Void
/// Is told `viewDidLoad`, `viewWillAppear` and so on, and whether the change is animated.
public typealias OLAuthViewLifeCycleBlock = @MainActor (_ viewLifeCycle: String, _ animated: Bool) -> Void
/// Is called when the login button is tapped.
public typealias OLClickAuthButtonBlock = @MainActor () -> Void
/// Is called when the button that closes the page is tapped.
public typealias OLClickBackButtonBlock = @MainActor () -> Void
/// Is called when the button for another account is tapped.
public typealias OLClickSwitchButtonBlock = @MainActor () -> Void
/// Is told whether the tick is now set.
public typealias OLClickCheckboxBlock = @MainActor (_ isChecked: Bool) -> Void
/// Is called in place of the built-in hint about the missing tick.
public typealias OLNotCheckProtocolHintBlock = @MainActor () -> Void
/// Answers whether the built-in hint about the missing tick shall be shown.
public typealias OLProtocolHintBlock = @MainActor () -> Bool
/// Is called when somebody taps beside a popup.
public typealias OLTapAuthBackgroundBlock = @MainActor () -> Void
/// Is called when the page turns: with the new size, what runs along with the turning, and the area for the app's
/// views.
public typealias OLAuthVCTransitionBlock =
    @MainActor (
        _ size: CGSize, _ coordinator: any UIViewControllerTransitionCoordinator, _ customAreaView: UIView
    ) -> Void
#endif

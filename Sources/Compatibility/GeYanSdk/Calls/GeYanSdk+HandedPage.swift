#if canImport(UIKit)
import Foundation
import OneTapPage
import OneTapPageTypes
import OneTapShell
public import UIKit

extension GeYanSdk {
    /// Shows a page of the app's own over `controller`, and after the person's yes gets a token (release 3.0).
    ///
    /// Show on it the texts of ``GyContentModel/currentModel()``. At the tap the views are read as they are on the
    /// screen. If one is hidden, transparent, covered, cut off, too small or has another text, the call ends with the
    /// error code -20304. Its `msg` names the view. A tap without the tick ends it with -20305. The page stays; the app
    /// takes it down with ``closeAuthVC(_:completion:)``.
    ///
    /// - Parameters:
    ///   - model: status bar, style, life cycle and ``GyAuthViewModel/shouldLogInBlock``; the views are the app's.
    ///   - contentView: fills the page.
    ///   - subViewList: five views in `contentView`, in this order: number, slogan, login button, tick, terms. Labels,
    ///     text views or buttons; button and tick are controls, and the tick is `isSelected` when it is set.
    ///   - loginBlock: gets `token` and `processID`, to be handed to the app's own server, or `code` and `errorCode` as
    ///     release 3.0 numbers them.
    #if canImport(ObjectiveC)
    @objc(oneTapLogin:viewModel:contentView:subViewList:loginBlock:)
    #endif
    public static func oneTapLogin(
        _ controller: UIViewController?, viewModel model: GyAuthViewModel?, contentView: UIView?, subViewList: [Any]?,
        loginBlock: GyVerifyCallback?
    ) {
        shell.logIn(
            over: controller, model ?? GyAuthViewModel(), contentView: contentView, subviews: subViewList,
            warn: { print(logMarker, $0) }, deliver: delivery(shell, as: .three, loginBlock))
    }
}
#endif

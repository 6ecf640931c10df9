#if canImport(UIKit)
import Foundation
import OneTapPage
import OneTapPageTypes
import OneTapShell
public import UIKit

extension GeYanSdk {
    /// Shows the page over `controller`, and after the person's yes gets a token.
    ///
    /// The page closes by itself only when the person leaves it. After everything else the app calls
    /// ``closeAuthVC(_:completion:)``.
    ///
    /// - Parameters:
    ///   - model: how the page looks; as documented without one.
    ///   - callback: gets `token` and `processID`, to be handed to the app's own server, or `code` and `errorCode`.
    #if canImport(ObjectiveC)
    @objc(oneTapLogin:withViewModel:andCallback:)
    #endif
    public static func oneTapLogin(
        _ controller: UIViewController?, with model: GyAuthViewModel?, andCallback callback: GyVerifyCallback?
    ) {
        logIn(over: controller, model, shell, callback)
    }

    static func logIn(
        over controller: UIViewController?, _ model: GyAuthViewModel?, _ shell: OneTapShell,
        _ callback: GyVerifyCallback?
    ) {
        shell.logIn(
            over: controller, model ?? GyAuthViewModel(), watch: { PageWatch() }, warn: { print(logMarker, $0) },
            deliver: delivery(shell, callback))
    }

    // MARK: the page

    /// Closes the page, if there is one.
    #if canImport(ObjectiveC)
    @objc(closeAuthVC:completion:)
    #endif
    public static func closeAuthVC(_ animated: Bool, completion: (@MainActor () -> Void)?) {
        shell.closePage(animated: animated, completion: completion)
    }

    /// Closes the page with an animation, if there is one.
    #if canImport(ObjectiveC)
    @objc(closeAuthVC:)
    #endif
    public static func closeAuthVC(_ completion: (@MainActor () -> Void)?) {
        shell.closePage(animated: true, completion: completion)
    }

    /// Closes the page with an animation, as the document's samples call it.
    #if canImport(ObjectiveC)
    @objc
    #endif
    public static func closeAuthVC() { shell.closePage(animated: true, completion: nil) }
}
#endif

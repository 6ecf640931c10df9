#if canImport(UIKit)
import Foundation
import OneTapPage
import OneTapPageTypes
import OneTapShell
public import UIKit

extension GyOneLoginPro {
    /// Shows the page over `viewController`, as soon as a prefetch is there, and after the person's yes gets a token.
    ///
    /// The page closes by itself only when the person leaves it. After everything else the app calls
    /// ``dismissAuthViewController()``.
    #if canImport(ObjectiveC)
    @objc(requestTokenWithViewController:viewModel:completion:)
    #endif
    public static func requestToken(
        with viewController: UIViewController?, viewModel: GyAuthViewModel?,
        completion: (@MainActor ([AnyHashable: Any]?) -> Void)?
    ) {
        GeYanSdk.logIn(over: viewController, viewModel, keptShell) { completion?($0) }
    }

    /// Closes the page, if there is one.
    #if canImport(ObjectiveC)
    @objc(dismissAuthViewController:completion:)
    #endif
    public static func dismissAuthViewController(_ animated: Bool, completion: (@MainActor () -> Void)?) {
        shell.closePage(animated: animated, completion: completion)
    }

    /// Closes the page with an animation, if there is one.
    #if canImport(ObjectiveC)
    @objc(dismissAuthViewController:)
    #endif
    public static func dismissAuthViewController(_ completion: (@MainActor () -> Void)?) {
        shell.closePage(animated: true, completion: completion)
    }

    /// Closes the page with an animation, as the document's table names it.
    #if canImport(ObjectiveC)
    @objc
    #endif
    public static func dismissAuthViewController() { shell.closePage(animated: true, completion: nil) }

    /// The view model of the page that is shown. On the main thread.
    #if canImport(ObjectiveC)
    @objc
    #endif
    @MainActor
    public static func currentAuthViewModel() -> GyAuthViewModel? { shell.pageModel as? GyAuthViewModel }
}
#endif

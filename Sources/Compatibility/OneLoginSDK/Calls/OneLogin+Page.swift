#if canImport(UIKit)
import BenjiPage
import Foundation
import OneTapPage
import OneTapPageTypes
import OneTapShell
public import UIKit

extension OneLogin {
    /// Shows the page over `viewController`, and after the person's yes gets a token.
    ///
    /// The page closes by itself only when the person leaves it. After everything else the app calls
    /// ``dismissAuthViewController()``.
    ///
    /// - Parameters:
    ///   - viewModel: how the page looks; as documented without one.
    ///   - completion: gets `token` and `processID`, to be handed to the app's own server, or `errorCode`.
    #if canImport(ObjectiveC)
    @objc(requestTokenWithViewController:viewModel:completion:)
    #endif
    public class func requestToken(
        with viewController: UIViewController?, viewModel: OLAuthViewModel?,
        completion: (@MainActor ([AnyHashable: Any]?) -> Void)?
    ) {
        let shell = shell
        shell.logIn(
            over: viewController, viewModel ?? OLAuthViewModel(),
            watch: {
                PageWatch(
                    left: { delegate(shell)?.tellDismissed() }, switched: { delegate(shell)?.tellSwitched() })
            }, warn: { print(logMarker, $0) }, deliver: delivery(completion))
    }

    private static func delegate(_ shell: OneTapShell) -> (any OneLoginDelegate)? {
        shell.delegate as? any OneLoginDelegate
    }

    // MARK: the page

    /// Closes the page, if there is one.
    #if canImport(ObjectiveC)
    @objc(dismissAuthViewController:completion:)
    #endif
    public class func dismissAuthViewController(_ animated: Bool, completion: (@MainActor () -> Void)?) {
        shell.closePage(animated: animated, completion: completion)
    }

    /// Closes the page with an animation, if there is one.
    #if canImport(ObjectiveC)
    @objc(dismissAuthViewController:)
    #endif
    public class func dismissAuthViewController(_ completion: (@MainActor () -> Void)?) {
        shell.closePage(animated: true, completion: completion)
    }

    /// Closes the page with an animation, as the document's samples call it.
    #if canImport(ObjectiveC)
    @objc
    #endif
    public class func dismissAuthViewController() { shell.closePage(animated: true, completion: nil) }

    /// Ends the sign that the token is on its way.
    #if canImport(ObjectiveC)
    @objc
    #endif
    public class func stopLoading() { shell.stopLoading() }

    /// Lets the login button be tapped.
    #if canImport(ObjectiveC)
    @objc
    #endif
    public class func enableAuthButton() { shell.setLoginEnabled(true) }

    /// Keeps the login button from being tapped.
    #if canImport(ObjectiveC)
    @objc
    #endif
    public class func disableAuthButton() { shell.setLoginEnabled(false) }

    /// Gives the login button another text, in the font and colour of the one before unless it has its own.
    #if canImport(ObjectiveC)
    @objc
    #endif
    public class func updateAuthButtonTitle(_ authButtonTitle: NSAttributedString?) {
        shell.updateLoginTitle(authButtonTitle)
    }

    /// Goes on after ``OLAuthViewModel/customAuthActionBlock`` has stopped the login.
    #if canImport(ObjectiveC)
    @objc
    #endif
    public class func startRequestToken() { shell.goOnWithLogin() }

    /// Whether the tick is set; NO without a page. On the main thread.
    #if canImport(ObjectiveC)
    @objc
    #endif
    @MainActor
    public class func isProtocolCheckboxChecked() -> Bool { shell.isTicked }

    /// The page, if there is one. On the main thread.
    #if canImport(ObjectiveC)
    @objc
    #endif
    @MainActor
    public class func currentAuthViewController() -> UIViewController? { shell.pageController }

    /// The view model of the page that is shown. On the main thread.
    #if canImport(ObjectiveC)
    @objc
    #endif
    @MainActor
    public class func currentAuthViewModel() -> OLAuthViewModel? { shell.pageModel as? OLAuthViewModel }
}

extension OneLoginDelegate {
    // In Objective-C both are optional.
    #if canImport(ObjectiveC)
    fileprivate func tellDismissed() { userDidDismissAuthViewController?() }
    fileprivate func tellSwitched() { userDidSwitchAccount?() }
    #else
    fileprivate func tellDismissed() { userDidDismissAuthViewController() }
    fileprivate func tellSwitched() { userDidSwitchAccount() }
    #endif
}
#endif

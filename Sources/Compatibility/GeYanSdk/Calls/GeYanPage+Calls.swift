#if canImport(UIKit)
public import Foundation
import OneTapPage
import OneTapShell
public import UIKit

extension GeYanPage {
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
}
#endif

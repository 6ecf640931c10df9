#if canImport(UIKit)
package import Foundation
package import OneTapPageTypes
package import UIKit

/// A facade's page, drawn by the SDK or the app: the page that the facade's calls are about.
@MainActor package protocol ShownPage: AnyObject {
    /// The view model of the page.
    var model: OneTapViewModel { get }
    /// The controller of the page, while it is on the screen.
    var pageController: UIViewController? { get }
    /// Whether the tick is set.
    var isTicked: Bool { get }
    /// Takes the page down, and calls back in any case.
    func close(animated: Bool, completion: @escaping @MainActor () -> Void)
    /// Ends the sign that the token is on its way.
    func stopLoading()
    /// Whether the login button may be tapped.
    func setLoginEnabled(_ isEnabled: Bool)
    /// Gives the login button another text.
    func setLoginTitle(_ title: NSAttributedString)
    /// The login button's action in place of the person's finger, after the app did something of its own.
    func logIn()
}
#endif

#if canImport(UIKit)
import BenjiPage
import BenjiPageUIKit
package import Foundation
import OneTapPageTypes
package import UIKit

extension VendorPresenter: ShownPage {
    package var pageController: UIViewController? { controller }

    package var isTicked: Bool { controller?.isTicked ?? false }

    package func close(animated: Bool, completion: @escaping @MainActor () -> Void) {
        guard let controller else { return completion() }
        controller.close(animated: animated, completion: completion)
    }

    package func stopLoading() { controller?.stopLoading() }

    package func setLoginEnabled(_ isEnabled: Bool) { controller?.setLoginEnabled(isEnabled) }

    /// What the text leaves out of font and colour stays.
    package func setLoginTitle(_ title: NSAttributedString) {
        guard let styled = StyledText(title, else: model.vendor.page.loginButton.title) else { return }
        controller?.setLoginTitle(styled)
    }
}
#endif

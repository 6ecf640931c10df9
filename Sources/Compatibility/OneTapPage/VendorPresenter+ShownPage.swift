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

    /// Font and colour that the text leaves out stay.
    package func setLoginTitle(_ title: NSAttributedString) {
        // Under a name of its own: the page has measured with the font before.
        titleCount += 1
        let name = "updatedAuthButtonTitle.\(titleCount)"
        guard let styled = StyledText(title, named: name, else: model.vendor.page.loginButton.title) else { return }
        laterFonts.fonts[name] = title.firstFont
        controller?.setLoginTitle(styled)
    }
}
#endif

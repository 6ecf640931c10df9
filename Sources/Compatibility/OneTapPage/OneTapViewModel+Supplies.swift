#if canImport(UIKit)
package import BenjiPageUIKit
import Foundation
package import OneTapPageTypes
import UIKit

extension OneTapViewModel {
    /// The objects behind the page's names: the app's own, and the images of the resource bundle.
    @MainActor package var supplies: PageSupplies {
        let (images, vendorImage) = (givenImages, vendor.images.named)
        var supplies = PageSupplies()
        supplies.image = { images[$0] ?? vendorImage($0) }
        let fonts = givenFonts
        supplies.font = { fonts[$0] }
        supplies.view = { [naviRightControl, popupMaskView] in
            ["naviRightControl": naviRightControl, "popupMaskView": popupMaskView][$0] ?? nil
        }
        let animations = [
            "popupTransitionAnimation": popupTransitionAnimation,
            "modalPresentationAnimation": modalPresentationAnimation,
            "modalDismissAnimation": modalDismissAnimation,
        ]
        supplies.animation = { animations[$0] ?? nil }
        let files = ["backgroundGifPath": backgroundGifPath, "backgroundVideoPath": backgroundVideoPath]
        supplies.file = { (files[$0] ?? nil).map { URL(fileURLWithPath: $0) } }
        return supplies
    }
}
#endif

#if canImport(UIKit)
import BenjiPage
public import Foundation
public import OneTapCTypes
public import UIKit

// The page that shows the text of terms.
extension OneTapViewModel {
    /// No button that goes back. Default: there is one.
    public final var webBackBtnHidden: Bool {
        get { vendor.page.webPage.back.isHidden }
        set { vendor.page.webPage.back.isHidden = newValue }
    }

    /// The picture of the button that goes back. Default: a black arrow.
    public final var webBackBtnImg: UIImage? {
        get { kept() }
        set { keep(newValue, at: \.page.webPage.back.image) }
    }

    /// Where it stands; at most 40 × 40.
    public final var webBackBtnRect: OLRect {
        get { kept() ?? OLRect() }
        set { keep(newValue, at: \.page.webPage.back.placement) { .init($0) } }
    }

    /// No navigation bar. Default: there is one.
    public final var webNaviHidden: Bool {
        get { vendor.page.webPage.isBarHidden }
        set { vendor.page.webPage.isBarHidden = newValue }
    }

    /// The bar's title. Default: 服务条款, bold, 17 points.
    public final var webNaviTitle: NSAttributedString? {
        get { kept() }
        set { keep(newValue, at: \.page.webPage.title) { .init($0, named: "webNaviTitle") } }
    }

    /// The bar's colour. Default: white.
    public final var webNaviBgColor: UIColor? {
        get { kept() }
        set { keep(newValue, at: \.page.webPage.color) { .init($0) } }
    }
}
#endif

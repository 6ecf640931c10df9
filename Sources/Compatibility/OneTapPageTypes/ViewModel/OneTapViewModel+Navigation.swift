#if canImport(UIKit)
import BenjiPage
public import Foundation
public import OneTapCTypes
public import UIKit

extension OneTapViewModel {
    /// The title in the navigation bar. Default: none.
    public final var naviTitle: NSAttributedString? {
        get { kept() }
        set { keep(newValue, at: \.page.navigationBar.title) { .init($0, named: "naviTitle") } }
    }

    /// The bar's colour. Default: white.
    public final var naviBgColor: UIColor? {
        get { kept() }
        set { keep(newValue, at: \.page.navigationBar.color) { .init($0) } }
    }

    /// The picture of the button that closes the page. Default: an arrow of the resource bundle, black in GeYan's
    /// document, white in OneLogin's.
    public final var naviBackImage: UIImage? {
        get { kept() }
        set { keep(newValue, at: \.page.navigationBar.back.image) }
    }

    /// The app's own view at the right of the bar.
    public final var naviRightControl: UIView? {
        get { kept() }
        set { keep(newValue) }
    }

    /// No bar. Default: there is one.
    public final var naviHidden: Bool {
        get { vendor.page.navigationBar.isHidden }
        set { vendor.page.navigationBar.isHidden = newValue }
    }

    /// Where the button that closes the page stands; at most 40 × 40.
    public final var backButtonRect: OLRect {
        get { kept() ?? OLRect() }
        set { keep(newValue, at: \.page.navigationBar.back.placement) { .init($0) } }
    }

    /// No button that closes the page. Default: there is one.
    public final var backButtonHidden: Bool {
        get { vendor.page.navigationBar.back.isHidden }
        set { vendor.page.navigationBar.back.isHidden = newValue }
    }

    /// Is called when the button that closes the page is tapped.
    public final var clickBackButtonBlock: OLClickBackButtonBlock? {
        get { kept() }
        set { keep(newValue) }
    }
}
#endif

#if canImport(UIKit)
import BenjiPage
import Foundation
public import OneTapCTypes
public import UIKit

// The app's emblem, the masked number and the carrier's line.
extension OneTapViewModel {
    /// The app's emblem. Default: `logo_80x80_` of the resource bundle.
    public final var appLogo: UIImage? {
        get { kept() }
        set { keep(newValue, at: \.page.logo.image) { PageImage("appLogo", $0) } }
    }

    /// Where the emblem stands; as large as its picture unless it says otherwise.
    public final var logoRect: OLRect {
        get { kept() ?? OLRect() }
        set { keep(newValue, at: \.page.logo.placement) { .init($0) } }
    }

    /// No emblem. Default: there is one.
    public final var logoHidden: Bool {
        get { vendor.page.logo.isHidden }
        set { vendor.page.logo.isHidden = newValue }
    }

    /// Points. Default: 0.
    public final var logoCornerRadius: CGFloat {
        get { kept() ?? 0 }
        set { keep(newValue, at: \.page.logo.cornerRadius) { Measure.zeroOrMore(Double($0)) } }
    }

    /// The colour of the masked number. Default: black.
    public final var phoneNumColor: UIColor? {
        get { kept() }
        set { keep(newValue, at: \.page.number.color) { .init($0) } }
    }

    /// The font of the masked number. Default: bold, 24 points.
    public final var phoneNumFont: UIFont? {
        get { kept() }
        set { keep(newValue, at: \.page.number.font) { .init($0, named: "phoneNumFont") } }
    }

    /// Where the masked number stands; as large as its text, as OneLogin's document says.
    public final var phoneNumRect: OLRect {
        get { kept() ?? OLRect() }
        set { keep(newValue, at: \.page.number.placement) { PagePlacement($0).withoutSize } }
    }

    /// Where the carrier's line stands.
    public final var sloganRect: OLRect {
        get { kept() ?? OLRect() }
        set { keep(newValue, at: \.page.slogan.placement) { .init($0) } }
    }

    /// The colour of the carrier's line. Default: grey.
    public final var sloganTextColor: UIColor? {
        get { kept() }
        set { keep(newValue, at: \.page.slogan.color) { .init($0) } }
    }

    /// The font of the carrier's line. Default: 12 points.
    public final var sloganTextFont: UIFont? {
        get { kept() }
        set { keep(newValue, at: \.page.slogan.font) { .init($0, named: "sloganTextFont") } }
    }
}
#endif

#if canImport(UIKit)
import BenjiPage
public import Foundation
public import OneTapCTypes
public import UIKit

extension OneTapViewModel {
    /// A panel over the app instead of the full screen. Default: NO.
    public final var isPopup: Bool {
        get { vendor.isPopup }
        set { vendor.isPopup = newValue }
    }

    /// Where the panel stands. The only horizontal offsets that count are those from the left.
    public final var popupRect: OLRect {
        get { kept() ?? OLRect() }
        set { keep(newValue, at: \.popup.placement) { .init($0) } }
    }

    /// Points. Default: 6.
    public final var popupCornerRadius: CGFloat {
        get { kept() ?? 6 }
        set { keep(newValue, at: \.popup.cornerRadius) { Measure.zeroOrMore(Double($0)) } }
    }

    /// The corners that are rounded, as numbers of `UIRectCorner`; the first four count. Default: all.
    public final var popupRectCorners: [NSNumber]? {
        get { kept() }
        set { keep(newValue, at: \.popup.corners) { PageDescription.Popup.Corner.all($0) } }
    }

    /// How the panel appears. Default: from below.
    public final var popupAnimationStyle: OLAuthPopupAnimationStyle {
        get { kept() ?? .coverVertical }
        set { keep(newValue, at: \.popup.animation) { $0.meaning } }
    }

    /// The app's own animation, for the style `custom`.
    public final var popupTransitionAnimation: CAAnimation? {
        get { kept() }
        set { keep(newValue, at: \.popup.animationSlot) { _ in PageSlot("popupTransitionAnimation") } }
    }

    /// The picture of the button at the top right. Default: `close_icon_11x10_` of the resource bundle.
    public final var closePopupImage: UIImage? {
        get { kept() }
        set { keep(newValue, at: \.popup.close.image) }
    }

    /// Points from the top of the panel.
    public final var closePopupTopOffset: NSNumber? {
        get { kept() }
        set { keep(newValue, at: \.popup.close.top) { Measure.zeroOrMore($0.doubleValue) } }
    }

    /// Points from its right edge.
    public final var closePopupRightOffset: NSNumber? {
        get { kept() }
        set { keep(newValue, at: \.popup.close.right) { Measure.zeroOrMore($0.doubleValue) } }
    }

    /// How large the button is. Default: 11 × 22 in GeYan's document; as large as its picture in OneLogin's.
    public final var closePopupSize: CGSize {
        get { kept() ?? CGSize(width: vendor.popup.close.width ?? 0, height: vendor.popup.close.height ?? 0) }
        set {
            let size = newValue.width > 0 && newValue.height > 0 ? newValue : nil
            keep(size, at: \.popup.close.width) { Measure.aboveZero(Double($0.width), upTo: 200) }
            keep(size, at: \.popup.close.height) { Measure.aboveZero(Double($0.height), upTo: 200) }
        }
    }

    /// Whether a tap beside the panel closes the page. Default: NO.
    public final var canClosePopupFromTapGesture: Bool {
        get { vendor.popup.closesOnOutsideTap }
        set { vendor.popup.closesOnOutsideTap = newValue }
    }

    /// Is called when somebody taps beside the panel.
    public final var tapAuthBackgroundBlock: OLTapAuthBackgroundBlock? {
        get { kept() }
        set { keep(newValue) }
    }

    /// The app's own view over what lies behind the panel. Default: black, half transparent.
    public final var popupMaskView: UIView? {
        get { kept() }
        set { keep(newValue) }
    }
}
#endif

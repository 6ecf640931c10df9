#if canImport(UIKit)
import BenjiPage
public import Foundation
import UIKit

// The hint for a tap on the login button without a tick.
extension OneTapViewModel {
    /// Whether a hint is shown at all. Default: YES.
    public final var showNotCheckProtocolHint: Bool {
        get { vendor.page.terms.hint.isShown }
        set { vendor.page.terms.hint.isShown = newValue }
    }

    /// Its text. Default: 请同意服务条款.
    public final var notCheckProtocolHint: String? {
        get { kept() }
        set { keep(newValue, at: \.page.terms.hint.text) { PageText.localized($0) } }
    }

    /// Points by which it stands below the middle of the page. Default: 0.
    public final var protocolHintOffsetY: CGFloat {
        get { kept() ?? 0 }
        set { keep(newValue, at: \.page.terms.hint.offset) { Measure.any(Double($0)) } }
    }

    /// Is asked before the hint: YES shows the built-in one, NO leaves it to the app.
    public final var protocolHintBlock: OLProtocolHintBlock? {
        get { kept() }
        set { keep(newValue) }
    }

    /// The app's own hint in place of the built-in one.
    public final var hintBlock: OLNotCheckProtocolHintBlock? {
        get { kept() }
        set { keep(newValue) }
    }
}
#endif

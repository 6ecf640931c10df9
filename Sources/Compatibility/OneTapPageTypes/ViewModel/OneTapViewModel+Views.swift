#if canImport(UIKit)
import BenjiPage
import Foundation
import UIKit

// Views that the app makes itself.
extension OneTapViewModel {
    /// Is given the page's area, to add views of the app's own: another way to log in, for example.
    public final var customUIHandler: OLCustomUIHandler? {
        get { kept() }
        set { keep(newValue) }
    }

    /// Is given a view over the whole page after the tap on the login button, to show there that the token is on its
    /// way. With it the built-in sign is not shown.
    public final var loadingViewBlock: OLLoadingViewBlock? {
        get { kept() }
        set {
            keep(newValue, at: \.page.loading.view) { _ in PageSlot("loadingViewBlock") }
        }
    }

    /// Is given the same view when `stopLoading` is called.
    public final var stopLoadingViewBlock: OLStopLoadingViewBlock? {
        get { kept() }
        set { keep(newValue) }
    }
}
#endif

#if canImport(UIKit)
package import BenjiPage
public import Foundation
package import UIKit

/// The common part of `OLAuthViewModel` (OneLogin) and `GyAuthViewModel` (GeYan): nearly everything.
///
/// Each property keeps what the app gave, so that it reads back the same, and writes what it means into one page
/// description. `nil` is the documented default again. Apps use the two subclasses.
#if canImport(ObjectiveC)
@objcMembers
#endif
open class OneTapViewModel: NSObject {
    /// The page that the properties describe.
    package final var vendor: VendorPage
    /// The document's defaults of a page.
    package final let defaults: VendorPage
    private var objects: [String: Any] = [:]
    /// The action of a tap on terms without a block. A subclass sets it, whose block has its own kind of item.
    package final var termTapped: (@MainActor (OneTapTerm, UIViewController) -> Void)?
    /// Whether the app logs in by itself after a tap on the login button (`customAuthActionBlock`).
    package final var appLogsIn: (@MainActor () -> Bool)?

    package init(_ defaults: VendorPage) {
        self.defaults = defaults
        vendor = defaults
        super.init()
    }

    /// The page as the properties and the app's own views say it now.
    @MainActor package final var currentPage: PageDescription {
        var page = vendor.description
        page.terms.items = (additionalPrivacyTerms ?? []).map(\.pageTerm)
        page.navigationBar.right = naviRightControl.map { PageSlot("naviRightControl", $0) }
        page.popup?.maskSlot = popupMaskView.map { PageSlot("popupMaskView", $0) }
        return page
    }

    // MARK: what the properties are made of
    // Generic, so that Objective-C does not see them.

    /// The value that a property was given, or `nil`.
    package final func kept<Value>(_ property: String = #function) -> Value? { objects[property] as? Value }

    /// Keeps the value that a property was given.
    package final func keep<Value>(_ value: Value?, property: String = #function) { objects[property] = value }

    /// Keeps the value that a property was given and writes its meaning; `nil` writes the default.
    package final func keep<Value, Meaning>(
        _ value: Value?, at path: WritableKeyPath<VendorPage, Meaning>, property: String = #function,
        _ meaning: (Value) -> Meaning?
    ) {
        objects[property] = value
        vendor[keyPath: path] = value.flatMap(meaning) ?? defaults[keyPath: path]
    }

    /// Keeps a picture; the page names it after its property.
    package final func keep(
        _ image: UIImage?, at path: WritableKeyPath<VendorPage, PageImage?>, property: String = #function
    ) {
        keep(image, at: path, property: property) { PageImage(property, $0) }
    }

    /// The fonts that the app gave, by the names that the page has for them.
    package final var givenFonts: [String: UIFont] {
        var fonts = objects.compactMapValues { $0 as? UIFont ?? ($0 as? NSAttributedString)?.firstFont }
        fonts["privacyTermsAttributes"] = privacyTermsAttributes?[.font] as? UIFont
        return fonts
    }

    /// The pictures that the app gave, by the names that the page has for them.
    package final var givenImages: [String: UIImage] {
        var images = objects.compactMapValues { $0 as? UIImage }
        for (state, image) in zip(LoginImage.allCases, authButtonImages ?? []) { images[state.rawValue] = image }
        return images
    }
}
#endif

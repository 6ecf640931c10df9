#if canImport(UIKit)
package import BenjiPage
public import Foundation
package import UIKit

/// One of the app's own terms, or the carrier's when it is handed to a block: what `OLPrivacyTermItem` (OneLogin) and
/// `GyAuthPrivacyItem` (GeYan) have in common. Apps make those.
#if canImport(ObjectiveC)
@objcMembers
#endif
open class OneTapTerm: NSObject {
    /// The text that is shown and tapped.
    public final var termTitle: String
    /// Where it leads. `https`; an `http` address is opened by `https`.
    public final var termLink: URL?
    /// Its place among the terms, in rising order; the carrier's terms have 0 and come first of all that have 0.
    public final var index: Int
    /// The action of a tap instead of opening the address; receives the terms themselves.
    package final var tapped: (@MainActor (OneTapTerm, UIViewController) -> Void)?

    /// Terms with the index 0.
    public convenience init(title: String, linkURL: URL?) { self.init(title: title, linkURL: linkURL, index: 0) }

    /// - Parameter index: its place among the terms.
    public init(title: String, linkURL: URL?, index: Int) {
        termTitle = title
        termLink = linkURL
        self.index = index
        super.init()
    }

    package final var pageTerm: PageTerm {
        PageTerm(title: termTitle, address: termLink?.absoluteString ?? "", index: index)
    }
}
#endif

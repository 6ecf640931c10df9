#if canImport(UIKit)
public import Foundation
public import OneTapPageTypes
public import UIKit

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// Is given terms that were tapped, and the page.
public typealias OLViewPrivacyTermItemBlock =
    @MainActor (_ item: OLPrivacyTermItem, _ controller: UIViewController) -> Void

/// Terms of the app's own (OneLogin).
#if canImport(ObjectiveC)
@objc(OLPrivacyTermItem)
@objcMembers
#endif
public final class OLPrivacyTermItem: OneTapTerm {
    /// - Parameter block: is called instead of opening the address.
    public convenience init(title: String, linkURL: URL?, index: Int, block: OLViewPrivacyTermItemBlock?) {
        self.init(title: title, linkURL: linkURL, index: index)
        guard let block else { return }
        tapped = { item, controller in if let item = item as? OLPrivacyTermItem { block(item, controller) } }
    }

    /// - Parameter urlRequest: its address counts.
    public convenience init(title: String, urlRequest: URLRequest?, index: Int, block: OLViewPrivacyTermItemBlock?) {
        self.init(title: title, linkURL: urlRequest?.url, index: index, block: block)
    }
}
#endif

#if canImport(UIKit)
public import Foundation
public import OneTapPageTypes
public import UIKit

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// Is given terms that were tapped, and the page.
public typealias OLPrivacyTermItemBlock = @MainActor (_ item: GyAuthPrivacyItem, _ controller: UIViewController) -> Void

/// Terms of the app's own (GeYan).
#if canImport(ObjectiveC)
@objc(GyAuthPrivacyItem)
@objcMembers
#endif
public final class GyAuthPrivacyItem: OneTapTerm {
    /// - Parameter block: is called instead of opening the address.
    public convenience init(title: String, linkURL: URL?, index: Int, block: OLPrivacyTermItemBlock?) {
        self.init(title: title, linkURL: linkURL, index: index)
        guard let block else { return }
        tapped = { item, controller in if let item = item as? GyAuthPrivacyItem { block(item, controller) } }
    }

    /// - Parameter urlRequest: its address counts.
    public convenience init(title: String, urlRequest: URLRequest?, index: Int, block: OLPrivacyTermItemBlock?) {
        self.init(title: title, linkURL: urlRequest?.url, index: index, block: block)
    }

    /// The shown text.
    public func text() -> String { termTitle }

    /// Where it leads.
    public func url() -> URL? { termLink }
}
#endif

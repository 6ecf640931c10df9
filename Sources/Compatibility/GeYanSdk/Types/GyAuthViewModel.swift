#if canImport(UIKit)
public import OneTapPageTypes
import UIKit

/// How the page looks (document 002). What is not set is as the document says.
#if canImport(ObjectiveC)
@objc(GyAuthViewModel)
@objcMembers
#endif
public final class GyAuthViewModel: OneTapViewModel {
    public init() { super.init(.geYan) }

    /// Is called when terms are tapped that have no block of their own.
    public var carrierTermItemBlock: OLPrivacyTermItemBlock? {
        didSet {
            guard let block = carrierTermItemBlock else {
                termTapped = nil
                return
            }
            termTapped = { term, controller in
                let item = GyAuthPrivacyItem(title: term.termTitle, linkURL: term.termLink, index: term.index)
                block(term as? GyAuthPrivacyItem ?? item, controller)
            }
        }
    }
}
#endif

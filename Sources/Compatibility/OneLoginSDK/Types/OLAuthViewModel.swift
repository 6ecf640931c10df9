#if canImport(UIKit)
public import OneTapPageTypes
import UIKit

/// Answers whether the app does something of its own after the tap on the login button; `startRequestToken` goes on.
public typealias OLCustomAuthActionBlock = @MainActor () -> Bool

/// The look of the page (OneLogin). A property that is not set has the document's default.
#if canImport(ObjectiveC)
@objc(OLAuthViewModel)
@objcMembers
#endif
public final class OLAuthViewModel: OneTapViewModel {
    public init() { super.init(.oneLogin) }

    /// Is called when terms are tapped that have no block of their own.
    public var carrierTermItemBlock: OLViewPrivacyTermItemBlock? {
        didSet {
            guard let block = carrierTermItemBlock else {
                termTapped = nil
                return
            }
            termTapped = { term, controller in
                let item = OLPrivacyTermItem(title: term.termTitle, linkURL: term.termLink, index: term.index)
                block(term as? OLPrivacyTermItem ?? item, controller)
            }
        }
    }

    /// Is asked when the login button is tapped with the tick: YES stops the login until `startRequestToken`.
    public var customAuthActionBlock: OLCustomAuthActionBlock? {
        didSet { appLogsIn = customAuthActionBlock }
    }
}
#endif

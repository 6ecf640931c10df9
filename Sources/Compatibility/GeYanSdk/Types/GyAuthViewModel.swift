#if canImport(UIKit)
public import OneTapPageTypes
import UIKit

/// Answers whether to go on with the login.
public typealias GyBoolBlock = @MainActor () -> Bool

/// The look of the page (GeYan). A property that is not set has the document's default.
#if canImport(ObjectiveC)
@objc(GyAuthViewModel)
@objcMembers
#endif
public final class GyAuthViewModel: OneTapViewModel {
    public init() { super.init(.geYan) }

    /// Is asked when the login button is tapped: NO ends the tap, and the person may tap again. It is what release 3.0
    /// made of ``clickAuthButtonBlock``, which answers nothing in GeYan's document. Where the SDK draws the page it is
    /// asked with the tick only.
    public var shouldLogInBlock: GyBoolBlock? {
        didSet {
            guard let block = shouldLogInBlock else {
                appLogsIn = nil
                return
            }
            appLogsIn = { !block() }
        }
    }

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

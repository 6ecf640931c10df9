#if canImport(UIKit)
import BenjiPage
package import BenjiPageUIKit
import Foundation
package import OneTapPageTypes
import UIKit

/// A facade's own callbacks of its page, after the app's blocks.
@MainActor package struct PageWatch {
    /// The person left the page.
    package var left: (@MainActor () -> Void)?
    /// The person wants another account.
    package var switched: (@MainActor () -> Void)?

    package init(left: (@MainActor () -> Void)? = nil, switched: (@MainActor () -> Void)? = nil) {
        self.left = left
        self.switched = switched
    }
}

extension OneTapViewModel {
    /// The app's blocks where the page calls them.
    @MainActor package func callbacks(_ watch: PageWatch) -> PageCallbacks {
        var page = PageCallbacks()
        if let block = viewLifeCycleBlock { page.lifeCycle = { block($0.rawValue, $1) } }
        page.customArea = customUIHandler
        page.transition = authVCTransitionBlock
        if let block = clickAuthButtonBlock { page.loginTapped = { _ in block() } }
        page.tickChanged = clickCheckboxBlock
        page.tickMissing = { [hintBlock, protocolHintBlock] in
            guard let hintBlock else { return protocolHintBlock?() ?? true }
            hintBlock()
            return false
        }
        page.switchTapped = { [clickSwitchButtonBlock] in
            clickSwitchButtonBlock?()
            watch.switched?()
        }
        page.backTapped = { [clickBackButtonBlock] in
            clickBackButtonBlock?()
            watch.left?()
        }
        page.closeTapped = watch.left
        page.outsideTapped = { [tapAuthBackgroundBlock, canClosePopupFromTapGesture] in
            tapAuthBackgroundBlock?()
            if canClosePopupFromTapGesture { watch.left?() }
        }
        page.loadingStarted = loadingViewBlock
        page.loadingStopped = stopLoadingViewBlock
        let terms = additionalPrivacyTerms ?? []
        if let tapped = termTapped {
            page.termsTapped = { link, controller in
                let given = link.item.map { terms[$0] }
                tapped(given ?? OneTapTerm(title: link.title, linkURL: URL(string: link.url)), controller)
            }
        }
        for (index, term) in terms.enumerated() {
            guard let tapped = term.tapped else { continue }
            page.itemTapped[index] = { _, controller in tapped(term, controller) }
        }
        return page
    }
}
#endif

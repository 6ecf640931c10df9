#if canImport(UIKit)
import BenjiPage
public import Foundation
public import OneTapCTypes
public import UIKit

extension OneTapViewModel {
    // MARK: tick

    /// Whether the tick is set from the beginning. Default: YES, as in GeYan's and OneLogin's documents. Today's rules
    /// and the law require NO, so the log warns of a page that is shown this way.
    public final var defaultCheckBoxState: Bool {
        get { vendor.page.terms.tick.isInitiallySet }
        set { vendor.page.terms.tick.isInitiallySet = newValue }
    }

    /// The picture of the tick when set. Default: `check_12x12_` of the resource bundle.
    public final var checkedImage: UIImage? {
        get { kept() }
        set { keep(newValue, at: \.page.terms.tick.setImage) }
    }

    /// The picture of the tick when not set. Default: `uncheck_12x12_` of the resource bundle.
    public final var uncheckedImage: UIImage? {
        get { kept() }
        set { keep(newValue, at: \.page.terms.tick.unsetImage) }
    }

    /// How large the tick is; the longer side counts. Default: 12 × 12.
    public final var checkBoxSize: CGSize {
        get { kept() ?? CGSize(width: 12, height: 12) }
        set {
            keep(newValue, at: \.page.terms.tick.size) {
                Measure.aboveZero(Double(max($0.width, $0.height)), upTo: 200).map { max($0, 1) }
            }
        }
    }

    /// Points between the tick and the text. Default: 2.
    public final var spaceBetweenCheckboxAndTermsText: CGFloat {
        get { kept() ?? 2 }
        set { keep(newValue, at: \.page.terms.tick.gap) { Measure.zeroOrMore(Double($0), upTo: 200) } }
    }

    /// Is called when the tick is set or taken away.
    public final var clickCheckboxBlock: OLClickCheckboxBlock? {
        get { kept() }
        set { keep(newValue) }
    }

    // MARK: text

    /// Font, colour and underline of the titles. Default: blue, 12 points.
    public final var privacyTermsAttributes: [NSAttributedString.Key: Any]? {
        get { kept() }
        set {
            keep(newValue)
            let terms = defaults.page.terms
            vendor.page.terms.font =
                (newValue?[.font] as? UIFont).map { PageFont($0, named: "privacyTermsAttributes") } ?? terms.font
            vendor.page.terms.linkColor =
                (newValue?[.foregroundColor] as? UIColor).map(AdaptiveColor.init) ?? terms.linkColor
            vendor.page.terms.isUnderlined = ((newValue?[.underlineStyle] as? NSNumber)?.intValue ?? 0) != 0
        }
    }

    /// The colour of a title while a finger is on it. Default: red.
    public final var activeLinkAttributes: [AnyHashable: Any]? {
        get { kept() }
        set {
            keep(newValue, at: \.page.terms.pressedLinkColor) { attributes in
                let key = NSAttributedString.Key.foregroundColor
                let color = attributes[key] ?? attributes[key.rawValue]
                return (color as? UIColor).map(AdaptiveColor.init)
            }
        }
    }

    /// The app's own terms. Default: none.
    public final var additionalPrivacyTerms: [OneTapTerm]? {
        get { kept() }
        set { keep(newValue) }
    }

    /// The colour of the words around the titles. Default: grey.
    public final var termTextColor: UIColor? {
        get { kept() }
        set { keep(newValue, at: \.page.terms.color) { .init($0) } }
    }

    /// Where the terms stand. A size counts when it is above 50 × 20.
    public final var termsRect: OLRect {
        get { kept() ?? OLRect() }
        set { keep(newValue, at: \.page.terms.placement) { .init($0) } }
    }

    /// The words around the titles: before the first, between the first two, between the next two, behind the last.
    /// Fewer than four are the default.
    public final var auxiliaryPrivacyWords: [String]? {
        get { kept() }
        set { keep(newValue, at: \.page.terms.words) { PageText.glue($0) } }
    }

    /// How the lines of the terms are set. Default: left.
    public final var termsAlignment: NSTextAlignment {
        get { kept() ?? .left }
        set { keep(newValue, at: \.page.terms.alignment) { .init($0) } }
    }

    /// Whether the carrier's title stands in 《》. Default: NO.
    public final var hasQuotationMarkOnCarrierProtocol: Bool {
        get { vendor.page.terms.quotesCarrierTerms }
        set { vendor.page.terms.quotesCarrierTerms = newValue }
    }
}
#endif

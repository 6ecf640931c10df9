import BenjiProtocol
public import Foundation
import OneTapShell

/// The content that a page of the app's own must show (release 3.0): the words from the prefetch.
///
/// Every text is empty while there is no valid prefetch.
#if canImport(ObjectiveC)
@objc(GyContentModel)
@objcMembers
#endif
public final class GyContentModel: NSObject {
    /// The masked number, such as `138****0000`.
    public var pn = ""
    /// The carrier's line: the party that recognises the number.
    public var slogan = ""
    /// The title of the carrier's terms, without 《》.
    public var term = ""
    /// The `https` address of the carrier's terms.
    public var link = ""

    /// For the page that is shown next: from ``GeYanSdk/preGetToken(_:)``, or else from what ``GyOneLoginPro`` keeps.
    public static func currentModel() -> GyContentModel {
        of(GeYanSdk.shell) ?? of(GyOneLoginPro.shell) ?? GyContentModel()
    }

    /// `nil` while nothing valid is prefetched there.
    static func of(_ shell: OneTapShell) -> GyContentModel? {
        let facts = shell.facts
        guard shell.isPrefetchValid, let page = facts.page else { return nil }
        let model = GyContentModel()
        model.pn = facts.maskedNumber ?? ""
        (model.slogan, model.term, model.link) = (page.slogan, page.termsTitle, page.termsURL)
        return model
    }
}

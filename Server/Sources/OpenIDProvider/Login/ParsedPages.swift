import Authority
import BenjiPage
import BenjiProtocol
import Store
import Synchronization

/// The login pages of clients. A page is parsed when it or the app's name has changed: parsing takes longer than all other work for a
/// request that is refused.
final class ParsedPages: Sendable {
    struct Page {
        /// The page for browsers.
        let description: PageDescription
        /// The digest of the app's description, without what is added to it for browsers.
        let digest: String
        fileprivate let text: String
        fileprivate let app: String
    }

    private let pages: Mutex<RecentMemory<AppID, Page>>

    /// - Parameter capacity: the number of apps whose pages are kept.
    init(capacity: Int = 256) { pages = Mutex(RecentMemory(capacity: capacity)) }

    func page(of client: KnownClient) throws(PageError) -> Page {
        let (text, app) = (client.record.page, client.app.record.shownName)
        let known = pages.withLock { pages -> Page? in
            guard let page = pages.take(client.record.appID), page.text == text, page.app == app else { return nil }
            pages.keep(page, of: client.record.appID)
            return page
        }
        if let known { return known }
        let description = try PageDescription(parsing: Array(text.utf8))
        let page = Page(
            description: description.hosted(for: app),
            digest: ConsentRecord.digest(ofPage: try description.bytesForDigest()), text: text, app: app)
        pages.withLock { $0.keep(page, of: client.record.appID) }
        return page
    }
}

extension PageDescription {
    /// The page for browsers: with the app's name as title and a consent sheet, where the description has none, and a number that is
    /// larger than on an app's page, where the description says nothing else.
    ///
    /// - Parameter app: the app's name; it heads a page that has no title of its own.
    fileprivate func hosted(for app: String) -> PageDescription {
        var page = self
        if page.consentDialog == nil {
            var sheet = ConsentDialog()
            sheet.title.text = LocalizedText("请阅读并同意以下条款", "請閱讀並同意以下條款", "Please read and agree")
            sheet.agree.text = LocalizedText("同意并登录", "同意並登入", "Agree and log in")
            sheet.agree.color = page.loginButton.title.color
            sheet.agreeFill = page.loginButton.fills.normal
            sheet.isAtBottom = true
            sheet.cornerRadius = 16
            page.consentDialog = sheet
        }
        if page.number.font == Number().font, page.popup == nil, page.number.placement.size == nil {
            page.number.font.size = 34
        }
        guard page.navigationBar.title == nil else { return page }
        var named = page
        named.navigationBar.title = NavigationTitle(LocalizedText(Self.title(app)))
        // A name of which nothing can be shown is left out.
        return (try? named.json()) == nil ? page : named
    }

    /// What of a name fits into the bar of a narrow screen: eleven ideographs, or twice as many letters.
    private static func title(_ name: String) -> String {
        var title = ""
        var width = 0
        for character in name {
            width += character.isASCII ? 1 : 2
            guard width <= 22 else { return title + "…" }
            title.append(character)
        }
        return title
    }
}

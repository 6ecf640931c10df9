import BenjiPage
import BenjiProtocol

extension PageDescription {
    /// The page for browsers. A title and a consent sheet are added if the description has none. The number is larger
    /// than on an app's page, unless the description sets its font or place.
    ///
    /// - Parameter app: the app's name; it heads a page that has no title of its own.
    func hosted(for app: String) -> PageDescription {
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

    /// The beginning of a name that fits into the bar of a narrow screen: eleven ideographs, or twice as many letters.
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

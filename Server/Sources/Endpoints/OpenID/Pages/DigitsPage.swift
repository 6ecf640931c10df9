import BenjiPage
import OpenIDProvider
import ServerHTTP

/// The page on which the person types the digits that the mask hides. A guest on the phone's connection has seen the
/// mask and does not know them.
struct DigitsPage {
    private let page: OpenIDPage
    private let isRepeated: Bool

    init(_ page: OpenIDPage, isRepeated: Bool) {
        self.page = page
        self.isRepeated = isRepeated
    }

    private static let title = LocalizedText("请输入号码中间的数字", "請輸入號碼中間的數字", "Type the middle of your number")
    private static let reason = LocalizedText(
        "为确认手机在您本人手中，请补全本机号码。", "為確認手機在您本人手中，請補全本機號碼。",
        "So that nobody else logs in over your connection, please complete this phone's number.")
    private static let wrong = LocalizedText(
        "数字不对，请再输一次。", "數字不對，請再輸一次。", "These are not the digits. Please try again.")
    private static let label = LocalizedText("隐藏的数字", "隱藏的數字", "The hidden digits")
    private static let confirm = LocalizedText("确认登录", "確認登入", "Log in")

    func document(nonce: String) -> String {
        let language = page.language
        let mask = page.facts?.maskedNumber ?? ""
        let hidden = mask.filter { $0 == "*" }.count
        var values: [String: Any] = [
            "reason": Self.reason[language], "action": OpenIDProvider.Path.login.rawValue, "secret": page.secret,
            "before": String(mask.prefix { $0 != "*" }), "after": String(mask.drop { $0 != "*" }.drop { $0 == "*" }),
            "pattern": "[0-9]{\(hidden)}", "hidden": hidden, "label": Self.label[language],
            "confirm": Self.confirm[language], "otherWay": NoticeStrings.otherWay[language],
        ]
        if isRepeated { values["wrong"] = Self.wrong[language] }
        return SmallPage(.digits, language, title: Self.title[language], app: page.app, look: page.look, values)
            .document(nonce: nonce)
    }
}

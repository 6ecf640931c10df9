import Authority
package import BenjiPage
import BenjiProtocol

/// The words of the pages for a code by SMS, as drawn and as a consent keeps them. The terms are the app's, of its
/// page. The carrier's terms are absent, because it discloses nothing (decision 48).
package enum SMSPageStrings {
    package static let title = LocalizedText("短信验证码登录", "簡訊驗證碼登入", "Log in with a code by SMS")
    package static let reason = LocalizedText(
        "我们会向您的手机号发送一条短信验证码。", "我們會向您的手機號碼傳送一則簡訊驗證碼。", "We send a code to your number.")
    package static let number = LocalizedText("手机号码", "手機號碼", "Phone number")
    package static let getCode = LocalizedText("获取验证码", "取得驗證碼", "Get the code")
    package static let code = LocalizedText("短信验证码", "簡訊驗證碼", "Code from the message")
    package static let logIn = LocalizedText("登录", "登入", "Log in")
    /// Where the app has no terms of its own.
    private static let agreement = LocalizedText("同意使用此号码登录", "同意使用此號碼登入", "I agree to log in with this number")

    /// A part of the sentence beside the tick, and where it leads.
    package typealias Piece = (text: String, url: String?)

    /// The sentence beside the tick: the words and the titles of the app's own terms, in their order.
    package static func terms(of page: PageDescription, _ language: Language) -> [Piece] {
        guard !page.terms.items.isEmpty else { return [(agreement[language], nil)] }
        return page.terms.pieces(nil, language).map { ($0.text, $0.url) }
    }

    /// Both pages in words, as a consent keeps them.
    static func content(of page: PageDescription, _ language: Language, policyVersion: String) -> ConsentContent {
        let terms = terms(of: page, language)
        return ConsentContent(
            drawnBy: .benji, language: language.rawValue, policyVersion: policyVersion,
            texts: [
                .init(.title, title[language]), .init(.custom, reason[language]), .init(.custom, number[language]),
                .init(.number, ConsentContent.numberPlaceholder), .init(.terms, terms.map(\.text).joined()),
                .init(.custom, getCode[language]), .init(.custom, code[language]), .init(.loginButton, logIn[language]),
            ], links: terms.compactMap { piece in piece.url.map { .init(title: piece.text, url: $0) } },
            initiallyTicked: false)
    }
}

import BenjiPage
import Hummingbird
import OpenIDProvider
import ServerHTTP

/// An answer to an app as a form, which the browser sends by itself, or, where it runs no script, by a button.
struct PostPage {
    private let form: OpenIDForm
    private let page: SmallPage

    private static let title = LocalizedText("正在返回应用", "正在返回應用程式", "Going back to the app")
    private static let reason = LocalizedText(
        "如果没有自动返回，请点下面的按钮。", "如果沒有自動返回，請點下面的按鈕。",
        "If nothing happens, please press the button.")
    private static let button = LocalizedText("继续", "繼續", "Continue")

    init(_ form: OpenIDForm, _ language: Language) {
        self.form = form
        page = SmallPage(
            .post, language, title: Self.title[language],
            [
                "reason": Self.reason[language], "button": Self.button[language], "target": form.target,
                "fields": form.fields.map { ["name": $0.name, "value": $0.value] },
            ])
    }

    func response(nonce: String) -> Response {
        // A whole scheme, as on the page before: the app may send the browser on from there.
        let target = form.target.prefix { $0 != ":" } + ":"
        return .page(
            page.document(nonce: nonce),
            policy: SmallPage.policy(nonce: nonce, formTargets: [String(target)]) + "; script-src 'nonce-\(nonce)'")
    }
}

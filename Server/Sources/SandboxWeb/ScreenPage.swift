import BenjiClient
import BenjiPage
import BenjiPageHTML
import BenjiProtocol
import HTTPTypes
import Hummingbird
import Sandbox
import ServerHTTP

/// The screen of a drawn phone, as the document of its frame. The authorization page is drawn as a browser's is, from
/// the SDK's scenes.
struct ScreenPage {
    let phone: SandboxPhone
    /// Where the phone's own browser finds the shop.
    let web: ServerURL
    let language: Language
    /// The origin that may show it in a frame: the sandbox's own page.
    let origin: String

    /// The possible widths of a drawn phone, each with its layout size, in points.
    private static let screens = [(280, 480), (320, 490), (360, 500), (393, 520)]
    private static let maximumHeight = 932
    /// Where the shop's logo is.
    static let logo = "/shop-logo.png"

    static func path(of phone: SandboxPhone) -> String { "/phones/\(phone.id)/screen" }

    func response(_ templates: SandboxTemplates) throws(PageError) -> Response {
        switch phone.screen.shown {
        case .page(let page): return try response(page)
        case .waiting: return small(templates.screen(values.merging(["isWaiting": true]) { $1 }))
        case .app(let last): return small(templates.screen(values.merging(Self.values(last, language)) { $1 }))
        }
    }

    private func response(_ page: PhoneScreen.ShownPage) throws(PageError) -> Response {
        var ticked = page.state
        ticked.isTicked = true
        let views = [(page.state, false), (ticked, false), (page.state, true)].map { state, isTall in
            [PageAppearance.light, .dark].flatMap { appearance in
                Self.screens.map { width, height in
                    (
                        state: state,
                        screen: PageScreen(
                            Double(width), Double(isTall ? Self.maximumHeight : height), language: page.language,
                            appearance: appearance)
                    )
                }
            }
        }
        let scenes = try PageScene.scenes(
            of: page.description, facts: page.facts, for: Array(views.joined()), measuredBy: AdvanceTable())
        let count = scenes.count / 3
        var options = PageHTML.Options(nonce: Base64URL.encode(SystemRandomSource().bytes(16)))
        options.formAction = Self.path(of: phone)
        options.isTickRequired = false
        options.monogram = "E"
        options.media = [(page.description.logo.image.name, Self.logo)]
        options.frameAncestors = [origin]
        let html = PageHTML(
            Array(scenes[..<count]), ticked: Array(scenes[count..<(2 * count)]), taller: Array(scenes[(2 * count)...]),
            options)
        return Self.framed(html.document, policy: html.contentSecurityPolicy, refreshes: page.state.isLoading)
    }

    private func small(_ document: String) -> Response {
        Self.framed(
            document,
            policy:
                "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; "
                + "frame-ancestors \(origin)",
            refreshes: !phone.screen.isAtRest)
    }

    /// - Parameter refreshes: whether the screen will change soon without the person.
    private static func framed(_ document: String, policy: String, refreshes: Bool) -> Response {
        var response = Response(document, type: "text/html")
        response.headers[.contentSecurityPolicy] = policy
        // The older header for the same as the policy's `frame-ancestors`.
        response.headers[.frameOptions] = "SAMEORIGIN"
        if refreshes { response.headers[.refresh] = "1" }
        return response
    }

    private var values: [String: Any] {
        [
            "t": SandboxStrings.all(language), "lang": language.rawValue, "id": phone.id,
            "action": Self.path(of: phone), "web": "\(web.origin)/", "logo": Self.logo,
        ]
    }

    private static func values(_ last: AppLogin?, _ language: Language) -> [String: Any] {
        guard let last else { return ["isWelcome": true] }
        if let mask = last.maskedNumber { return ["isLoggedIn": true, "mask": mask] }
        let outcome = SandboxView.outcome(last, language)
        return ["isRefused": true, "code": outcome.code, "meaning": outcome.meaning, "remedy": outcome.remedy]
    }
}

extension HTTPField.Name {
    // A token of RFC 9110 §5.6.2. Browsers take it from a header as from a document's `meta`.
    static let refresh = Self("Refresh")!
}

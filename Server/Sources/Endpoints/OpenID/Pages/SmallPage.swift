import BenjiPage
import OpenIDProvider

/// A small page of ours: a template and its values. It loads nothing else, and only ``PostPage`` has a script.
struct SmallPage {
    enum Template: String {
        case notice, mistake, digits, number, code, codes, post, consents, requests
        case ownLog = "own-log"
    }

    private static let templates = PageTemplates([
        "document": PackageResources.document_mustache, "notice": PackageResources.notice_mustache,
        "mistake": PackageResources.mistake_mustache, "digits": PackageResources.digits_mustache,
        "number": PackageResources.number_mustache, "code": PackageResources.code_mustache,
        "codes": PackageResources.codes_mustache,
        "post": PackageResources.post_mustache, "consents": PackageResources.consents_mustache,
        "requests": PackageResources.requests_mustache,
        "own-log": PackageResources.own_log_mustache,
    ])

    private let template: Template
    private var values: [String: Any]

    /// - Parameters:
    ///   - app: the name of the app whose login it is.
    ///   - look: how the app looks; in our own colours without it.
    ///   - values: what the template asks for besides.
    init(
        _ template: Template, _ language: Language, title: String, app: String? = nil, look: AppLook? = nil,
        icon: NoticeIcon? = nil, _ values: [String: Any]
    ) {
        self.template = template
        self.values = values
        self.values["language"] = language.rawValue
        self.values["title"] = title
        self.values["app"] = app
        self.values["logo"] = look?.logo.map(OpenIDPage.address)
        if look?.logo == nil { self.values["letter"] = app?.first.map { $0.uppercased() } }
        self.values["lightColors"] = Self.colors(look?.fill.light ?? PageColor(0x1666d9), on: PageColor(0xffffff))
        self.values["darkColors"] = Self.colors(look?.fill.dark ?? PageColor(0x1666d9), on: PageColor(0x1c1c1e))
        self.values["icon"] = icon?.path
    }

    /// The app's colour for the style sheet: of text on the sheet, behind a button's text, and of that text.
    private static func colors(_ fill: PageColor, on sheet: PageColor) -> String {
        let shape = fill.differing(by: PageColor.leastOfShapes, from: sheet)
        return "--accent:\(fill.differing(by: PageColor.leastOfText, from: sheet).text);"
            + "--fill:\(shape.text);--on:\(shape.ink.text)"
    }

    func document(nonce: String) -> String {
        Self.templates.render(template.rawValue, values.merging(["nonce": nonce]) { _, new in new })
    }

    static func policy(
        nonce: String, formTargets: [String] = [], frameAncestors: [String] = [], showsLogo: Bool = false
    ) -> String {
        let ancestors = frameAncestors.isEmpty ? "'none'" : frameAncestors.joined(separator: " ")
        let images = showsLogo ? "img-src 'self'; " : ""
        let targets = (["'self'"] + formTargets).joined(separator: " ")
        return "default-src 'none'; style-src 'nonce-\(nonce)'; \(images)form-action \(targets); base-uri 'none'; "
            + "frame-ancestors \(ancestors)"
    }
}

package import BenjiPage
import Requests

/// A small page of ours: a template and its values. It loads nothing else, and only ``PostPage`` has a script.
package struct SmallPage {
    /// The content of a small page.
    package struct Template: Sendable {
        fileprivate let pages: PageTemplates

        /// - Parameter text: a mustache template that fills `document.mustache`.
        package init(_ text: [UInt8]) {
            pages = PageTemplates(["document": PackageResources.document_mustache, "page": text])
        }

        package static let notice = Template(PackageResources.notice_mustache)
    }

    private let template: Template
    private var values: [String: Any]

    /// - Parameters:
    ///   - app: the name of the app whose login it is.
    ///   - logo: the address of the app's logo.
    ///   - fill: the fill of the app's login button, opaque; our own colour without it.
    ///   - values: what the template asks for besides.
    package init(
        _ template: Template, _ language: Language, title: String, app: String? = nil, logo: String? = nil,
        fill: AdaptiveColor? = nil, icon: NoticeIcon? = nil, _ values: [String: Any]
    ) {
        self.template = template
        self.values = values
        self.values["language"] = language.rawValue
        self.values["title"] = title
        self.values["app"] = app
        self.values["logo"] = logo
        if logo == nil { self.values["letter"] = app?.first.map { $0.uppercased() } }
        self.values["lightColors"] = Self.colors(fill?.light ?? PageColor(0x1666d9), on: PageColor(0xffffff))
        self.values["darkColors"] = Self.colors(fill?.dark ?? PageColor(0x1666d9), on: PageColor(0x1c1c1e))
        self.values["icon"] = icon?.path
    }

    /// The app's colour for the style sheet: of text on the sheet, behind a button's text, and of that text.
    private static func colors(_ fill: PageColor, on sheet: PageColor) -> String {
        let shape = fill.differing(by: PageColor.leastOfShapes, from: sheet)
        return "--accent:\(fill.differing(by: PageColor.leastOfText, from: sheet).text);"
            + "--fill:\(shape.text);--on:\(shape.ink.text)"
    }

    package func document(nonce: String) -> String {
        template.pages.render("page", values.merging(["nonce": nonce]) { _, new in new })
    }

    package static func policy(
        nonce: String, formTargets: [String] = [], frameAncestors: [String] = [], showsLogo: Bool = false
    ) -> String {
        let ancestors = frameAncestors.isEmpty ? "'none'" : frameAncestors.joined(separator: " ")
        let images = showsLogo ? "img-src 'self'; " : ""
        let targets = (["'self'"] + formTargets).joined(separator: " ")
        return "default-src 'none'; style-src 'nonce-\(nonce)'; \(images)form-action \(targets); base-uri 'none'; "
            + "frame-ancestors \(ancestors)"
    }
}

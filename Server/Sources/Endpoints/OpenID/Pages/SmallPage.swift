import BenjiPage

/// A small page of ours: a template and what is put into it. No script, and nothing from anywhere else.
struct SmallPage {
    enum Template: String { case notice, mistake, digits }

    private static let templates = PageTemplates([
        "document": PackageResources.document_mustache, "notice": PackageResources.notice_mustache,
        "mistake": PackageResources.mistake_mustache, "digits": PackageResources.digits_mustache,
    ])

    private let template: Template
    private var values: [String: Any]

    /// - Parameters:
    ///   - app: the name of the app whose login it is.
    ///   - logo: the address of its logo, on this host.
    ///   - values: what the template asks for besides.
    init(
        _ template: Template, _ language: Language, title: String, app: String? = nil, logo: String? = nil,
        icon: NoticeIcon? = nil, _ values: [String: Any]
    ) {
        self.template = template
        self.values = values
        self.values["language"] = language.rawValue
        self.values["title"] = title
        self.values["app"] = app
        self.values["logo"] = logo
        self.values["icon"] = icon?.path
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

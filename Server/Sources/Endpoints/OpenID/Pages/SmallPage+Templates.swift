import BenjiPage
import OpenIDProvider
import ServerHTTP

extension SmallPage.Template {
    static let mistake = Self(PackageResources.mistake_mustache)
    static let digits = Self(PackageResources.digits_mustache)
    static let number = Self(PackageResources.number_mustache)
    static let code = Self(PackageResources.code_mustache)
    static let codes = Self(PackageResources.codes_mustache)
    static let post = Self(PackageResources.post_mustache)
    static let consents = Self(PackageResources.consents_mustache)
    static let requests = Self(PackageResources.requests_mustache)
    static let ownLog = Self(PackageResources.own_log_mustache)
}

extension SmallPage {
    /// A page in the colours of an app.
    /// - Parameter look: how the app looks; `nil` for our own colours.
    init(
        _ template: Template, _ language: Language, title: String, app: String?, look: AppLook?,
        icon: NoticeIcon? = nil, _ values: [String: Any]
    ) {
        self.init(
            template, language, title: title, app: app, logo: look?.logo.map(OpenIDPage.address), fill: look?.fill,
            icon: icon, values)
    }
}

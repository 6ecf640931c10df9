/// The authorization page as data: everything that an app may decide about it.
///
/// The masked number, the carrier, its terms and its slogan are not here: an app may not decide them, and they come
/// from the prefetch. A description is the same on every screen; ``PageScene`` lays it out for one.
///
/// ```swift
/// var page = PageDescription(terms: [
///     PageTerm("《用户协议》", url: "https://app.example/agreement"),
///     PageTerm("《隐私政策》", url: "https://app.example/privacy"),
/// ])
/// page.logo.image = PageImage("logo", width: 72, height: 72)
/// page.loginButton.fills.normal = AdaptiveColor(0x0a7a3c, dark: 0x0a7a3c)
/// ```
///
/// All lengths are points. The names in parentheses are those of `GyAuthViewModel` and `OLAuthViewModel` whose meaning
/// a field carries.
public struct PageDescription: Hashable, Sendable, PageObject {
    /// How the page comes, goes and turns.
    public var presentation = Presentation()
    /// The system's status bar (`statusBarStyle`).
    public var statusBar = StatusBar()
    /// The bar at the top.
    public var navigationBar = NavigationBar()
    /// The page's background.
    public var background = Background()
    /// The app's emblem.
    public var logo = Logo()
    /// The masked number.
    public var number = Number()
    /// The carrier's line of text.
    public var slogan = Slogan()
    /// The button that asks for the token.
    public var loginButton = LoginButton()
    /// The way to another account or another kind of login.
    public var switchButton = SwitchButton()
    /// Terms, tick and the hint for a missing tick.
    public var terms = Terms()
    /// The indicator that is shown while the token is on its way.
    public var loading = Loading()
    /// The page that shows the text of terms.
    public var webPage = WebPage()
    /// A panel over a mask instead of the full screen; with it the navigation bar is not shown (`isPopup`).
    public var popup: Popup?
    /// Asks for consent once more, instead of a hint, when the login button is tapped without a tick.
    public var consentDialog: ConsentDialog?
    /// Views of the app (`customUIHandler`), from back to front.
    public var custom: [CustomView] = []

    /// Everything at its default and no terms of the app's own, which a page needs.
    public init() {}

    /// Everything at its default, with the app's own terms.
    public init(terms: [PageTerm]) { self.terms.items = terms }

    /// Reads and checks a description. Fields that are not there keep their defaults.
    public init(_ json: PageJSON) throws(PageError) { try self.init(json, at: "$") }

    /// As ``init(_:)``, for JSON that stands at a path of a larger value, which errors name.
    package init(_ json: PageJSON, at path: String) throws(PageError) {
        self = try PageDescription.read(json, at: path)
    }

    /// Reads and checks a description.
    public init(parsing text: [UInt8]) throws(PageError) { try self.init(PageJSON(parsing: text)) }

    /// The description with every field that has a value, in one order. Refused when a field is not what reading would
    /// accept, so this is also the check of a description that was put together in Swift.
    public func json() throws(PageError) -> PageJSON { try written(at: "$") }

    /// The input of the page digest: this description with all its defaults, in one order. SHA-256 is computed outside,
    /// because this module has no cryptography. The prefetch's number, terms and slogan are no part of it.
    public func bytesForDigest() throws(PageError) -> [UInt8] {
        let page = try json()
        return PageJSON.array([.string("benji-page-v1"), page]).bytes
    }

    mutating func code(_ coder: inout PageCoder) throws(PageError) {
        try coder("presentation", &presentation)
        try coder("statusBar", &statusBar)
        try coder("navigationBar", &navigationBar)
        try coder("background", &background)
        try coder("logo", &logo)
        try coder("number", &number)
        try coder("slogan", &slogan)
        try coder("loginButton", &loginButton)
        try coder("switchButton", &switchButton)
        try coder("terms", &terms)
        try coder("loading", &loading)
        try coder("webPage", &webPage)
        try coder("popup", &popup)
        try coder("consentDialog", &consentDialog)
        try coder("custom", &custom, limit: 32)
    }
}

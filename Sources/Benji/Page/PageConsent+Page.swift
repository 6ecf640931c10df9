public import BenjiClient
public import BenjiPage
public import BenjiProtocol
import Crypto

extension ConsentContent {
    /// The words of a page, as a consent says them. The roles have the same names in both.
    public init(_ content: PageContent, drawnBy drawer: Drawer = .benji) {
        self.init(
            drawnBy: drawer, language: content.language.rawValue, policyVersion: content.policyVersion,
            texts: content.texts.map { Text(Role($0.role), $0.text) },
            links: content.links.map { Link(title: $0.title, url: $0.url) },
            initiallyTicked: content.isInitiallyTicked)
    }
}

extension ConsentContent.Role {
    init(_ role: PageContent.Role) {
        switch role {
        case .title: self = .title
        case .number: self = .number
        case .slogan: self = .slogan
        case .loginButton: self = .loginButton
        case .switchButton: self = .switchButton
        case .terms: self = .terms
        case .hint: self = .hint
        case .custom: self = .custom
        }
    }
}

extension PageScene {
    /// The *scene digest*: base64url of SHA-256 over the scene's canonical bytes. Evidence of what was on the screen.
    public var digest: String { Base64URL.encode(Array(SHA256.hash(data: json.bytes))) }
}

extension PageConsent {
    /// The person's yes on a page that Benji drew.
    ///
    /// - Parameters:
    ///   - content: what the page said.
    ///   - scene: the boxes on the screen when the person agreed.
    ///   - times: when the person saw, ticked and tapped.
    public init(_ content: PageContent, scene: PageScene?, times: PageTimes) {
        self.init(
            content: ConsentContent(content), sceneDigest: scene?.digest,
            shownAt: Timestamp(milliseconds: times.shown), tickedAt: Timestamp(milliseconds: times.ticked),
            tappedAt: Timestamp(milliseconds: times.tapped))
    }
}

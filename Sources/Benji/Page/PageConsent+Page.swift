public import BenjiClient
public import BenjiPage
public import BenjiProtocol
import Crypto

extension ConsentContent {
    /// The words of a page that Benji drew, as a consent says them.
    public init(_ content: PageContent) {
        self.init(
            drawnBy: .benji, content.texts, content.links, language: content.language,
            policyVersion: content.policyVersion, isInitiallyTicked: content.isInitiallyTicked)
    }

    /// The words of any page. The roles have the same names in both.
    init(
        drawnBy drawer: Drawer, _ texts: [PageContent.Text], _ links: [TextBlock.Link], language: Language,
        policyVersion: String, isInitiallyTicked: Bool
    ) {
        self.init(
            drawnBy: drawer, language: language.rawValue, policyVersion: policyVersion,
            texts: texts.map { Text(Role($0.role), $0.text) }, links: links.map { Link(title: $0.title, url: $0.url) },
            initiallyTicked: isInitiallyTicked)
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

extension PageDescription {
    /// The *page digest*: base64url of SHA-256 over the description's canonical bytes. It is submitted, reviewed and
    /// approved, and `benji page digest` prints it.
    ///
    /// - Throws: the problem of a description that was put together in Swift.
    public func digest() throws(PageError) -> String { ConsentRecord.digest(ofPage: try bytesForDigest()) }
}

extension PageScene {
    /// The *scene digest*: base64url of SHA-256 over the scene's canonical bytes. Evidence of the screen's content.
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
            ConsentContent(content), pageDigest: try? content.page.digest(), scene: scene, times: times)
    }

    init(_ content: ConsentContent, pageDigest: String? = nil, scene: PageScene?, times: PageTimes) {
        self.init(
            content: content, pageDigest: pageDigest, sceneDigest: scene?.digest,
            shownAt: Timestamp(milliseconds: times.shown),
            tickedAt: Timestamp(milliseconds: times.ticked), tappedAt: Timestamp(milliseconds: times.tapped))
    }
}

import BenjiPage
import BenjiPageHTML
import BenjiProtocol
package import HTTPTypes
package import Hummingbird
import NIOCore
import OpenIDProvider
import ServerHTTP

/// The pages of a login, as answers to a browser.
struct LoginPage {
    let page: OpenIDPage
    let nonce: String

    init(_ page: OpenIDPage, nonce: String) {
        self.page = page
        self.nonce = nonce
    }

    /// The space between a browser's bars on telephones, tablets and desktops, in points. A scene is shown in windows
    /// at least as wide, and scrolls if it is higher. A desktop's window shows an upright one as a card.
    private static let screens = [(320, 480), (360, 600), (393, 660), (430, 740), (600, 340), (760, 360)]
    /// As high as an upright scene grows with its window: as a telephone's whole screen.
    private static let maximumHeight = 932

    var response: Response {
        get throws {
            switch page.stage {
            case .consent, .sheet:
                let (resting, ticked, tall) = try scenes()
                var options = PageHTML.Options(nonce: nonce)
                options.formAction = OpenIDProvider.Path.login.rawValue
                options.fields = [("page", page.secret)]
                options.formTargets = [target]
                options.isCardOnDesktops = true
                options.isTickRequired = false
                options.isAnimated = true
                options.monogram = page.app.first.map { $0.uppercased() }
                options.frameAncestors = page.frameAncestors
                options.extraBox = page.remembering.map { box in
                    PageHTML.ExtraBox(
                        name: "remember", text: box.text, isTicked: box.isTicked,
                        link: (ConsentsPage.manage[page.language], OpenIDProvider.Path.consents.rawValue))
                }
                options.media = page.media.sorted { $0.key < $1.key }.map { ($0, OpenIDPage.address(ofMedia: $1)) }
                let html = PageHTML(resting, ticked: ticked, taller: tall, options)
                return .page(html.document, policy: html.contentSecurityPolicy, frameAncestors: page.frameAncestors)
            case .digits(let isRepeated): return small(DigitsPage(page, isRepeated: isRepeated).document(nonce: nonce))
            case .sms(let form): return small(SMSPage(page, form).document(nonce: nonce))
            }
        }
    }

    private func small(_ document: String) -> Response {
        .page(
            document,
            policy: SmallPage.policy(
                nonce: nonce, formTargets: [target], frameAncestors: page.frameAncestors,
                showsLogo: page.look.logo != nil),
            frameAncestors: page.frameAncestors)
    }

    /// Where the redirect after the form goes. A whole scheme, because the app may send the browser on from there.
    private var target: String { page.redirectURI.prefix { $0 != ":" } + ":" }

    /// The page on every screen: as it is shown first, with the tick set, and on windows as high as a telephone's
    /// screen.
    private func scenes() throws -> (resting: [PageScene], ticked: [PageScene], tall: [PageScene]) {
        let views = [views(), views(isTicked: true), views(isTall: true)]
        guard let facts = page.facts else { throw Situation.internalError }
        let scenes = try PageScene.scenes(
            of: page.description, facts: facts, for: Array(views.joined()), arranged: .parted,
            measuredBy: AdvanceTable())
        let (second, third) = (views[0].count, views[0].count + views[1].count)
        return (Array(scenes[..<second]), Array(scenes[second..<third]), Array(scenes[third...]))
    }

    private func views(isTicked: Bool = false, isTall: Bool = false) -> [(state: PageState, screen: PageScreen)] {
        var state = PageState(of: page.description)
        state.isTicked = isTicked
        state.isDialogShown = page.stage == .sheet
        // A page that decides its appearance itself is drawn once.
        let followsDevice = page.description.presentation.appearance == .automatic
        return (followsDevice ? [PageAppearance.light, .dark] : [.light]).flatMap { appearance in
            Self.screens.map { width, height in
                let height = isTall && height > width ? max(height, Self.maximumHeight) : height
                return (
                    state,
                    PageScreen(Double(width), Double(height), language: page.language, appearance: appearance)
                )
            }
        }
    }
}

extension OpenIDPage {
    static func address(ofMedia digest: String) -> String {
        OpenIDProvider.Path.media.rawValue.replacing("{digest}", with: digest)
    }

    /// How the app looks on the pages that are ours.
    var look: AppLook { AppLook(description, media: media) }
}

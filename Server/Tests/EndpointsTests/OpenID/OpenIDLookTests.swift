import BenjiPage
import Crypto
import HTTPTypes
import ServerTestKit
import Store
import Testing

@testable import Authority
@_spi(Server) @testable import BenjiProtocol
@testable import Endpoints
@testable import OpenIDProvider
@testable import Requests
@testable import ServerHTTP

@Suite("The look of an app on the pages of its logins")
struct OpenIDLookTests {
    /// A picture as far as its first bytes go.
    private static let picture: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] + Array("a logo".utf8)
    private static let address = "/openid/media/" + Base64URL.encode(Array(SHA256.hash(data: picture)))
    private static let green = PageColor(0x2f6b3c)

    private static func dress(_ world: OpenIDWorld, _ change: (inout PageDescription) -> Void = { _ in }) async throws {
        var page = try PageDescription(parsing: Array(OpenIDWorld.page.utf8)).colored(green)
        change(&page)
        var registration = OpenIDClients.Registration(appID: world.shop.record.id, page: page)
        registration.redirectURIs = [OpenIDWorld.callback]
        registration.authentication = .clientSecretBasic
        registration.media = ["logo": picture]
        _ = try await world.clients.register(registration)
    }

    @Test(
        """
        name, logo and colour are on the login page, its sheet and every notice about the login, and the policy lets \
        the logo in
        """
    )
    func everywhere() async throws {
        try await OpenIDWorld.visit { world in
            try await Self.dress(world)
            let login = try await world.open()
            let sheet = try await world.tap(login, agreed: false)
            let notices = [
                try await world.open(from: "198.51.100.9"),
                try await world.tap(try await world.open(), from: OpenIDWorld.otherPhone),
            ]
            for page in [login, sheet] + notices {
                #expect(page.body.contains("src=\"\(Self.address)\""))
                #expect(page.headers[.contentSecurityPolicy]?.contains("; img-src 'self'; ") == true)
                #expect(page.body.contains("Shop"))
            }
            #expect(login.body.contains("background:\(Self.green.text)"))
            #expect(sheet.body.contains("role=\"dialog\""))
            for notice in notices {
                #expect(notice.body.contains("--fill:\(Self.green.text);--on:#ffffff"))
                #expect(notice.body.contains("<p class=\"app\">Shop</p>"))
            }
            // The notice for an unknown app shows neither icon nor colour.
            let unknown = try await world.open(["client_id": "300099999999"])
            #expect(!unknown.body.contains("<img") && !unknown.body.contains(Self.green.text))
            #expect(unknown.headers[.contentSecurityPolicy]?.contains("img-src") == false)
        }
    }

    @Test(
        """
        a colour that differs from its ground by exactly what is asked stays as it is, and one that differs by less is \
        moved
        """
    )
    func exactContrast() {
        let ground = PageColor(0xffffff)
        let contrast = Self.green.contrast(to: ground)
        #expect(Self.green.differing(by: contrast, from: ground) == Self.green)
        let moved = Self.green.differing(by: contrast + 0.01, from: ground)
        #expect(moved != Self.green && moved.contrast(to: ground) >= contrast + 0.01)
    }

    @Test("a new name and a new description are on the next page and the next notice")
    func changed() async throws {
        try await OpenIDWorld.visit { world in
            #expect(try await world.open().body.contains("Shop"))
            try await Self.dress(world)
            try await world.changeShop(app: { $0.name = "Boutique" })
            let (page, notice) = (try await world.open(), try await world.open(from: "198.51.100.9"))
            #expect(page.body.contains("Boutique") && page.body.contains(Self.green.text))
            #expect(notice.body.contains("Boutique") && notice.body.contains(Self.green.text))
            try await world.changeShop(client: { $0.page = OpenIDWorld.page })
            let again = (try await world.open(), try await world.open(from: "198.51.100.9"))
            #expect(!again.0.body.contains(Self.green.text) && !again.1.body.contains(Self.green.text))
        }
    }

    @Test("a logo that the description hides is on no page; without a logo the name's first letter stands in its place")
    func withoutLogo() async throws {
        try await OpenIDWorld.visit { world in
            let plain = try await world.open(from: "198.51.100.9")
            #expect(plain.body.contains(">S</span>") && !plain.body.contains("<img"))
            try await Self.dress(world) { $0.logo.isHidden = true }
            let hidden = try await world.open(from: "198.51.100.9")
            #expect(hidden.body.contains(">S</span>") && !hidden.body.contains("<img"))
            #expect(hidden.headers[.contentSecurityPolicy]?.contains("img-src") == false)
        }
    }

    @Test(
        """
        in any colour text can be read at 4.5 to 1, in light and in dark, and the button differs from what it stands on
        """
    )
    func legible() throws {
        let parts: [UInt32] = [0, 0x33, 0x66, 0x80, 0x99, 0xcc, 0xff]
        let grounds = [
            AdaptiveColor(0xffffff, dark: 0x1c1c1e), AdaptiveColor(0xfff7f0, dark: 0x20140c),
            AdaptiveColor(0x777777, dark: 0x000000),
        ]
        for ground in grounds {
            var page = PageDescription()
            page.background.color = ground
            page.consentDialog = .init()
            for red in parts {
                for green in parts {
                    for blue in parts {
                        let color = PageColor(red << 16 | green << 8 | blue)
                        let colored = page.colored(color)
                        let button = colored.loginButton
                        for mode in [\AdaptiveColor.light, \.dark] {
                            let (fill, behind) = (button.fills.normal[keyPath: mode], ground[keyPath: mode])
                            #expect(button.title.color[keyPath: mode].contrast(to: fill) >= 4.5, "\(color.text)")
                            #expect(fill.contrast(to: behind) >= 1.4, "\(color.text)")
                            #expect(colored.terms.linkColor[keyPath: mode].contrast(to: behind) >= 4.5, "\(color.text)")
                            #expect(
                                colored.switchButton.title.color[keyPath: mode].contrast(to: behind) >= 4.5,
                                "\(color.text)")
                        }
                        #expect(colored.consentDialog?.agreeFill == button.fills.normal)
                    }
                }
            }
        }
        // A colour that can be read is left as it is.
        #expect(page(Self.green).loginButton.fills.normal == AdaptiveColor(Self.green))
        #expect(page(Self.green).terms.linkColor.light == Self.green)
        #expect(page(PageColor(0xffffff)).loginButton.fills.normal.light != PageColor(0xffffff), "white on white")
    }

    private func page(_ color: PageColor) -> PageDescription { PageDescription().colored(color) }

    @Test(
        """
        a name that is markup is text on a notice and on the login page, and the colours of the style sheet are \
        nothing but colours
        """
    )
    func markup() async throws {
        let name = "<script>alert(1)</script>"
        var notice = OpenIDNotice(situation: .addressUnknown, language: .english, wayBack: nil)
        notice.app = name
        notice.look = AppLook(logo: nil, fill: AdaptiveColor(Self.green))
        let body = NoticePage(notice).markup
        #expect(!body.contains("<script") && body.contains("&lt;script&gt;alert(1)&lt;/script&gt;"))
        let colors = body.matches(of: /--(accent|fill|on):([^;}]*)/)
        #expect(colors.count == 6 && colors.allSatisfy { $0.2.wholeMatch(of: /#[0-9a-f]{6}/) != nil })
        try await OpenIDWorld.visit { world in
            var record = try await world.authority.apps.find(world.shop.record.id).record
            record.name = name
            try await world.store.updateApp(record)
            for page in [try await world.open(), try await world.open(from: "198.51.100.9")] {
                #expect(!page.body.contains("<script") && page.body.contains("&lt;script&gt;"))
            }
        }
    }
}

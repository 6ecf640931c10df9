import BenjiPage
import BenjiPageDesign
import PageProperties
import Testing

@Suite("Moving boxes")
struct PageMoveTests {
    private let phone = PageScreen(393, 852, safeArea: PageInsets(top: 59, bottom: 34))
    private let side = PageScreen(852, 393, safeArea: PageInsets(left: 59, bottom: 21, right: 59))

    private func frame(_ page: PageDescription, _ role: PageRole, _ screen: PageScreen) throws -> PageRect {
        var state = PageState(of: page)
        state.isDialogShown = role == .dialog
        state.isHintShown = role == .hint
        let scene = try PageScene(
            page, facts: .sample(.mobile), state: state, screen: screen, measuredBy: AdvanceTable())
        return try #require(scene[role]).frame
    }

    private var page: PageDescription {
        var page = PageSamples.usual
        page.consentDialog = PageDescription.ConsentDialog()
        let offsets = PagePlacement.Offsets(top: 100)
        let place = PagePlacement(portrait: offsets, landscape: offsets)
        page.custom = [PageDescription.CustomView(PageSlot("wechat", width: 44, height: 44), placement: place)]
        return page
    }

    @Test(
        "A box that is moved stands by just that much further, upright and on its side",
        arguments: [PageRole.logo, .number, .slogan, .login, .switchAccount, .terms, .tick, .custom, .back, .dialog],
        [false, true])
    func moves(_ role: PageRole, _ isOnSide: Bool) throws {
        let screen = isOnSide ? side : phone
        let before = try frame(page, role, screen)
        let moved = try #require(
            try page.moving(role, by: PageRect(7, -4, 0, 0), on: screen, facts: .sample(.mobile)))
        let after = try frame(moved, role, screen)
        // Places are rounded to hundredths of a point.
        #expect(abs(after.x - before.x - 7) <= 0.011)
        #expect(abs(after.y - before.y + 4) <= 0.011)
        #expect((after.width, after.height) == (before.width, before.height))
        // The other way of holding the device keeps its places.
        let other = isOnSide ? phone : side
        #expect(try frame(moved, role, other) == frame(page, role, other))
    }

    @Test("A box that is made larger is just that much larger", arguments: [PageRole.login, .logo, .custom, .dialog])
    func resizes(_ role: PageRole) throws {
        let before = try frame(page, role, phone)
        let larger = try #require(try page.moving(role, by: PageRect(0, 0, 12, 6), on: phone, facts: .sample(.mobile)))
        let after = try frame(larger, role, phone)
        #expect(abs(after.width - before.width - 12) <= 0.011)
        #expect(abs(after.height - before.height - 6) <= 0.011)
    }

    @Test("A popup moves as a whole, and its close button by itself")
    func movesPopups() throws {
        var page = PageSamples.usual
        page.popup = PageDescription.Popup()
        let panel = try frame(page, .background, phone)
        let moved = try #require(
            try page.moving(.background, by: PageRect(10, 20, 0, 0), on: phone, facts: .sample(.mobile)))
        #expect(try frame(moved, .background, phone) == PageRect(panel.x + 10, panel.y + 20, panel.width, panel.height))
        let close = try frame(page, .close, phone)
        let other = try #require(try page.moving(.close, by: PageRect(-3, 5, 0, 0), on: phone, facts: .sample(.mobile)))
        let after = try frame(other, .close, phone)
        #expect((after.x, after.y) == (close.x - 3, close.y + 5))
    }

    @Test(
        "What the description has no place for is not moved",
        arguments: [PageRole.background, .navigationBar, .mask, .close])
    func staysPut(_ role: PageRole) throws {
        #expect(try page.moving(role, by: PageRect(5, 5, 0, 0), on: phone, facts: .sample(.mobile)) == nil)
        #expect(try page.moving(.custom, 7, by: PageRect(5, 5, 0, 0), on: phone, facts: .sample(.mobile)) == nil)
    }
}

@testable import BenjiPage

extension PageScreen {
    /// An old, small telephone.
    static let small = PageScreen(320, 568, safeArea: PageInsets(top: 20))
    /// The screen that the carriers' norms are drawn for.
    static let norm = PageScreen(375, 667, safeArea: PageInsets(top: 20))
    /// A telephone of today.
    static let phone = PageScreen(393, 852, safeArea: PageInsets(top: 59, bottom: 34))
    /// The same on its side.
    static let phoneOnItsSide = PageScreen(852, 393, safeArea: PageInsets(left: 59, bottom: 21, right: 59))
    /// A tablet.
    static let tablet = PageScreen(768, 1024, safeArea: PageInsets(top: 24, bottom: 20))

    static let all = [small, norm, phone, phoneOnItsSide, tablet]

    func with(_ change: (inout PageScreen) -> Void) -> PageScreen {
        var screen = self
        change(&screen)
        return screen
    }
}

extension PageDescription {
    func with(_ change: (inout PageDescription) -> Void) -> PageDescription {
        var page = self
        change(&page)
        return page
    }

    /// The scene of this page, measured with the table.
    func scene(
        _ screen: PageScreen = .norm, _ carrier: PageCarrier = .mobile,
        state change: (inout PageState) -> Void = { _ in }
    ) throws -> PageScene {
        var state = PageState(of: self)
        change(&state)
        return try PageScene(
            self, facts: .sample(carrier), state: state, screen: screen, measuredBy: AdvanceTable())
    }

    static let inPopup = PageDescription.usual.with { $0.popup = Popup() }
    static let asSheet = PageDescription.usual.with {
        $0.popup = Popup()
        $0.popup?.position = .bottom
        $0.popup?.corners = [.topLeft, .topRight]
        $0.popup?.cornerRadius = 16
    }
}

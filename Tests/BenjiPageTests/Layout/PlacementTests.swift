import Testing

@testable import BenjiPage

/// The statements of GeYan's and OneLogin's documents about OLRect, sentence by sentence.
@Suite struct PlacementTests {
    private func frame(
        _ role: PageRole, _ screen: PageScreen = .norm, _ change: (inout PageDescription) -> Void
    ) throws -> PageRect {
        let scene = try PageDescription.usual.with(change).scene(screen)
        return try #require(scene[role]).frame
    }

    @Test("With a navigation bar, tops count from its lower edge, upright and on the side")
    func belowTheBar() throws {
        #expect(try frame(.logo) { $0.logo.placement.portrait.top = 7 }.y == 20 + 44 + 7)
        #expect(try frame(.logo, .phoneOnItsSide) { $0.logo.placement.landscape.top = 7 }.y == 44 + 7)
    }

    @Test("Without one, tops count from the status bar in portrait and from the top of the screen in landscape")
    func withoutABar() throws {
        func hidden(_ page: inout PageDescription) {
            page.navigationBar.isHidden = true
            page.logo.placement.portrait.top = 7
            page.logo.placement.landscape.top = 9
        }
        #expect(try frame(.logo, .phone, hidden).y == 59 + 7)
        let notched = PageScreen.phoneOnItsSide.with { $0.safeArea.top = 24 }
        #expect(try frame(.logo, notched, hidden).y == 9)
    }

    @Test("In a popup, offsets count from the popup")
    func inAPopup() throws {
        func change(_ page: inout PageDescription) {
            page.popup = PageDescription.Popup()
            page.popup?.placement = PagePlacement(
                portrait: .init(top: 100, left: 30), width: 280, height: 400)
            page.logo.placement = PagePlacement(portrait: .init(top: 7, left: 11), width: 40, height: 40)
            page.number.placement.portrait.center = 5
        }
        #expect(try frame(.background, change: change) == PageRect(30, 120, 280, 400))
        #expect(try frame(.logo, change: change) == PageRect(41, 127, 40, 40))
        #expect(try frame(.number, change: change).midX == 30 + 140 + 5)
    }

    private func frame(_ role: PageRole, change: (inout PageDescription) -> Void) throws -> PageRect {
        try frame(role, .norm, change)
    }

    @Test("Of a popup's horizontal offsets only the left one counts")
    func popupCenter() throws {
        let moved = try frame(.background) {
            $0.popup = PageDescription.Popup()
            $0.popup?.placement.portrait.center = 50
        }
        #expect(moved.midX == 187.5)
    }

    @Test("The left offset wins over the centre offset")
    func leftWins() throws {
        #expect(try frame(.logo) { $0.logo.placement.portrait = .init(center: 99, left: 10) }.x == 10)
        #expect(try frame(.logo) { $0.logo.placement.portrait = .init(center: -20) }.midX == 167.5)
    }

    @Test("Portrait offsets do nothing in landscape, and the other way round")
    func orientations() throws {
        let usual = try frame(.logo) { _ in }
        #expect(try frame(.logo) { $0.logo.placement.landscape = .init(top: 3, left: 3) } == usual)
        let aside = try frame(.logo, .phoneOnItsSide) { _ in }
        #expect(try frame(.logo, .phoneOnItsSide) { $0.logo.placement.portrait = .init(top: 3, left: 3) } == aside)
    }

    @Test("A size counts only when width and height are both above zero")
    func sizes() throws {
        #expect(try frame(.logo) { $0.logo.placement.width = 50 }.width == 72)
        #expect(try frame(.logo) { $0.logo.placement = PagePlacement(width: 50, height: 0) }.height == 72)
        let both = try frame(.logo) { $0.logo.placement = PagePlacement(width: 50, height: 60) }
        #expect(both.width == 50 && both.height == 60)
    }

    @Test("A logo without a size is as large as its picture")
    func logoSize() throws {
        let logo = try frame(.logo) { $0.logo.image = PageImage("x", width: 60, height: 30) }
        #expect(logo.width == 60 && logo.height == 30)
    }

    @Test("The back button is at most 40 × 40")
    func backButton() throws {
        let back = try frame(.back) { $0.navigationBar.back.placement = PagePlacement(width: 90, height: 30) }
        #expect(back.width == 40 && back.height == 30)
        #expect(try frame(.back) { $0.navigationBar.back.image = PageImage("b", width: 13, height: 21) }.height == 21)
    }

    @Test("A size of the terms counts only above 50 × 20")
    func termsSize() throws {
        let natural = try frame(.terms) { _ in }
        #expect(try frame(.terms) { $0.terms.placement = PagePlacement(width: 50, height: 100) } == natural)
        #expect(try frame(.terms) { $0.terms.placement = PagePlacement(width: 200, height: 20) } == natural)
        let asked = try frame(.terms) { $0.terms.placement = PagePlacement(width: 200, height: 100) }
        #expect(asked.width == 200 && asked.height == 100)
    }

    @Test("The close button of a popup stands at its top right, as large as its picture unless a size is given")
    func closeButton() throws {
        func close(_ change: @escaping (inout PageDescription.CloseButton) -> Void) throws -> PageRect {
            try frame(.close) {
                $0.popup = PageDescription.Popup()
                $0.popup?.placement = PagePlacement(portrait: .init(top: 0, left: 0), width: 300, height: 400)
                $0.popup?.close.top = 5
                $0.popup?.close.right = 8
                change(&$0.popup!.close)
            }
        }
        #expect(try close { $0.image = PageImage("c", width: 11, height: 22) } == PageRect(281, 25, 11, 22))
        #expect(
            try close {
                $0.image = PageImage("c", width: 11, height: 22)
                $0.width = 30
                $0.height = 31
            } == PageRect(262, 25, 30, 31))
    }

    @Test("Pushed, there is no popup")
    func pushed() throws {
        let scene = try PageDescription.inPopup.with { $0.presentation.style = .push }.scene()
        #expect(!scene.isPopup && scene[.navigationBar] != nil && scene[.close] == nil)
    }
}

@Suite struct TermsSentenceTests {
    private func text(_ change: (inout PageDescription) -> Void = { _ in }) throws -> TextBlock {
        try #require(try PageDescription.usual.with(change).scene()[.terms]?.text)
    }

    @Test("The words stand around the titles as GeYan's document lists them")
    func words() throws {
        #expect(try text().text == "登录即同意《中国移动认证服务条款》和《用户协议》、《隐私政策》并使用本机号码登录")
        #expect(try text { $0.terms.items = [] }.text == "登录即同意《中国移动认证服务条款》并使用本机号码登录")
        let four = try text { $0.terms.items.append(PageTerm("《丙》", url: "https://app.example/c")) }
        #expect(four.text.hasSuffix("和《用户协议》、《隐私政策》、《丙》并使用本机号码登录"))
    }

    @Test("Terms are ordered by index, the carrier's having 0 and coming first among equals")
    func order() throws {
        func titles(_ indices: [Int]) throws -> [String] {
            try text {
                $0.terms.items = indices.map { PageTerm("T\($0)", url: "https://app.example/\($0)", index: $0) }
            }.links.map(\.title)
        }
        let carrier = "《中国移动认证服务条款》"
        #expect(try titles([2, 1]) == [carrier, "T1", "T2"])
        #expect(try titles([1, -1]) == ["T-1", carrier, "T1"])
        #expect(try titles([0]) == [carrier, "T0"])
    }

    @Test("The carrier's title stands in 《》 only when that is wanted")
    func quotes() throws {
        #expect(try text { $0.terms.quotesCarrierTerms = false }.links[0].title == "中国移动认证服务条款")
    }

    @Test("Every character of every link is tapped, and nothing else", arguments: PageScreen.all)
    func linkAreas(screen: PageScreen) throws {
        let scene = try PageDescription.usual.scene(screen)
        let terms = try #require(scene[.terms])
        let text = try #require(terms.text)
        for (index, link) in text.links.enumerated() {
            let runs = text.lines.flatMap(\.runs).filter { $0.link == index }
            #expect(runs.map(\.text).joined() == link.title)
            let areas = scene.linkAreas.filter { $0.link == index }.map(\.area)
            #expect(areas.map(\.width) == runs.map(\.width))
            for area in areas { #expect(terms.frame.contains(area, tolerance: 0.01)) }
        }
    }
}

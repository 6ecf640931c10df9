import Testing

@testable import BenjiPage

/// A page that is open since second 1, and what it did.
private struct Walk {
    var flow: PageFlow<AdvanceTable>
    var time: Int64 = 1000
    var last: [PageAction] = []

    init(_ page: PageDescription = .usual, strictness: PageStrictness = .everyError, profile: PageProfile = .current)
        throws
    {
        flow = try PageFlow(
            page, facts: .sample(.mobile), screen: .phone, profile: profile, strictness: strictness,
            measuredBy: AdvanceTable())
        self(.appeared)
    }

    mutating func callAsFunction(_ events: PageEvent...) {
        for event in events {
            last = flow.handle(event, at: time)
            time += 1000
        }
    }

    /// The actions other than drawing.
    var others: [PageAction] {
        last.filter {
            if case .draw = $0 { return false }
            return true
        }
    }

    /// The scene that was drawn last.
    var drawn: PageScene? {
        for case .draw(let scene) in last.reversed() { return scene }
        return nil
    }
}

/// Counts the measurements.
private final class Counting: TextMeasuring {
    private(set) var count = 0

    func advance(of scalar: Unicode.Scalar, font: PageFont) -> Double {
        count += 1
        return AdvanceTable().advance(of: scalar, font: font)
    }
}

@Suite struct PageFlowTests {
    @Test("A page is laid out once to be judged, shown and drawn, and once more when it turns")
    func layouts() throws {
        let (once, both) = (Counting(), Counting())
        for (screens, measure) in [([PageScreen.phone], once), ([.phone, .phoneOnItsSide], both)] {
            for screen in screens {
                _ = try PageScene(
                    .usual, facts: .sample(.mobile), state: PageState(of: .usual), screen: screen, measuredBy: measure)
            }
        }
        let measure = Counting()
        var flow = try PageFlow(
            .usual, facts: .sample(.mobile), screen: .phone, strictness: .everyError, measuredBy: measure)
        _ = flow.handle(.appeared, at: 1)
        #expect(measure.count == once.count)
        _ = flow.handle(.screenChanged(.phoneOnItsSide), at: 2)
        #expect(measure.count == both.count)
    }

    @Test("Tick, then login: the app is asked, the page waits, and the times are those of the taps")
    func login() throws {
        var walk = try Walk()
        walk(.tickTapped)
        #expect(walk.others == [.report(.tickChanged(true))])
        #expect(walk.drawn?[.tick]?.isTicked == true)
        walk(.loginTapped)
        #expect(walk.others == [.report(.loginTapped(isTicked: true)), .askLogin])
        walk(.loginAnswered(true))
        #expect(
            walk.others == [
                .report(.loadingStarted), .decide(.consented(PageTimes(shown: 1000, ticked: 2000, tapped: 4000))),
            ])
        #expect(walk.drawn?[.loadingMask] != nil)
        #expect(walk.flow.phase == .submitted)
    }

    @Test("A second tap asks for nothing, neither while the app is asked nor while the page waits")
    func doubleTap() throws {
        var walk = try Walk()
        walk(.tickTapped, .loginTapped, .loginTapped)
        #expect(walk.last == [])
        walk(.loginAnswered(true), .loginTapped)
        #expect(walk.last == [])
        walk(.loginAnswered(true))
        #expect(walk.last == [])
        for event in [PageEvent.tickTapped, .switchTapped, .backTapped, .linkTapped(0)] {
            walk(event)
            #expect(walk.last == [], "\(event)")
        }
    }

    @Test("When the app's request has ended the person may try again, and the tick still counts")
    func again() throws {
        var walk = try Walk()
        walk(.tickTapped, .loginTapped, .loginAnswered(true), .loadingStopped)
        #expect(walk.others == [.report(.loadingStopped)])
        #expect(walk.drawn?[.loadingMask] == nil)
        walk(.loginTapped, .loginAnswered(true))
        #expect(
            walk.others.last == .decide(.consented(PageTimes(shown: 1000, ticked: 2000, tapped: 7000))))
        walk(.loadingStopped, .loadingStopped)
        #expect(walk.last == [])
    }

    @Test("An app that does something of its own at the login tap keeps the page open, and is asked again")
    func refusedByApp() throws {
        var walk = try Walk()
        walk(.tickTapped, .loginTapped, .loginAnswered(false))
        #expect(walk.last == [])
        #expect(walk.flow.phase == .open)
        walk(.loginTapped)
        #expect(walk.others == [.report(.loginTapped(isTicked: true)), .askLogin])
    }

    @Test("Nobody logs in without a tick, whatever is answered")
    func untickedLogin() throws {
        var walk = try Walk()
        walk(.loginTapped)
        #expect(walk.others == [.report(.loginTapped(isTicked: false)), .report(.tickMissing), .askHint])
        walk(.loginAnswered(true))
        #expect(walk.others == [])
        #expect(walk.flow.phase == .open)
        // Unticked between question and answer.
        walk = try Walk()
        walk(.tickTapped, .loginTapped, .tickSet(false), .loginAnswered(true))
        #expect(walk.others == [])
        #expect(walk.flow.phase == .open)
    }

    @Test("The hint is shown, said, and goes; an app that says it itself gets no hint")
    func hint() throws {
        var walk = try Walk()
        walk(.loginTapped, .hintAnswered(true))
        #expect(walk.others == [.announce("请同意服务条款"), .endHintLater])
        #expect(walk.drawn?[.hint] != nil)
        walk(.hintEnded)
        #expect(walk.drawn?[.hint] == nil)
        walk(.hintEnded)
        #expect(walk.last == [])
        walk(.loginTapped, .hintAnswered(false))
        #expect(walk.last == [])
        // Setting the tick makes it go at once.
        walk(.loginTapped, .hintAnswered(true), .tickTapped)
        #expect(walk.drawn?[.hint] == nil)
    }

    @Test("The terms shake only when the description says so, and with the hint")
    func shake() throws {
        var walk = try Walk(.usual.with { $0.terms.shake = .vertical })
        walk(.loginTapped)
        #expect(walk.others.contains(.shakeTerms(.vertical)))
    }

    @Test("A page without hint and dialog says nothing, but the app is told")
    func noHint() throws {
        var walk = try Walk(.usual.with { $0.terms.hint.isShown = false }, strictness: .voidConsent)
        walk(.loginTapped, .hintAnswered(true))
        #expect(walk.last == [])
    }

    @Test("The consent dialog agrees and logs in with one tap, ticked and tapped at once")
    func dialog() throws {
        var walk = try Walk(.usual.with { $0.consentDialog = .init() })
        walk(.loginTapped)
        #expect(
            walk.others == [.report(.loginTapped(isTicked: false)), .report(.tickMissing), .report(.dialogShown)])
        #expect(walk.drawn?[.dialog] != nil)
        // Boxes under the dialog are out of reach.
        for event in [PageEvent.tickTapped, .loginTapped, .backTapped, .switchTapped] {
            walk(event)
            #expect(walk.last == [], "\(event)")
        }
        walk(.dialogAgreed)
        #expect(walk.others == [.report(.tickChanged(true)), .report(.dialogAnswered(true)), .askLogin])
        #expect(walk.drawn?[.dialog] == nil)
        let time = walk.time
        walk(.loginAnswered(true))
        #expect(
            walk.others.last
                == .decide(.consented(PageTimes(shown: 1000, ticked: time - 1000, tapped: time))))
    }

    @Test("Disagreeing, and a tap beside the dialog when that may close it, leave tick and page as they were")
    func disagreed() throws {
        for closes in [true, false] {
            var walk = try Walk(
                .usual.with {
                    $0.consentDialog = .init()
                    $0.consentDialog?.closesOnOutsideTap = closes
                })
            walk(.loginTapped, .dialogOutsideTapped)
            #expect(walk.others == (closes ? [.report(.dialogAnswered(false))] : []))
            walk(.loginTapped, .dialogDisagreed)
            #expect(walk.others == [.report(.dialogAnswered(false))])
            #expect(!walk.flow.state.isTicked)
            #expect(walk.flow.phase == .open)
        }
    }

    @Test("Switching keeps the page open, going back and closing end it, each told once and before the app is")
    func ways() throws {
        var walk = try Walk()
        walk(.switchTapped)
        #expect(walk.last == [.decide(.switchAccount), .report(.switchTapped)])
        #expect(walk.flow.phase == .open)
        walk(.backTapped)
        #expect(walk.last == [.decide(.cancelled), .report(.backTapped), .close])
        walk(.backTapped, .tickTapped, .gone, .screenChanged(.small))
        #expect(walk.last == [])
        walk = try Walk(.inPopup)
        walk(.closeTapped)
        #expect(walk.last == [.decide(.cancelled), .report(.closeTapped), .close])
    }

    @Test("A tap beside a popup is told always, and closes the page only where it may")
    func outside() throws {
        var walk = try Walk(.inPopup)
        walk(.outsideTapped)
        #expect(walk.last == [.report(.outsideTapped)])
        #expect(walk.flow.phase == .open)
        walk = try Walk(.inPopup.with { $0.popup?.closesOnOutsideTap = true })
        walk(.outsideTapped)
        #expect(walk.last == [.decide(.cancelled), .report(.outsideTapped), .close])
    }

    @Test("A page that was swiped away was cancelled; one that left after the login was not")
    func gone() throws {
        var walk = try Walk()
        walk(.gone)
        #expect(walk.last == [.decide(.cancelled)])
        walk = try Walk()
        walk(.tickTapped, .loginTapped, .loginAnswered(true), .gone)
        #expect(walk.last == [])
        #expect(walk.flow.phase == .closed)
    }

    @Test("A link leads to the terms that were tapped, and says whose they are")
    func links() throws {
        let page = PageDescription.usual.with { $0.terms.items[0].index = -1 }
        var walk = try Walk(page)
        let duties = CarrierDuties.standard(.mobile)
        let expected = [
            PageTermsLink(title: "《用户协议》", url: "https://app.example/agreement", item: 0),
            PageTermsLink(title: "《\(duties.termsTitle)》", url: duties.termsURL, item: nil),
            PageTermsLink(title: "《隐私政策》", url: "https://app.example/privacy", item: 1),
        ]
        for (index, link) in expected.enumerated() {
            walk(.linkTapped(index))
            #expect(walk.last == [.openTerms(link)])
            #expect(walk.flow.scene[.terms]?.text?.links[index].url == link.url)
        }
        walk(.linkTapped(3))
        #expect(walk.last == [])
        walk(.linkTapped(-1))
        #expect(walk.last == [])
    }

    @Test("Turning, dark appearance, larger text and another language draw the page anew and keep its state")
    func screens() throws {
        var walk = try Walk()
        walk(.tickTapped)
        for screen in [
            PageScreen.phoneOnItsSide, .phone.with { $0.appearance = .dark }, .phone.with { $0.textScale = 1.5 },
            .phone.with { $0.language = .english },
        ] {
            walk(.screenChanged(screen))
            #expect(walk.drawn?.screen == screen)
            #expect(walk.drawn?[.tick]?.isTicked == true)
        }
        walk(.screenChanged(walk.flow.screen))
        #expect(walk.last == [], "the same screen again")
        walk(.screenChanged(PageScreen(0, 0)))
        #expect(walk.last == [], "a screen in the middle of a change")
    }

    @Test("The app sets the tick without hearing of it, switches the button off, and gives it another text")
    func app() throws {
        var walk = try Walk()
        walk(.tickSet(true))
        #expect(walk.others == [])
        #expect(walk.drawn?[.tick]?.isTicked == true)
        walk(.loginEnabled(false))
        #expect(walk.drawn?[.login]?.isEnabled == false)
        walk(.loginTapped)
        #expect(walk.last == [])
        walk(.loginEnabled(true), .loginTitled(StyledText(LocalizedText("本机号码登录"), PageFont(16), .ink)))
        #expect(walk.drawn?[.login]?.text?.text == "本机号码登录")
        #expect(walk.flow.content.texts.contains { $0.role == .loginButton && $0.text == "本机号码登录" })
    }

    @Test("A finger on the login button is seen while it is there")
    func pressed() throws {
        var walk = try Walk()
        walk(.loginPressed(true))
        let down = walk.drawn?[.login]?.fill
        walk(.loginPressed(false))
        #expect(down != walk.drawn?[.login]?.fill)
    }

    @Test("A clock that is put back does not put a tap before the tick")
    func clock() throws {
        var walk = try Walk()
        walk.time = 50_000
        walk(.tickTapped)
        walk.time = 10_000
        walk(.loginTapped, .loginAnswered(true))
        #expect(walk.others.last == .decide(.consented(PageTimes(shown: 1000, ticked: 50_000, tapped: 50_000))))
    }

    @Test("Coming back from the terms is no second showing, and nothing counts before the first")
    func appearing() throws {
        var flow = try PageFlow(
            .usual, facts: .sample(.mobile), screen: .phone, strictness: .everyError, measuredBy: AdvanceTable())
        #expect(flow.handle(.tickTapped, at: 1) == [])
        #expect(flow.handle(.loginTapped, at: 2) == [])
        _ = flow.handle(.appeared, at: 1000)
        #expect(flow.handle(.appeared, at: 9000) == [])
        _ = flow.handle(.tickTapped, at: 10_000)
        _ = flow.handle(.loginTapped, at: 11_000)
        #expect(
            flow.handle(.loginAnswered(true), at: 12_000).last
                == .decide(.consented(PageTimes(shown: 1000, ticked: 10_000, tapped: 12_000))))
    }
}

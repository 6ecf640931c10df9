import PageProperties
import Testing

@testable import BenjiPage

/// A page of a login by SMS that is open since second 1, and what it did.
private struct Walk {
    var flow: SMSPageFlow<AdvanceTable>
    var time: Int64 = 1000
    var last: [SMSPageAction] = []

    init(_ page: PageDescription = PageSamples.usual) throws {
        flow = try SMSPageFlow(page, screen: .phone, strictness: .everyError, measuredBy: AdvanceTable())
        self(.appeared)
    }

    mutating func callAsFunction(_ events: SMSPageEvent...) {
        for event in events {
            last = flow.handle(event, at: time)
            time += 1000
        }
    }

    /// The actions other than drawing and announcing.
    var others: [SMSPageAction] {
        last.filter {
            switch $0 {
            case .draw, .announce: false
            default: true
            }
        }
    }

    /// Ticks, and has a code sent.
    mutating func haveCodeSent(tries: Int? = 5) {
        self(.tickTapped, .numberTyped("13800000001"), .sendTapped, .codeSent(digits: 6, tries: tries))
    }
}

@Suite struct SMSPageFlowTests {
    @Test("Number, tick, code and login lead to a request with the times of showing, ticking and tapping")
    func whole() throws {
        var walk = try Walk()
        #expect(walk.others == [.focus(.numberField)])
        walk(.tickTapped, .numberTyped("138 0000-0001"), .sendTapped)
        #expect(walk.others == [.sendCode(to: "13800000001")])
        #expect(walk.flow.phase == .sending)
        walk(.codeSent(digits: 6, tries: 5))
        #expect(walk.others.contains(.focus(.codeField)))
        #expect(walk.flow.state.message == .codeSent)
        walk(.codeTyped("１２３ 456"), .loginTapped)
        #expect(
            walk.others == [
                .logIn(digits: "123456", times: PageTimes(shown: 1000, ticked: 2000, tapped: 7000))
            ])
        #expect(walk.flow.phase == .submitted)
        #expect(walk.flow.agreedScene != nil)
    }

    @Test("Not even the number leaves the phone before the tick")
    func tickFirst() throws {
        var walk = try Walk()
        walk(.numberTyped("13800000001"), .sendTapped)
        #expect(walk.others == [])
        #expect(walk.flow.state.message == .tickMissing)
        walk(.tickTapped)
        #expect(walk.flow.state.message == nil)
        walk(.codeSent(digits: 6, tries: nil), .tickTapped, .codeTyped("123456"), .loginTapped)
        #expect(walk.others == [], "nobody has asked for that code")
    }

    @Test("A login without the tick asks for it, also when the code is there")
    func tickTakenBack() throws {
        var walk = try Walk()
        walk.haveCodeSent()
        walk(.codeTyped("123456"), .tickTapped, .loginTapped)
        #expect(walk.others == [])
        #expect(walk.flow.state.message == .tickMissing)
    }

    @Test(
        "A number is eleven digits of mainland China, or a country's code and digits; anything else is asked for again",
        arguments: [
            ("13800000001", true), ("+85291234567", true), ("0085291234567", true), ("1380000000", false),
            ("23800000001", false), ("", false), ("+1", false), ("+12345678901234567", false), ("abc", false),
        ])
    func numbers(text: String, isComplete: Bool) throws {
        var walk = try Walk()
        walk(.tickTapped, .numberTyped(text), .sendTapped)
        #expect((walk.flow.phase == .sending) == isComplete)
        #expect((walk.flow.state.message == .numberMissing) == !isComplete)
    }

    @Test("The next code may be asked for after a minute by the clock, and the seconds are told")
    func countdown() throws {
        var walk = try Walk()
        walk.haveCodeSent()
        #expect(walk.flow.state.secondsToWait == 60)
        #expect(walk.others.contains(.endSecondLater))
        #expect(walk.flow.scene[.sendCode]?.isEnabled == false)
        walk(.secondPassed)
        #expect(walk.flow.state.secondsToWait == 59)
        walk(.sendTapped)
        #expect(walk.others == [], "too early")
        // The app was in the background.
        walk.time += 100_000
        walk(.secondPassed)
        #expect(walk.flow.state.secondsToWait == 0)
        #expect(!walk.others.contains(.endSecondLater))
        walk(.sendTapped)
        #expect(walk.others == [.sendCode(to: "13800000001")])
    }

    @Test("Another number forgets the code and may have one at once; the same one, written otherwise, does not")
    func otherNumber() throws {
        var walk = try Walk()
        walk.haveCodeSent()
        walk(.numberTyped("138 0000 0001"))
        #expect(walk.flow.state.isCodeSent)
        walk(.numberTyped("13800000002"))
        #expect(!walk.flow.state.isCodeSent && walk.flow.state.secondsToWait == 0)
        walk(.codeTyped("123456"), .loginTapped)
        #expect(walk.flow.state.message == .codeNotSent)
        walk(.sendTapped)
        #expect(walk.others == [.sendCode(to: "13800000002")])
    }

    @Test(
        "A code that comes when another number is typed already is nobody's, and the next one may be asked for at once")
    func numberChangedWhileSending() throws {
        var walk = try Walk()
        walk(.tickTapped, .numberTyped("13800000001"), .sendTapped, .numberTyped("13800000002"))
        walk(.codeSent(digits: 6, tries: 5))
        #expect(!walk.flow.state.isCodeSent && walk.flow.phase == .open && walk.flow.state.secondsToWait == 0)
        walk(.codeTyped("123456"), .loginTapped)
        #expect(walk.flow.state.message == .codeNotSent && walk.others == [])
        // The same while another code for the same number is on its way.
        walk = try Walk()
        walk.haveCodeSent()
        walk.time += 100_000
        walk(.secondPassed, .sendTapped, .numberTyped("13800000002"), .codeSent(digits: 6, tries: 5))
        #expect(!walk.flow.state.isCodeSent)
    }

    @Test("What was refused of one number is not said of another")
    func refusedForAnotherNumber() throws {
        var walk = try Walk()
        walk(.tickTapped, .numberTyped("13800000001"), .sendTapped, .refused(.tooManyCodes))
        walk(.numberTyped("13800000002"))
        #expect(walk.flow.state.message == nil)
        walk(.sendTapped, .numberTyped("13800000003"), .refused(.tooManyCodes))
        #expect(walk.flow.state.message == nil && walk.flow.phase == .open)
    }

    @Test("What is typed while the code is being shown to the server changes nothing")
    func typedWhileSubmitted() throws {
        var walk = try Walk()
        walk.haveCodeSent()
        walk(.codeTyped("123456"), .loginTapped, .numberTyped("13800000002"), .codeTyped("1"))
        #expect(walk.flow.state.isCodeSent)
        walk(.refused(.noConnection), .loginTapped)
        #expect(walk.others.contains { if case .logIn("123456", _) = $0 { true } else { false } }, "the code stayed")
    }

    @Test("A page that breaks a rule once it was turned takes no consent and asks for no code")
    func turned() throws {
        let narrow = try #require(
            [PageScreen(320, 180), PageScreen(200, 200), PageScreen(160, 120)].first { screen in
                var walk = try? Walk()
                walk?(.screenChanged(screen))
                return walk?.flow.refusal != nil
            })
        for sends in [true, false] {
            var walk = try Walk()
            if sends { walk(.tickTapped, .numberTyped("13800000001")) } else { walk.haveCodeSent() }
            walk(.codeTyped("123456"), .screenChanged(narrow), sends ? .sendTapped : .loginTapped)
            let refusal = try #require(walk.flow.refusal)
            #expect(walk.others == [.decide(.refused(refusal)), .close])
        }
    }

    @Test("A wrong code says how often the person may try again, and the last one asks for another code")
    func wrongCodes() throws {
        var walk = try Walk()
        walk.haveCodeSent(tries: 2)
        walk(.codeTyped("111111"), .loginTapped, .refused(.codeWrong))
        #expect(walk.flow.state.message == .codeWrong(triesLeft: 1))
        #expect(walk.others == [.showCode(""), .focus(.codeField)])
        walk(.codeTyped("22"))
        #expect(walk.flow.state.message == nil, "what was said is over when the person types on")
        walk(.loginTapped)
        #expect(walk.flow.state.message == .codeMissing(digits: 6))
        walk(.codeTyped("222222"), .loginTapped, .refused(.codeWrong))
        #expect(walk.flow.state.message == .refused(.triesExceeded))
        #expect(!walk.flow.state.isCodeSent)
        walk(.sendTapped)
        #expect(walk.others == [.sendCode(to: "13800000001")], "without waiting")
    }

    @Test("Where the server does not say how many tries there are, no number is told")
    func triesUnknown() throws {
        var walk = try Walk()
        walk.haveCodeSent(tries: nil)
        walk(.codeTyped("111111"), .loginTapped, .refused(.codeWrong))
        #expect(walk.flow.state.message == .codeWrong(triesLeft: nil))
    }

    @Test(
        "A code that is spent or expired is forgotten; a lost connection leaves it",
        arguments: [
            (SMSPageRefusal.codeExpired, false), (.triesExceeded, false), (.numberNotServed, false),
            (.noConnection, true),
            (.unavailable, true), (.tooManyRequests, true),
        ])
    func spent(refusal: SMSPageRefusal, isKept: Bool) throws {
        var walk = try Walk()
        walk.haveCodeSent()
        walk(.codeTyped("123456"), .loginTapped, .refused(refusal))
        #expect(walk.flow.phase == .open)
        #expect(walk.flow.state.isCodeSent == isKept)
        #expect(walk.flow.state.message == .refused(refusal))
        #expect(walk.flow.state.isLoading == false)
    }

    @Test("A code that was not sent is said, and may be asked for again at once")
    func notSent() throws {
        var walk = try Walk()
        walk(.tickTapped, .numberTyped("13800000001"), .sendTapped, .refused(.notSent))
        #expect(walk.flow.state.message == .refused(.notSent))
        #expect(walk.flow.state.secondsToWait == 0 && !walk.flow.state.isCodeSent)
        walk(.sendTapped)
        #expect(walk.others == [.sendCode(to: "13800000001")])
    }

    @Test("Nothing is asked for twice: taps while a request is under way do nothing")
    func once() throws {
        var walk = try Walk()
        walk(.tickTapped, .numberTyped("13800000001"), .sendTapped, .sendTapped)
        #expect(walk.last == [])
        walk(.loginTapped)
        #expect(walk.last == [])
        walk(.codeSent(digits: 6, tries: 5), .codeTyped("123456"), .loginTapped, .loginTapped)
        #expect(walk.last == [])
        #expect(walk.flow.scene[.loadingMask] != nil)
    }

    @Test("The person may leave at any time, also while a request is under way; nothing happens afterwards")
    func leaving() throws {
        var walk = try Walk()
        walk(.tickTapped, .numberTyped("13800000001"), .sendTapped, .backTapped)
        #expect(walk.others == [.decide(.cancelled(after: nil)), .close])
        walk(.codeSent(digits: 6, tries: 5), .gone)
        #expect(walk.last == [])

        walk = try Walk()
        walk(.switchTapped)
        #expect(walk.others == [.decide(.switchAccount), .close])

        walk = try Walk()
        walk(.gone)
        #expect(walk.last == [.decide(.cancelled(after: nil))])

        walk = try Walk()
        walk.haveCodeSent(tries: 1)
        walk(.codeTyped("111111"), .loginTapped, .refused(.codeWrong), .backTapped)
        #expect(walk.others == [.decide(.cancelled(after: .triesExceeded)), .close], "with what the page said last")
    }

    @Test("Each link of the terms opens its own; the carrier's is not among them")
    func terms() throws {
        var walk = try Walk()
        walk(.linkTapped(0))
        #expect(
            walk.last == [
                .openTerms(PageTermsLink(title: "《用户协议》", url: "https://app.example/agreement", item: 0))
            ])
        walk(.linkTapped(2))
        #expect(walk.last == [])
    }

    @Test(
        "What is told to people who do not see the page is what the page says, in its language",
        arguments: Language.allCases)
    func announced(language: Language) throws {
        let screen = PageScreen(393, 852, language: language)
        var flow = try SMSPageFlow(
            PageSamples.usual, screen: screen, strictness: .everyError, measuredBy: AdvanceTable())
        _ = flow.handle(.appeared, at: 1)
        let actions = flow.handle(.sendTapped, at: 2)
        let said = SMSPageStrings.numberMissing[language]
        #expect(actions.contains(.announce(said)))
        #expect(flow.scene[.message]?.text?.text == said)
    }

    @Test("A tick that the description sets is not set here, and a hint that the app says itself is said here")
    func ownRules() throws {
        let page = PageSamples.changed
        // It breaks rules that spoil no consent.
        var flow = try SMSPageFlow(page, screen: .phone, strictness: .voidConsent, measuredBy: AdvanceTable())
        #expect(flow.scene[.tick]?.isTicked == false)
        #expect(!flow.content(policyVersion: "1").isInitiallyTicked)
        _ = flow.handle(.appeared, at: 1)
        _ = flow.handle(.numberTyped("13800000001"), at: 2)
        let actions = flow.handle(.sendTapped, at: 3)
        #expect(actions.contains(.shakeTerms(.vertical)))
        #expect(flow.scene[.message]?.text?.text == "请勾选")
    }
}

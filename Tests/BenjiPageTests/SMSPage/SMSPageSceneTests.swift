import PageProperties
import Testing

@testable import BenjiPage

@Suite struct SMSPageSceneTests {
    private func scene(
        _ page: PageDescription = PageSamples.usual, _ screen: PageScreen = .phone,
        _ change: (inout SMSPageState) -> Void = { _ in }
    ) throws -> PageScene {
        var state = SMSPageState()
        change(&state)
        return try PageScene(bySMS: page, state: state, screen: screen, measuredBy: AdvanceTable())
    }

    private static let messages: [SMSPageMessage?] = [
        nil, .codeSent, .codeWrong(triesLeft: 3), .refused(.tooManyCodes),
    ]

    @Test(
        "The page keeps its rules on every screen, in every language, appearance and text size, whatever it says",
        arguments: PageScreen.all)
    func rules(screen: PageScreen) throws {
        for page in [PageDescription.usual, .inPopup, .asSheet] {
            var scenes: [PageScene] = []
            for language in Language.allCases {
                for appearance in PageAppearance.allCases {
                    for scale in [1.0, 2] {
                        for message in Self.messages {
                            let screen = screen.with {
                                $0.language = language
                                $0.appearance = appearance
                                $0.textScale = scale
                            }
                            let scene = try scene(page, screen) { $0.message = message }
                            if message == nil { scenes.append(scene) }
                            let findings = PageJudge(.current).findings(bySMS: scene)
                            #expect(findings == [], "\(language) \(appearance) \(screen.size) \(scale)")
                        }
                    }
                }
            }
            #expect(PageJudge(.current).findings(comparing: scenes) == [])
        }
    }

    @Test("No box lies over another that is read or tapped, whatever the page says", arguments: PageScreen.all)
    func apart(screen: PageScreen) throws {
        let roles: [PageRole] = [
            .logo, .numberField, .codeField, .sendCode, .message, .login, .tick, .terms, .switchAccount, .back, .title,
        ]
        for language in Language.allCases {
            let scene = try scene(.usual, screen.with { $0.language = language }) {
                $0.message = .refused(.numberNotServed)
                $0.secondsToWait = 60
            }
            let boxes = roles.compactMap { scene[$0] }
            for (index, box) in boxes.enumerated() {
                for other in boxes[(index + 1)...] {
                    let common = box.frame.intersection(other.frame)
                    #expect(
                        common == nil || common!.width < 0.5 || common!.height < 0.5, "\(box.role) and \(other.role)")
                }
            }
        }
    }

    @Test("It has the page's colours, pictures and button, and neither mask, slogan nor the carrier's terms")
    func look() throws {
        var page = PageSamples.changed
        page.logo.isHidden = false
        let scene = try scene(page)
        #expect(scene.appearance == .dark)
        #expect(scene[.background]?.fill == page.background.color.dark)
        #expect(scene[.backgroundImage]?.image == "city.jpg")
        #expect(scene[.logo]?.image == "brand/logo")
        #expect(scene[.login]?.image == "go-off", "the description's button needs the tick")
        #expect(scene[.login]?.cornerRadius == 22)
        #expect(scene[.login]?.text?.font == page.loginButton.title.font)
        #expect(scene[.login]?.frame.height == page.loginButton.placement.height)
        #expect(scene[.terms]?.text?.isUnderlined == true)
        #expect(scene[.terms]?.text?.links.map(\.url) == page.terms.items.map(\.url))
        #expect(scene[.number] == nil && scene[.slogan] == nil && scene[.custom] == nil && scene[.mask] == nil)
        #expect(scene[.title]?.text?.text == "短信验证码登录")
        #expect(scene[.title]?.text?.font == page.navigationBar.title?.style.font)
        #expect(scene[.back] != nil, "a page that nobody can leave is none")
        #expect(scene.carrier == .other)
        #expect(scene[.terms]?.text?.text.contains("本机号码") == false)
    }

    @Test("The button beside the code says what it does now, and keeps its width")
    func sendButton() throws {
        func box(_ change: (inout SMSPageState) -> Void) throws -> PageBox? {
            try scene(.usual, .phone, change)[.sendCode]
        }
        let first = try #require(try box { _ in })
        let waiting = try #require(try box { $0.secondsToWait = 7 })
        let again = try #require(try box { $0.isCodeSent = true })
        #expect(first.text?.text == "获取验证码" && first.isEnabled)
        #expect(waiting.text?.text == "7 秒后重发" && !waiting.isEnabled)
        #expect(again.text?.text == "重新获取" && again.isEnabled)
        #expect(first.frame == waiting.frame && first.frame == again.frame)
        #expect(try box { $0.isSending = true }?.isEnabled == false)
    }

    @Test("A message changes no field's and no button's place while it has one line")
    func stillness() throws {
        let quiet = try scene()
        let loud = try scene(.usual, .phone) { $0.message = .codeWrong(triesLeft: 4) }
        for role in [PageRole.numberField, .codeField, .sendCode, .login, .terms] {
            #expect(quiet[role]?.frame == loud[role]?.frame, "\(role)")
        }
    }

    @Test(
        """
        Each of these pages breaks a rule: a field that is covered, a button that cannot be tapped, no terms at all, a \
        lure
        """,
        arguments: [
            (PageRule.numberVisible, PageRole.numberField), (.numberVisible, .codeField), (.loginUsable, .sendCode),
            (.termsVisible, .terms), (.loginWording, .login), (.untickedAtFirst, .tick), (.closable, .back),
        ])
    func broken(rule: PageRule, role: PageRole) throws {
        var page = PageDescription.usual
        if rule == .termsVisible { page.terms.items = [] }
        var scene = try scene(page)
        let index = try #require(scene.index(of: role))
        switch rule {
        case .numberVisible, .loginUsable, .closable: scene.boxes[index].hitArea = nil
        case .loginWording: scene.boxes[index].text?.lines[0].runs[0].text = "领取红包"
        case .untickedAtFirst: scene.boxes[index].isTicked = true
        default: break
        }
        let findings = PageJudge(.current).findings(bySMS: scene)
        #expect(findings.contains { $0.rule == rule && $0.role == role }, "\(findings)")
        #expect(PageStrictness.everyError.refusal(findings) != nil)
    }

    @Test(
        "The content of a consent names what the page says, the number by its placeholder and no carrier's terms",
        arguments: Language.allCases)
    func content(language: Language) throws {
        let page = PageSamples.usual
        let content = PageContent(bySMS: page, policyVersion: "2026-11", language: language)
        #expect(content.policyVersion == "2026-11" && content.page == page && !content.isInitiallyTicked)
        #expect(content.texts.filter { $0.role == .number }.map(\.text) == [PageContent.numberPlaceholder])
        let login = try #require(content.texts.first { $0.role == .loginButton }?.text)
        #expect(PageJudge.speaksOfLogin(login))
        #expect(content.links.map(\.url) == page.terms.items.map(\.url))
        let scene = try scene(page, PageScreen(393, 852, language: language))
        #expect(content.texts.first { $0.role == .terms }?.text == scene[.terms]?.text?.text)
        #expect(content.texts.first { $0.role == .title }?.text == scene[.title]?.text?.text)
        #expect(login == scene[.login]?.text?.text)
    }

    @Test(
        "The page goes up for a keyboard just so far that the field, and where there is room the login button, is free")
    func keyboard() throws {
        let upright = try scene()
        #expect(upright.rise(aboveKeyboardAt: 852, typingIn: .codeField) == 0)
        let login = try #require(upright[.login]?.frame)
        #expect(upright.rise(aboveKeyboardAt: login.maxY + 8, typingIn: .numberField) == 0)
        #expect(upright.rise(aboveKeyboardAt: login.maxY, typingIn: .numberField) == 8)
        let side = try scene(.usual, PageScreen(667, 375, safeArea: PageInsets()))
        let field = try #require(side[.codeField]?.frame)
        let rise = side.rise(aboveKeyboardAt: 160, typingIn: .codeField)
        #expect(field.maxY - rise <= 160 - 8 && field.y - rise >= 0)
        #expect(side.rise(aboveKeyboardAt: 20, typingIn: .codeField) == field.maxY + 8 - 20, "the field comes first")
    }

    @Test("What is wrong with a description is said, not drawn")
    func invalid() {
        var page = PageDescription.usual
        page.loginButton.cornerRadius = -1
        #expect(throws: PageError.self) { try scene(page) }
    }
}

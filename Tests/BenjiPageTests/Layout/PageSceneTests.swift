import BenjiPolicy
import BenjiProtocol
import Testing

@testable import BenjiPage

/// The pages of these tests, by name.
private let pages: [(String, PageDescription)] = [
    ("usual", .usual), ("popup", .inPopup), ("sheet", .asSheet),
]

@Suite struct PageSceneTests {
    @Test("Scenes are what the golden file says, box by box")
    func golden() throws {
        var text = ""
        for (name, page) in pages {
            for screen in PageScreen.all {
                for carrier in PageCarrier.documented {
                    let scene = try page.scene(screen, carrier)
                    text += "\(name) \(carrier.rawValue) \(Int(screen.size.width))x\(Int(screen.size.height))\n"
                    for box in scene.boxes {
                        text += "  \(box.role.rawValue): \(box.frame)\n"
                        for line in box.text?.lines ?? [] {
                            text +=
                                "    "
                                + line.runs.map { "\($0.text)@\(PageJSON.number($0.x)?.text ?? "?")" }.joined(
                                    separator: "|") + "\n"
                        }
                    }
                }
            }
        }
        try expectGolden(text, "scenes.txt")
    }

    @Test("On the carriers' norm screen, the page stands where their drawings have it, give or take a few points")
    func norm() throws {
        let scene = try PageDescription.usual.scene(.norm)
        for (role, y) in [(PageRole.logo, 100.0), (.number, 196), (.slogan, 234), (.login, 292), (.switchAccount, 354)]
        {
            #expect(abs((scene[role]?.frame.y ?? 0) - y) <= 6, "\(role): \(scene[role]!.frame.y)")
        }
    }

    @Test(
        """
        Everything on a page lies within it, and nothing covers anything else, whatever screen, language and text size
        """,
        arguments: PageScreen.all, Language.allCases)
    func tidy(screen: PageScreen, language: Language) throws {
        for (name, page) in pages {
            for scale in [1, 1.5, 2, 3] {
                for carrier in PageCarrier.documented {
                    let screen = screen.with {
                        $0.language = language
                        $0.textScale = scale
                    }
                    let scene = try page.scene(screen, carrier)
                    let safe = PageRect(
                        screen.safeArea.left, screen.safeArea.top,
                        screen.size.width - screen.safeArea.left - screen.safeArea.right,
                        screen.size.height - screen.safeArea.top - screen.safeArea.bottom)
                    let boxes = scene.boxes.filter {
                        ![.mask, .background, .navigationBar].contains($0.role)
                    }
                    for (index, box) in boxes.enumerated() {
                        let place = "\(name) \(carrier) \(language) ×\(scale) \(screen.size): \(box.role) \(box.frame)"
                        #expect(scene.viewport.contains(box.frame), "\(place)")
                        #expect(safe.contains(box.frame), "\(place)")
                        for other in boxes[(index + 1)...] {
                            #expect(
                                box.frame.intersection(other.frame) == nil,
                                "\(place) meets \(other.role) \(other.frame)")
                        }
                        if let text = box.text {
                            #expect(text.width + 2 * box.textOrigin.width <= box.frame.width + 0.01, "\(place)")
                            #expect(text.height <= box.frame.height + 0.01, "\(place)")
                        }
                    }
                }
            }
        }
    }

    @Test(
        "What is tapped is at least 44 points wide and high, and no two controls claim one place",
        arguments: PageScreen.all)
    func touch(screen: PageScreen) throws {
        for (name, page) in pages {
            let scene = try page.scene(screen)
            var areas: [(String, PageRect)] = scene.linkAreas.map { ("link", $0.area) }
            for box in scene.boxes {
                guard let area = box.hitArea, box.role != .mask else { continue }
                if box.role != .tick { #expect(area.width >= 44 && area.height >= 44, "\(name) \(box.role) \(area)") }
                areas.append((box.role.rawValue, area))
            }
            for (index, area) in areas.enumerated() {
                for other in areas[(index + 1)...] where area.0 != "link" || other.0 != "link" {
                    let common = area.1.intersection(other.1)
                    #expect(common == nil || common!.height < 8, "\(name) \(screen.size) \(area) \(other)")
                }
            }
        }
    }

    @Test("Larger text is larger where it fits, and never drives anything off the page")
    func textScale() throws {
        let usual = try PageDescription.usual.scene(.phone)
        let large = try PageDescription.usual.scene(PageScreen.phone.with { $0.textScale = 1.5 })
        #expect(large[.number]!.text!.font.size == 36)
        #expect(large[.terms]!.frame.height > usual[.terms]!.frame.height)
        let huge = try PageDescription.usual.scene(PageScreen.phoneOnItsSide.with { $0.textScale = 3 })
        #expect(huge[.number]!.text!.font.size < 72)
    }

    @Test("A control with a place of its own leaves the others where they were")
    func othersStay() throws {
        let usual = try PageDescription.usual.scene()
        let moved = try PageDescription.usual.with { $0.number.placement.portrait.top = 500 }.scene()
        for role in [PageRole.logo, .slogan, .login, .switchAccount, .terms, .tick] {
            #expect(moved[role] == usual[role])
        }
    }

    @Test("The state of the page is seen in its boxes")
    func states() throws {
        let page = PageDescription.usual.with {
            $0.loginButton.needsTick = true
            $0.consentDialog = PageDescription.ConsentDialog()
            $0.terms.tick.setImage = PageImage("on", width: 12, height: 12)
            $0.terms.tick.unsetImage = PageImage("off", width: 12, height: 12)
        }
        let first = try page.scene()
        #expect(first[.login]?.isEnabled == false && first[.login]?.fill == page.loginButton.fills.disabled.light)
        #expect(first[.tick]?.isTicked == false && first[.tick]?.image == "off")
        let ticked = try page.scene { $0.isTicked = true }
        #expect(ticked[.login]?.isEnabled == true && ticked[.login]?.fill == page.loginButton.fills.normal.light)
        #expect(ticked[.tick]?.isTicked == true && ticked[.tick]?.image == "on")
        let pressed = try page.scene {
            $0.isTicked = true
            $0.isLoginPressed = true
        }
        #expect(pressed[.login]?.fill == page.loginButton.fills.highlighted.light)
        #expect(try page.scene { $0.isHintShown = true }[.hint]?.text?.text == "请同意服务条款")
        #expect(try page.scene { $0.isLoading = true }[.loadingMask]?.hitArea == PageRect(0, 0, 375, 667))
        let dialog = try page.scene { $0.isDialogShown = true }
        #expect(dialog[.dialogTerms]?.text?.text == first[.terms]?.text?.text)
        #expect(dialog[.dialogAgree]!.frame.width == dialog[.dialogDisagree]!.frame.width)
        #expect(dialog[.dialog]!.frame.contains(dialog[.dialogAgree]!.frame))
    }

    @Test("A scene is refused with the path when a number, a screen or the facts are out of range")
    func refused() {
        #expect(throws: PageError.self) { try PageDescription.usual.with { $0.logo.cornerRadius = .nan }.scene() }
        #expect(throws: PageError.self) { try PageDescription.usual.scene(PageScreen(.nan, 100)) }
        #expect(throws: PageError.self) { try PageDescription.usual.scene(PageScreen(50, 100)) }
        var facts = PageFacts.sample(.mobile)
        facts.duties.termsURL = "javascript:alert(1)"
        do throws(PageError) {
            _ = try PageScene(
                .usual, facts: facts, state: PageState(of: .usual), screen: .norm, measuredBy: AdvanceTable())
            Issue.record("accepted")
        } catch {
            #expect(error.place == "$facts.duties.termsURL")
        }
    }

    @Test("Scenes that are laid out together are those that are laid out one by one, and are refused alike")
    func together() throws {
        let views = PageScreen.all.flatMap { screen in
            [false, true].map { isTicked in
                var state = PageState(of: .usual)
                state.isTicked = isTicked
                return (state: state, screen: screen)
            }
        }
        let facts = PageFacts.sample(.unicom)
        let together = try PageScene.scenes(of: .usual, facts: facts, for: views, measuredBy: AdvanceTable())
        let alone = try views.map { view in
            try PageScene(
                .usual, facts: facts, state: view.state, screen: view.screen, measuredBy: AdvanceTable())
        }
        #expect(together == alone)
        do throws(PageError) {
            _ = try PageScene.scenes(
                of: .usual, facts: facts, for: views + [(PageState(of: .usual), PageScreen(50, 100))],
                measuredBy: AdvanceTable())
            Issue.record("accepted")
        } catch {
            #expect(error.place == "$screen.width")
        }
        let unreadable = PageDescription.usual.with { $0.logo.cornerRadius = .nan }
        #expect(throws: PageError.self) {
            try PageScene.scenes(of: unreadable, facts: facts, for: [], measuredBy: AdvanceTable())
        }
    }

    @Test("The canonical bytes of a scene change with every box and are the same for the same page")
    func canonical() throws {
        let scene = try PageDescription.usual.scene()
        #expect(try PageDescription.usual.scene().json.bytes == scene.json.bytes)
        var moved = scene
        moved.boxes[3].frame.x += 0.001
        #expect(moved.json.bytes != scene.json.bytes)
        #expect(try PageJSON(parsing: scene.json.bytes) == scene.json)
    }
}

@Suite struct PageContentTests {
    @Test("What is shown is what a consent record can hold, word for word", arguments: Language.allCases)
    func consent(language: Language) throws {
        let page = PageDescription.usual.with { $0.navigationBar.title = NavigationTitle() }
        let content = PageContent(page, duties: .standard(.telecom), language: language)
        let consent = ConsentContent(
            drawnBy: .benji, language: content.language.rawValue, policyVersion: content.policyVersion,
            texts: try content.texts.map {
                ConsentContent.Text(try #require(ConsentContent.Role(rawValue: $0.role.rawValue)), $0.text)
            }, links: content.links.map { ConsentContent.Link(title: $0.title, url: $0.url) },
            initiallyTicked: content.isInitiallyTicked)
        #expect(try ConsentContent(consent.json) == consent)
        #expect(content.texts.map(\.role) == [.title, .number, .slogan, .loginButton, .switchButton, .terms, .hint])
        #expect(content.links.first?.title == "《天翼账号服务与隐私协议》")
        let scene = try page.scene(PageScreen.norm.with { $0.language = language }, .telecom)
        #expect(scene[.terms]?.text?.text == content.texts.first { $0.role == .terms }?.text)
        #expect(scene[.terms]?.text?.links == content.links)
    }

    @Test("The roles are those of a consent record, and the placeholder is the same")
    func roles() {
        #expect(PageContent.Role.allCases.map(\.rawValue) == ConsentContent.Role.allCases.map(\.rawValue))
        #expect(PageContent.numberPlaceholder == ConsentContent.numberPlaceholder)
    }

    @Test("The standard duties are those of the standard policy", arguments: PageCarrier.documented)
    func policy(carrier: PageCarrier) throws {
        let duties = CarrierDuties.standard(carrier)
        let policy = CarrierPolicy.standard
        let named = try #require(Carrier(rawValue: carrier.rawValue))
        let page = try #require(policy.carriers[named]?.page)
        #expect(
            duties
                == CarrierDuties(
                    policyVersion: policy.version, termsTitle: page.termsTitle, termsURL: page.termsURL,
                    slogan: page.slogan))
    }
}

private typealias NavigationTitle = PageDescription.NavigationTitle

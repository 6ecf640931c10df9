import Foundation
import Testing

@testable import BenjiPage

/// A judge that only looks for the elements in the list of boxes and reads the switches, as a check of an app's
/// settings does.
private func naiveJudge(_ scene: PageScene) -> Bool {
    let needed: [PageRole] = [.number, .slogan, .login, .tick, .terms]
    return needed.allSatisfy { scene[$0] != nil } && scene[.tick]?.isTicked == false
        && scene[.terms]?.text?.links.isEmpty == false
}

@Suite struct PageJudgeTests {
    @Test(
        "The usual page keeps every rule of every profile, for all carriers, screens, languages and appearances",
        arguments: PageCarrier.allCases, PageScreen.all)
    func usual(carrier: PageCarrier, screen: PageScreen) throws {
        for profile in PageProfile.allCases {
            for page in [PageDescription.usual, .inPopup, .asSheet] {
                var scenes: [PageScene] = []
                for language in Language.allCases {
                    for appearance in PageAppearance.allCases {
                        for scale in [1, 2] {
                            let screen = screen.with {
                                $0.language = language
                                $0.appearance = appearance
                                $0.textScale = Double(scale)
                            }
                            let scene = try page.scene(screen, carrier)
                            scenes.append(scene)
                            let findings = PageJudge(profile).findings(
                                scene, facts: .sample(carrier), missingTick: PageJudge.MissingTick(of: page))
                            #expect(findings == [], "\(language) \(appearance) \(screen.size)")
                        }
                    }
                }
                #expect(PageJudge(profile).findings(comparing: scenes) == [])
            }
        }
    }

    @Test("An operator's own slogan may name the carrier whose network it uses; any other text may not")
    func ownSlogan() throws {
        var facts = PageFacts.sample(.other)
        facts.duties.slogan = "示例通信提供认证服务，网络来自中国移动"
        let page = PageDescription.usual
        let scene = try PageScene(
            page, facts: facts, state: PageState(of: page), screen: .norm, measuredBy: AdvanceTable())
        #expect(PageJudge(.current).findings(scene, facts: facts, missingTick: PageJudge.MissingTick(of: page)) == [])
        facts.duties.slogan = "示例通信提供认证服务"
        let rules = PageJudge(.current).findings(scene, facts: facts, missingTick: PageJudge.MissingTick(of: page)).map(
            \.rule)
        #expect(rules == [.otherCarrier])
    }

    @Test("Each manipulation breaks its rule and no other", arguments: Manipulation.all)
    func manipulation(manipulation: Manipulation) throws {
        let broken = try manipulation.findings().map(\.rule)
        #expect(Set(broken) == [manipulation.rule], "\(broken.map(\.rawValue))")
    }

    @Test("Every rule is broken by at least two manipulations")
    func coverage() {
        for rule in PageRule.allCases where rule != .languages {
            #expect(Manipulation.all.count { $0.rule == rule } >= 2, "\(rule)")
        }
    }

    @Test("A judge that only looks whether the elements are there lets most manipulations through, and this one none")
    func naive() throws {
        var passed = 0
        for manipulation in Manipulation.all {
            let (scene, _, _) = try manipulation.manipulated(.unicom)
            if naiveJudge(scene) { passed += 1 }
            #expect(try !manipulation.findings().isEmpty)
        }
        #expect(passed > Manipulation.all.count * 3 / 4)
    }

    @Test("A language with other elements or other addresses is found, in whichever scene it is")
    func languages() throws {
        let scenes = try Language.allCases.map { language in
            try PageDescription.usual.scene(PageScreen.norm.with { $0.language = language })
        }
        let changes: [(PageRole, (inout PageScene) -> Void)] = [
            (.slogan, { $0.remove(.slogan) }), (.switchAccount, { $0.remove(.switchAccount) }),
            (.terms, { $0.change(.terms) { $0.text!.links[1].url = "https://app.example/en" } }),
            (.terms, { $0.change(.terms) { $0.text!.links.removeLast() } }),
        ]
        for (role, change) in changes {
            for index in scenes.indices {
                var changed = scenes
                change(&changed[index])
                #expect(PageJudge().findings(comparing: changed) == [PageFinding(.languages, .warning, role)])
            }
        }
    }

    @Test("China Mobile's slogan is worth a warning today and an error in the documents, the others' an error in both")
    func sloganSeverity() {
        #expect(PageProfile.current.severity(of: .slogan, .mobile) == .warning)
        #expect(PageProfile.current.severity(of: .slogan, .telecom) == .error)
        #expect(PageProfile.documents.severity(of: .slogan, .mobile) == .error)
    }

    @Test("The documents allow a tick that is set, with a warning; today's rules refuse it")
    func tickSeverity() throws {
        let ticked = try #require(Manipulation.all.first { $0.rule == .untickedAtFirst })
        #expect(try ticked.findings(.documents) == [PageFinding(.untickedAtFirst, .warning, .tick)])
        #expect(try ticked.findings(.current) == [PageFinding(.untickedAtFirst, .error, .tick)])
        #expect(try ticked.findings(.documentsOwnPage) == [])
    }

    @Test(
        """
        A page that the app draws may say that this phone's number is used, in place of the mask, in the documents only
        """
    )
    func words() throws {
        let hidden = try #require(Manipulation.all.first { $0.rule == .numberVisible })
        #expect(try hidden.findings(.documentsOwnPage) == [])
        #expect(try hidden.findings(.current).map(\.rule) == [.numberVisible])
        let silent = Manipulation(
            rule: .numberVisible, name: "no words either", page: { $0.terms.words[3] = LocalizedText("") },
            scene: { $0.remove(.number) })
        #expect(try silent.findings(.documentsOwnPage).map(\.rule) == [.numberVisible])
    }

    @Test("A login button that waits for the tick is as good as one that says that the tick is missing")
    func waiting() throws {
        let page = PageDescription.usual.with {
            $0.loginButton.needsTick = true
            $0.terms.hint.isShown = false
        }
        let findings = PageJudge().findings(
            try page.scene(), facts: .sample(.mobile), missingTick: PageJudge.MissingTick(of: page))
        #expect(findings == [])
    }

    @Test("The app's own view counts as another way to log in when it says what it is")
    func otherLogin() throws {
        let page = PageDescription.usual.with {
            $0.switchButton.isHidden = true
            $0.custom = [
                .init(
                    PageSlot("wechat", width: 44, height: 44), placement: PagePlacement(portrait: .init(top: 400)),
                    label: LocalizedText("微信登录"))
            ]
        }
        let findings = PageJudge().findings(
            try page.scene(), facts: .sample(.mobile), missingTick: PageJudge.MissingTick(of: page))
        #expect(findings == [])
    }
}

@Suite struct ContrastTests {
    @Test("Contrast is what WCAG defines")
    func values() {
        #expect(abs(PageColor(0x000000).contrast(to: PageColor(0xffffff)) - 21) < 0.001)
        #expect(PageColor(0x777777).contrast(to: PageColor(0x777777)) == 1)
        // The classic pair on either side of the limit, on white.
        #expect(abs(PageColor(0x767676).contrast(to: PageColor(0xffffff)) - 4.54) < 0.01)
        #expect(abs(PageColor(0x777777).contrast(to: PageColor(0xffffff)) - 4.48) < 0.01)
        #expect(abs(PageColor(0xff0000).luminance - 0.2126) < 0.00001)
        #expect(abs(PageColor(0x1666d9).contrast(to: PageColor(0xffffff)) - 5.37) < 0.05)
    }

    @Test("A translucent colour is mixed with what lies behind it")
    func mixing() {
        #expect(PageColor(0x000000, alpha: 128).over(PageColor(0xffffff)) == PageColor(0x7f7f7f))
        #expect(PageColor(0x123456, alpha: 0).over(PageColor(0xabcdef)) == PageColor(0xabcdef))
        #expect(PageColor(0x123456).over(PageColor(0xabcdef)) == PageColor(0x123456))
    }
}

@Suite struct FoldedTextTests {
    @Test(
        "A whole number is found however it is written",
        arguments: ["13800138000", "138 0013 8000", "138-0013-8000", "+8613800138000", "１３８００１３８０００", "号码13800138000。"])
    func numbers(text: String) { #expect(FoldedText(text).holdsWholeNumber) }

    @Test(
        "What is no whole number is not taken for one",
        arguments: ["138****8000", "1380013800", "23800138000", "138001380001", "12345", ""])
    func notNumbers(text: String) { #expect(!FoldedText(text).holdsWholeNumber) }
}

@Suite struct RuleTableTests {
    @Test("The table in docs/page.md says of every rule how strict each profile is")
    func table() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        let file = folder.appending(path: "../../../docs/page.md").standardized
        let text = try String(decoding: Data(contentsOf: file), as: UTF8.self)
        for rule in PageRule.allCases {
            let row = try #require(text.split(separator: "\n").first { $0.hasPrefix("| `\(rule.rawValue)`") })
            let cells = row.split(separator: "|", omittingEmptySubsequences: false).map {
                $0.trimmingCharacters(in: .whitespaces)
            }
            let profiles: [PageProfile] = [.current, .documents, .documentsOwnPage, .handedViews]
            for (cell, profile) in zip(cells[2...], profiles) {
                let severity = profile.severity(of: rule, .telecom)?.rawValue ?? ""
                #expect(cell.hasPrefix(severity) && (severity.isEmpty == cell.isEmpty), "\(rule) \(profile)")
            }
        }
        #expect(text.contains("in \(Manipulation.all.count) ways"))
    }
}

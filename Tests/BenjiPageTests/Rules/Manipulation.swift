@testable import BenjiPage

/// A way to break one rule, starting from the usual page.
struct Manipulation: Sendable, CustomStringConvertible {
    let rule: PageRule
    let name: String
    var page: @Sendable (inout PageDescription) -> Void = { _ in }
    var scene: @Sendable (inout PageScene) -> Void = { _ in }
    var facts: @Sendable (inout PageFacts) -> Void = { _ in }
    /// The page's response to a missing tick, when the description does not have one.
    var missingTick: PageJudge.MissingTick?

    var description: String { "\(rule.rawValue): \(name)" }

    /// The judge's findings on the usual page after this manipulation.
    func findings(_ profile: PageProfile = .current, _ carrier: PageCarrier = .unicom) throws -> [PageFinding] {
        let (scene, facts, missingTick) = try manipulated(carrier)
        return PageJudge(profile).findings(scene, facts: facts, missingTick: missingTick)
    }

    func manipulated(_ carrier: PageCarrier) throws -> (PageScene, PageFacts, PageJudge.MissingTick) {
        var description = PageDescription.usual
        page(&description)
        var facts = PageFacts.sample(carrier)
        var scene = try PageScene(
            description, facts: facts, state: PageState(of: description), screen: .norm, measuredBy: AdvanceTable())
        self.scene(&scene)
        self.facts(&facts)
        return (scene, facts, missingTick ?? PageJudge.MissingTick(of: description))
    }
}

extension PageScene {
    /// Changes the box of that role.
    mutating func change(_ role: PageRole, _ change: (inout PageBox) -> Void) {
        for index in boxes.indices where boxes[index].role == role { change(&boxes[index]) }
    }

    mutating func remove(_ role: PageRole) { boxes.removeAll { $0.role == role } }

    /// Lays something over the box of that role.
    mutating func cover(_ role: PageRole, with color: PageColor = PageColor(0xffffff)) {
        guard let frame = self[role]?.frame else { return }
        var cover = PageBox(.backgroundImage, PageRect(frame.x - 2, frame.y - 2, frame.width + 4, frame.height + 4))
        cover.fill = color
        boxes.append(cover)
    }

    /// Replaces what the box of that role says, in one line.
    mutating func say(_ role: PageRole, _ text: String) {
        change(role) {
            $0.text?.lines = [TextBlock.Line(runs: [TextBlock.Run(text: text, x: 0, width: 40, link: nil)])]
        }
    }
}

extension Manipulation {
    /// Every way that is tried, at least two for each rule.
    static let all: [Manipulation] = [
        Manipulation(rule: .numberVisible, name: "taken away", scene: { $0.remove(.number) }),
        Manipulation(
            rule: .numberVisible, name: "moved off the screen", scene: { $0.change(.number) { $0.frame.x = 400 } }),
        Manipulation(rule: .numberVisible, name: "covered by a white box", scene: { $0.cover(.number) }),
        Manipulation(rule: .numberVisible, name: "transparent", scene: { $0.change(.number) { $0.opacity = 0.1 } }),
        Manipulation(
            rule: .numberVisible, name: "of the background's colour",
            page: { $0.number.color = AdaptiveColor(0xfafafa, dark: 0xfafafa) }),
        Manipulation(
            rule: .numberVisible, name: "under the login button", page: { $0.number.placement.portrait.top = 236 }),
        Manipulation(
            rule: .numberVisible, name: "cut off by a small box",
            page: { $0.number.placement = PagePlacement(width: 60, height: 34) }),
        Manipulation(rule: .numberVisible, name: "without digits", scene: { $0.say(.number, "*******") }),
        Manipulation(
            rule: .numberMasked, name: "whole in the number's place", scene: { $0.say(.number, "13800138000") }),
        Manipulation(
            rule: .numberMasked, name: "whole and full-width on the switch button",
            page: { $0.switchButton.title.text = LocalizedText("不是１３８ ００１３ ８０００") }),
        Manipulation(
            rule: .numberMasked, name: "whole with country code in a label",
            scene: { $0.change(.logo) { $0.label = "+86 138-0013-8000" } }),
        Manipulation(rule: .loginUsable, name: "taken away", scene: { $0.remove(.login) }),
        Manipulation(
            rule: .loginUsable, name: "below the screen", page: { $0.loginButton.placement.portrait.top = 700 }),
        Manipulation(rule: .loginUsable, name: "switched off", scene: { $0.change(.login) { $0.isEnabled = false } }),
        Manipulation(rule: .loginUsable, name: "deaf", scene: { $0.change(.login) { $0.hitArea = nil } }),
        Manipulation(
            rule: .loginUsable, name: "its taps taken by something unseen",
            scene: {
                var thief = PageBox(.backgroundImage, $0[.login]!.frame)
                thief.hitArea = thief.frame
                $0.boxes.append(thief)
            }),
        Manipulation(
            rule: .loginWording, name: "continue", page: { $0.loginButton.title.text = LocalizedText("继续") }),
        Manipulation(
            rule: .loginWording, name: "a red packet", page: { $0.loginButton.title.text = LocalizedText("登录领红包") }),
        Manipulation(
            rule: .loginWording, name: "next step", page: { $0.loginButton.title.text = LocalizedText("下 一 步 登录") }),
        Manipulation(
            rule: .carrierTerms, name: "left out",
            scene: { scene in
                scene.change(.terms) { box in
                    let url = box.text!.links.removeFirst().url
                    precondition(url.hasPrefix("https://opencloud"))
                    for row in box.text!.lines.indices {
                        box.text!.lines[row].runs.removeAll { $0.link == 0 }
                        for index in box.text!.lines[row].runs.indices {
                            box.text!.lines[row].runs[index].link = box.text!.lines[row].runs[index].link.map { $0 - 1 }
                        }
                    }
                }
            }),
        Manipulation(
            rule: .carrierTerms, name: "shown without a link",
            scene: {
                $0.change(.terms) { box in
                    box.text!.links.removeFirst()
                    for row in box.text!.lines.indices {
                        for index in box.text!.lines[row].runs.indices {
                            let link = box.text!.lines[row].runs[index].link
                            box.text!.lines[row].runs[index].link = link.flatMap { $0 == 0 ? nil : $0 - 1 }
                        }
                    }
                }
            }),
        Manipulation(
            rule: .carrierTermsExact, name: "leading elsewhere",
            scene: { $0.change(.terms) { $0.text!.links[0].url = "https://app.example/carrier" } }),
        Manipulation(
            rule: .carrierTermsExact, name: "under another title",
            scene: { $0.change(.terms) { $0.text!.links[0].title = "《服务条款》" } }),
        Manipulation(
            rule: .otherCarrier, name: "another carrier's terms beside its own",
            page: {
                $0.terms.items.append(
                    PageTerm("《天翼账号服务与隐私协议》", url: CarrierDuties.standard(.telecom).termsURL))
            }),
        Manipulation(
            rule: .otherCarrier, name: "another carrier's slogan",
            scene: { $0.say(.slogan, "天翼账号提供认证服务") }),
        Manipulation(
            rule: .otherCarrier, name: "a page laid out for another carrier's terms",
            scene: {
                $0.change(.terms) {
                    $0.text!.links[0].title = "《中国移动认证服务条款》"
                    $0.text!.links[0].url = CarrierDuties.standard(.mobile).termsURL
                }
            }),
        Manipulation(rule: .slogan, name: "taken away", scene: { $0.remove(.slogan) }),
        Manipulation(rule: .slogan, name: "rewritten", scene: { $0.say(.slogan, "安全认证") }),
        Manipulation(rule: .slogan, name: "covered", scene: { $0.cover(.slogan) }),
        Manipulation(
            rule: .slogan, name: "white on white", page: { $0.slogan.color = AdaptiveColor(0xffffff, dark: 0xffffff) }),
        Manipulation(rule: .termsVisible, name: "covered", scene: { $0.cover(.terms) }),
        Manipulation(
            rule: .termsVisible, name: "half below the screen", page: { $0.terms.placement.portrait.top = 590 },
            scene: { $0.change(.tick) { $0.frame.y = 640 } }),
        Manipulation(
            rule: .termsVisible, name: "cut off by a low box",
            page: {
                $0.terms.placement = PagePlacement(
                    portrait: .init(top: 520), width: 240, height: 21)
            }),
        Manipulation(
            rule: .termsVisible, name: "links in the background's colour",
            page: { $0.terms.linkColor = AdaptiveColor(0xf6f6f6, dark: 0xf6f6f6) }),
        Manipulation(
            rule: .termsVisible, name: "faded", scene: { $0.change(.terms) { $0.opacity = 0.2 } }),
        Manipulation(
            rule: .termsVisible, name: "links under an unseen thief of taps",
            scene: {
                var thief = PageBox(.background, $0[.terms]!.frame)
                thief.hitArea = thief.frame
                thief.opacity = 0
                let index = $0.boxes.firstIndex { $0.role == .terms }!
                $0.boxes.insert(thief, at: index + 1)
                $0.boxes[index + 1].role = .mask
            }),
        Manipulation(
            rule: .untickedAtFirst, name: "set by default", page: { $0.terms.tick.isInitiallySet = true }),
        Manipulation(rule: .untickedAtFirst, name: "without a tick", scene: { $0.remove(.tick) }),
        Manipulation(rule: .untickedAtFirst, name: "deaf", scene: { $0.change(.tick) { $0.hitArea = nil } }),
        Manipulation(rule: .untickedAtFirst, name: "covered", scene: { $0.cover(.tick) }),
        Manipulation(rule: .missingTick, name: "no hint", page: { $0.terms.hint.isShown = false }),
        Manipulation(rule: .missingTick, name: "an app's page that says nothing", missingTick: .isIgnored),
        Manipulation(rule: .ownTerms, name: "none", page: { $0.terms.items = [] }),
        Manipulation(rule: .ownTerms, name: "no privacy policy", page: { $0.terms.items.removeLast() }),
        Manipulation(
            rule: .ownTerms, name: "two of one name",
            page: { $0.terms.items.append(PageTerm("《用户协议》", url: "https://app.example/other")) }),
        Manipulation(
            rule: .ownTerms, name: "five",
            page: {
                for name in ["《甲协议》", "《乙协议》", "《丙协议》"] {
                    $0.terms.items.append(PageTerm(name, url: "https://app.example/more"))
                }
            }),
        Manipulation(
            rule: .ownTerms, name: "without https",
            scene: { $0.change(.terms) { $0.text!.links[1].url = "javascript:alert(1)" } }),
        Manipulation(
            rule: .quotationMarks, name: "the carrier's", page: { $0.terms.quotesCarrierTerms = false }),
        Manipulation(
            rule: .quotationMarks, name: "the app's",
            page: { $0.terms.items[0].title = LocalizedText("用户协议") }),
        Manipulation(rule: .numberSize, name: "15 points", page: { $0.number.font.size = 15 }),
        Manipulation(rule: .numberSize, name: "8 points", page: { $0.number.font.size = 8 }),
        Manipulation(
            rule: .loginSize, name: "too low",
            page: { $0.loginButton.placement = PagePlacement(width: 300, height: 39) }),
        Manipulation(
            rule: .loginSize, name: "too narrow",
            page: { $0.loginButton.placement = PagePlacement(width: 180, height: 48) }),
        Manipulation(rule: .termsSize, name: "small print", page: { $0.terms.font.size = 9 }),
        Manipulation(
            rule: .termsSize, name: "a tiny tick",
            page: { $0.terms.tick.size = 8 }),
        Manipulation(
            rule: .touchArea, name: "of the tick",
            scene: {
                $0.change(.tick) { $0.hitArea = $0.frame }
            }),
        Manipulation(
            rule: .touchArea, name: "of the back button",
            scene: { $0.change(.back) { $0.hitArea = PageRect($0.frame.x, $0.frame.y, 24, 20) } }),
        Manipulation(
            rule: .contrast, name: "pale terms", page: { $0.terms.color = AdaptiveColor(0x999999, dark: 0x999999) }),
        Manipulation(
            rule: .contrast, name: "pale number", page: { $0.number.color = AdaptiveColor(0x8a8a8a, dark: 0x8a8a8a) }),
        Manipulation(
            rule: .contrast, name: "a grey bar behind the terms",
            scene: {
                var bar = PageBox(.backgroundImage, PageRect(0, 560, 375, 107))
                bar.fill = PageColor(0xaaaaaa)
                $0.boxes.insert(bar, at: 1)
            }),
        Manipulation(
            rule: .customOverlap, name: "an advertisement over the number",
            page: {
                $0.custom = [
                    .init(PageSlot("ad", width: 300, height: 60), placement: PagePlacement(portrait: .init(top: 130)))
                ]
            }),
        Manipulation(
            rule: .customOverlap, name: "a clear view over the whole page",
            scene: {
                var view = PageBox(.custom, PageRect(0, 64, 375, 603))
                view.slot = "glass"
                view.hitArea = view.frame
                $0.boxes.append(view)
            }),
        Manipulation(rule: .otherLogin, name: "hidden", page: { $0.switchButton.isHidden = true }),
        Manipulation(rule: .otherLogin, name: "deaf", scene: { $0.change(.switchAccount) { $0.hitArea = nil } }),
        Manipulation(rule: .closable, name: "no back button", page: { $0.navigationBar.back.isHidden = true }),
        Manipulation(
            rule: .closable, name: "no bar",
            page: { $0.navigationBar.isHidden = true }),
        Manipulation(rule: .closable, name: "covered", scene: { $0.cover(.back) }),
        Manipulation(
            rule: .opaquePage, name: "glass",
            page: { $0.background.color = AdaptiveColor(PageColor(0xffffff, alpha: 120)) }),
        Manipulation(rule: .opaquePage, name: "without a background", scene: { $0.remove(.background) }),
        Manipulation(
            rule: .opaquePage, name: "a panel that leaves the screen",
            page: {
                var popup = PageDescription.Popup()
                popup.placement = PagePlacement(
                    portrait: .init(top: 30, left: 25), width: 360, height: 480)
                popup.close.right = 30
                $0.popup = popup
            }),
        Manipulation(
            rule: .oneConsent, name: "advertising",
            page: { $0.terms.words[3] = LocalizedText("并接收营销短信") }),
        Manipulation(
            rule: .oneConsent, name: "renewal",
            page: { $0.terms.items.append(PageTerm("《自动续费协议》", url: "https://app.example/renewal")) }),
    ]
}

import BenjiPage
import PageProperties
import Testing
import UIKit

@testable import BenjiPageUIKit

@MainActor @Suite(.serialized) struct ScreenTests {
    /// Whether every box's view stands where the scene has it.
    private func stands(_ lab: PageOnScreen) throws {
        let page = try #require(lab.page)
        var counts: [PageRole: Int] = [:]
        for box in page.scene.boxes {
            let view = try #require(lab.view(box.role, counts[box.role, default: 0]))
            counts[box.role, default: 0] += 1
            let frame = view.convert(view.bounds, to: lab.screen.window)
            let isThere =
                abs(frame.minX - box.frame.x) < 0.01 && abs(frame.minY - box.frame.y) < 0.01
                && abs(frame.width - box.frame.width) < 0.01 && abs(frame.height - box.frame.height) < 0.01
            #expect(isThere, "\(box.role): \(frame) instead of \(box.frame)")
        }
    }

    @Test("Every view stands where the scene says, upright and on the side, on full screens, popups and sheets")
    func places() throws {
        let sheet = PageDescription.inPopup.with {
            $0.popup?.position = .bottom
            $0.popup?.corners = [.topLeft, .topRight]
        }
        for page in [PageDescription.usual, .inPopup, sheet, .usual.with { $0.navigationBar.isHidden = true }] {
            let lab = PageOnScreen()
            try lab.show(page)
            try stands(lab)
            lab.rotate()
            #expect(lab.page?.scene.screen.isLandscape == true)
            try stands(lab)
            lab.rotate(toLandscape: false)
            try stands(lab)
        }
    }

    @Test("Every control is reached by a finger in its middle, in both orientations, and the tick beside its box too")
    func reach() throws {
        for page in [PageDescription.usual, .inPopup] {
            for isLandscape in [false, true] {
                let lab = PageOnScreen()
                try lab.show(page)
                if isLandscape { lab.rotate() }
                for box in try #require(lab.page).scene.boxes where box.hitArea != nil {
                    let view = try #require(lab.view(box.role))
                    let middle = CGPoint(x: box.frame.midX, y: box.frame.midY)
                    let hit = lab.screen.window.hitTest(middle, with: nil)
                    #expect(hit === view, "\(box.role) on \(isLandscape ? "the side" : "its feet")")
                    guard let area = box.hitArea, box.role == .tick else { continue }
                    let corner = CGPoint(x: area.x + 1, y: area.y + 1)
                    #expect(lab.screen.window.hitTest(corner, with: nil) === view, "beside the tick")
                }
            }
        }
    }

    @Test("Links are tapped at every line they have; the words between them are not")
    func links() throws {
        let lab = PageOnScreen()
        let page = try lab.show { $0.termsTapped = { link, _ in lab.log.append(link.url) } }
        let areas = page.scene.linkAreas
        #expect(areas.count >= 3)
        for area in areas {
            lab.log = []
            lab.screen.tap(CGPoint(x: area.area.midX, y: area.area.midY))
            #expect(lab.log == [page.scene[.terms]?.text?.links[area.link].url ?? ""])
        }
        lab.log = []
        let start = try #require(page.scene[.terms]?.frame)
        lab.screen.tap(CGPoint(x: start.x + 4, y: start.y + 4))
        #expect(lab.log == [])
    }

    @Test("Dark appearance and larger text draw the page anew; a page that is always light stays so")
    func traits() throws {
        let lab = PageOnScreen()
        let page = try lab.show()
        let light = lab.view(.background)?.backgroundColor
        let size = page.scene[.number]?.text?.font.size ?? 0
        lab.screen.setTraits(style: .dark)
        #expect(lab.view(.background)?.backgroundColor != light)
        #expect(page.preferredStatusBarStyle == .lightContent)
        #expect(page.standInStatusBarUpdates > 0)
        lab.screen.setTraits(style: .dark, textSize: .extraExtraExtraLarge)
        #expect(page.scene[.number]?.text?.font.size ?? 0 > size)
        try stands(lab)
        let other = PageOnScreen()
        try other.show(.usual.with { $0.presentation.appearance = .light })
        other.screen.setTraits(style: .dark)
        #expect(other.page?.scene.appearance == .light)
    }

    @Test("Turning keeps tick, hint, dialog and waiting, and a GIF's view")
    func stateKept() throws {
        let lab = PageOnScreen()
        let page = try lab.show(
            .usual.with {
                $0.consentDialog = .init()
                $0.background.gif = PageSlot("rain.gif")
            }, supplies: Drawing.supplies())
        let gif = lab.view(.backgroundGIF)
        lab.tap(.login)
        lab.rotate()
        #expect(lab.view(.dialog) != nil)
        #expect(lab.view(.backgroundGIF) === gif)
        lab.tap(.dialogAgree)
        lab.rotate(toLandscape: false)
        #expect(page.isTicked)
        #expect(lab.view(.loadingMask) != nil)
        #expect(lab.decisions.count == 1)
    }

    @Test("The hint goes after its time, and the dialog closes beside it where it may")
    func hintAndDialog() throws {
        let lab = PageOnScreen()
        try lab.show()
        lab.tap(.login)
        #expect(lab.view(.hint) != nil)
        #expect(UIAccessibility.standInPosts.last?.text == "请同意服务条款")
        for action in lab.later { action() }
        #expect(lab.view(.hint) == nil)
        let other = PageOnScreen()
        try other.show(.usual.with { $0.consentDialog = .init() })
        other.tap(.login)
        other.tap(.dialogDisagree)
        #expect(other.view(.dialog) == nil)
        other.tap(.login)
        other.screen.tap(CGPoint(x: 10, y: 120))
        #expect(other.view(.dialog) == nil)
        #expect(other.decisions == [])
    }

    @Test("VoiceOver hears every control by name, goes through the page in its order, and leaves by its gesture")
    func accessibility() throws {
        let lab = PageOnScreen()
        let page = try lab.show(.usual.with { $0.navigationBar.title = .init(LocalizedText("登录")) })
        for (role, label, trait) in [
            (PageRole.back, "返回", UIAccessibilityTraits.button), (.title, "登录", .header),
            (.number, "138****0000", .staticText), (.login, "一键登录", .button), (.switchAccount, "切换账号", .button),
            (.tick, "同意条款", .button), (.logo, "应用图标", .image),
        ] {
            let view = try #require(lab.view(role))
            #expect(view.isAccessibilityElement)
            #expect(view.accessibilityLabel == label)
            #expect(view.accessibilityTraits.contains(trait))
        }
        let order = page.panel.accessibilityElements?.compactMap { ($0 as? PageBoxView)?.role } ?? []
        let expected: [PageRole] = [.title, .back, .logo, .number, .slogan, .login, .switchAccount, .tick, .terms]
        #expect(order.filter { expected.contains($0) } == expected)
        let terms = try #require(lab.view(.terms)?.accessibilityElements as? [UIAccessibilityElement])
        #expect(terms.first?.accessibilityLabel == page.scene[.terms]?.text?.text)
        #expect(terms.dropFirst().map(\.accessibilityLabel) == page.scene[.terms]?.text?.links.map(\.title))
        #expect(terms.last?.accessibilityActivate() == true)
        #expect(page.presentedViewController is TermsViewController)
        page.presentedViewController?.dismiss(animated: false)
        #expect(lab.view(.tick)?.accessibilityActivate() == true)
        #expect(page.isTicked)
        #expect(page.accessibilityPerformEscape())
        #expect(lab.decisions == [.cancelled])
    }

    @Test("For people who asked for less motion nothing shakes, plays or flies in")
    func reducedMotion() throws {
        UIAccessibility.standInReducesMotion = true
        defer { UIAccessibility.standInReducesMotion = false }
        let lab = PageOnScreen()
        var supplies = Drawing.supplies()
        supplies.animation = { _ in CABasicAnimation(keyPath: "opacity") }
        let page = try lab.show(
            .usual.with {
                $0.terms.shake = .horizontal
                $0.presentation.arrival = PageSlot("rise")
                $0.background.video = PageSlot("rain.mp4")
            }, supplies: supplies)
        lab.tap(.login)
        #expect(page.modalTransitionStyle == .crossDissolve)
        #expect(page.agreement.layer.standInAnimations.isEmpty)
        #expect(page.view.layer.standInAnimations.isEmpty)
        #expect((lab.view(.backgroundVideo)?.content as? VideoView)?.isPlaying == false)
    }

    @Test("A video plays without sound, and only while it is on the screen")
    func video() throws {
        let lab = PageOnScreen()
        let page = try lab.show(
            .usual.with { $0.background.video = PageSlot("rain.mp4") }, supplies: Drawing.supplies())
        let video = try #require(lab.view(.backgroundVideo)?.content as? VideoView)
        #expect(video.isPlaying)
        #expect(video.isMuted)
        page.close(animated: false)
        #expect(!video.isPlaying)
    }

    @Test("A video goes on when the app comes back from the background, unless it has left the screen")
    func videoAfterBackground() throws {
        let lab = PageOnScreen()
        let page = try lab.show(
            .usual.with { $0.background.video = PageSlot("rain.mp4") }, supplies: Drawing.supplies())
        let video = try #require(lab.view(.backgroundVideo)?.content as? VideoView)
        // As the system does.
        video.setPlaying(false)
        NotificationCenter.default.post(name: UIApplication.willEnterForegroundNotification, object: nil)
        #expect(video.isPlaying)
        page.close(animated: false)
        NotificationCenter.default.post(name: UIApplication.willEnterForegroundNotification, object: nil)
        #expect(!video.isPlaying)
    }
}

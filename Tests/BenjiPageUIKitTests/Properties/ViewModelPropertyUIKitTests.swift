import BenjiPage
import ImageIO
import PageProperties
import Testing
import UIKit

@testable import BenjiPageUIKit

@MainActor @Suite(.serialized) struct ViewModelPropertyUIKitTests {
    @Test("Every property of the vendors' view models that is data is seen in the views of its role")
    func seen() throws {
        for (name, property) in viewModelProperties {
            guard case .seen(let path, let role) = property else { continue }
            let page = try #require(try PageSamples.page(path), "\(path) changes nothing")
            #expect(
                try Drawing.boxes(page, role) != Drawing.boxes(PageSamples.base(path), role),
                "\(name) is not seen in \(role)")
        }
    }

    @Test("The same page is drawn the same way twice, so that a difference means something")
    func same() throws {
        for role in PageRole.allCases {
            let page = PageSamples.base("popup.close.top")
            #expect(try Drawing.boxes(page, role) == Drawing.boxes(page, role))
        }
    }

    @Test("Every picture, view and film that an app supplies lies in the view of its box")
    func slots() throws {
        for (name, property) in viewModelProperties {
            guard case .slot(let path, let role) = property else { continue }
            let page = try #require(try PageSamples.page(path), "\(path) changes nothing")
            let supplied = try #require(try PageSamples.suppliedName(path))
            let boxes = try Drawing.boxes(page, role)
            if role == .backgroundGIF || role == .backgroundVideo {
                #expect(!boxes.isEmpty, "\(name) has no view")
                continue
            }
            #expect(boxes.contains { $0.image == supplied || $0.content == supplied }, "\(name) is not in \(role)")
        }
    }

    @Test("What a view model only tells, moves by or calls back has a test of its own, and none was forgotten")
    func told() throws {
        var untested = Set(checks.keys)
        for (name, property) in viewModelProperties {
            switch property {
            case .seen, .slot: continue
            case .told, .animation, .callback: break
            }
            let check = try #require(checks[name], "\(name) has no test with UIKit")
            try check()
            untested.remove(name)
        }
        #expect(untested.isEmpty, "no property is called \(untested)")
    }

    /// By the vendors' names.
    private var checks: [String: @MainActor () throws -> Void] {
        presentationChecks.merging(termsPageChecks) { first, _ in first }.merging(callbackChecks) { first, _ in first }
    }

    private func page(_ path: String) throws -> PageDescription { try #require(try PageSamples.page(path)) }

    /// A page that was made and not shown.
    private func made(_ path: String) throws -> AuthorizationPageViewController {
        try AuthorizationPageViewController(page(path), facts: .sample(.mobile), supplies: Drawing.supplies())
    }

    // MARK: - How the page comes and goes

    private var presentationChecks: [String: @MainActor () throws -> Void] {
        [
            "statusBarStyle": {
                let found = try made("statusBar.style").preferredStatusBarStyle
                #expect(found == .lightContent)
                let usual = try AuthorizationPageViewController(.usual, facts: .sample(.mobile))
                #expect(usual.preferredStatusBarStyle == .darkContent)
            },
            "supportedInterfaceOrientations": {
                let found = try made("presentation.orientations").supportedInterfaceOrientations
                #expect(found == [.portrait, .portraitUpsideDown])
            },
            "modalPresentationStyle": {
                let found = try made("presentation.coverage").modalPresentationStyle
                #expect(found == .pageSheet)
            },
            "userInterfaceStyle": {
                let found = try made("presentation.appearance").overrideUserInterfaceStyle
                #expect(found == .dark)
            },
            "pullAuthVCStyle": {
                let lab = PageOnScreen(isStacked: true)
                let page = try lab.show(page("presentation.style"))
                #expect(lab.stack?.topViewController === page)
                #expect(lab.stack?.isNavigationBarHidden == true)
                lab.tap(.back)
                #expect(lab.stack?.topViewController === lab.host)
                #expect(lab.stack?.isNavigationBarHidden == false)
            },
            "pullAnimate": {
                StandInScreen.holdsTransitions = true
                defer { StandInScreen.holdsTransitions = false }
                let lab = PageOnScreen()
                // Without animation it is there at once; with it, it is still coming.
                try lab.show(page("presentation.animated")) {
                    $0.lifeCycle = { step, _ in lab.log.append(step.rawValue) }
                }
                #expect(lab.log.last == "viewDidAppear")
                let other = PageOnScreen()
                try other.show { $0.lifeCycle = { step, _ in other.log.append(step.rawValue) } }
                #expect(other.log.last == "viewWillAppear")
                StandInScreen.finishTransitions()
            },
            "popupAnimationStyle": {
                for (style, expected) in [
                    (PageDescription.Popup.Animation.coverVertical, UIModalTransitionStyle.coverVertical),
                    (.flipHorizontal, .flipHorizontal), (.crossDissolve, .crossDissolve),
                ] {
                    let page = PageDescription.inPopup.with { $0.popup?.animation = style }
                    let controller = try AuthorizationPageViewController(page, facts: .sample(.mobile))
                    #expect(controller.modalTransitionStyle == expected)
                    #expect(controller.modalPresentationStyle == .overFullScreen)
                }
            },
            "popupTransitionAnimation": {
                let page = PageDescription.inPopup.with {
                    $0.popup?.animation = .custom
                    $0.popup?.animationSlot = PageSlot("spring")
                }
                let animation = CABasicAnimation(keyPath: "opacity")
                let shown = try showing(page, "spring", animation)
                #expect(shown.controller.panel.layer.standInAnimations.contains { $0.animation === animation })
            },
            "modalPresentationAnimation": {
                let animation = CABasicAnimation(keyPath: "opacity")
                let shown = try showing(page("presentation.arrival"), "rise", animation)
                #expect(shown.controller.view.layer.standInAnimations.contains { $0.animation === animation })
                let transition = CATransition()
                let other = try showing(page("presentation.arrival"), "rise", transition)
                #expect(other.lab.screen.window.layer.standInAnimations.contains { $0.animation === transition })
            },
            "modalDismissAnimation": {
                let animation = CABasicAnimation(keyPath: "opacity")
                let shown = try showing(page("presentation.departure"), "sink", animation)
                #expect(shown.controller.view.layer.standInAnimations.isEmpty)
                shown.lab.tap(.back)
                #expect(shown.controller.view.layer.standInAnimations.contains { $0.animation === animation })
                #expect(shown.lab.host.presentedViewController == nil)
            },
            "allowGifOrVideoPlayRepeat": {
                let file = FileManager.default.temporaryDirectory.appending(
                    path: "benji-\(ProcessInfo.processInfo.processIdentifier).gif")
                try Data("GIF89a".utf8).write(to: file)
                defer { try? FileManager.default.removeItem(at: file) }
                for (repeats, expected) in [(true, Double.infinity), (false, 1)] {
                    StandInAnimation.running = []
                    let view = AnimatedImageView(file, repeats: repeats)
                    #expect(StandInAnimation.running.first?.loopCount == expected)
                    StandInAnimation.running.first?.step()
                    #expect(view.image?.standInName.hasSuffix("#0") == true)
                }
                #expect(VideoView(file, repeats: true).isLooping)
                #expect(!VideoView(file, repeats: false).isLooping)
            },
            "protocolShakeStyle": {
                for (shake, axis) in [(PageDescription.Terms.Shake.horizontal, "x"), (.vertical, "y")] {
                    let lab = PageOnScreen()
                    let page = try lab.show(.usual.with { $0.terms.shake = shake })
                    lab.tap(.login)
                    let keys = page.agreement.layer.standInAnimations.map {
                        ($0.animation as? CAKeyframeAnimation)?.keyPath ?? ""
                    }
                    #expect(keys == ["transform.translation." + axis])
                }
            },
            "activeLinkAttributes": {
                let lab = PageOnScreen()
                let page = try lab.show(
                    .usual.with { $0.terms.pressedLinkColor = AdaptiveColor(0xee0000, dark: 0xee0000) })
                let red = UIColor(PageColor(0xee0000))
                @MainActor func isRed() -> Bool {
                    lab.view(.terms).map { DrawnBox($0) }?.texts.contains { $0.contains(red.description) } == true
                }
                #expect(!isRed())
                let area = try #require(page.scene.linkAreas.first?.area)
                let hit = lab.screen.press(CGPoint(x: area.midX, y: area.midY))
                #expect(isRed())
                lab.screen.release(hit, inside: false)
                #expect(!isRed())
            },
        ]
    }

    private func showing(
        _ page: PageDescription, _ name: String, _ animation: CAAnimation
    ) throws -> (lab: PageOnScreen, controller: AuthorizationPageViewController) {
        let lab = PageOnScreen()
        var supplies = PageSupplies()
        supplies.animation = { $0 == name ? animation : nil }
        return (lab, try lab.show(page, supplies: supplies))
    }

    // MARK: - The page of the terms

    private func terms(_ path: String) throws -> TermsViewController {
        let lab = PageOnScreen()
        let page = try lab.show(page(path), supplies: Drawing.supplies())
        try lab.tapLink(0)
        let terms = try #require(page.presentedViewController as? TermsViewController)
        lab.screen.settle()
        return terms
    }

    private var termsPageChecks: [String: @MainActor () throws -> Void] {
        [
            "webNaviHidden": {
                let bar = try terms("webPage.barHidden").view.subviews.first { $0.subviews.contains { $0 is UILabel } }
                #expect(bar?.isHidden == true)
            },
            "webNaviTitle": {
                let found = try terms("webPage.title").title
                #expect(found == "条款")
            },
            "webNaviBgColor": {
                let color = try terms("webPage.color").view.backgroundColor
                #expect(color == UIColor(PageColor(0xabcdef)))
            },
            "webBackBtnHidden": {
                let terms = try terms("webPage.back.hidden")
                #expect(backButton(terms)?.isHidden == true)
                // There must be a way out.
                #expect(terms.modalPresentationStyle == .pageSheet)
            },
            "webBackBtnRect": {
                let frame = try #require(backButton(try terms("webPage.back.placement"))).frame
                // 100 × 30.125 asked for, at most 40 × 40 given; left 13, top 11 in the bar.
                #expect(frame == CGRect(x: 13, y: 59 + 11, width: 40, height: 30.125))
            },
        ]
    }

    private func backButton(_ terms: TermsViewController) -> UIView? {
        terms.view.subviews.first { $0.accessibilityIdentifier == "benji.terms.back" }
    }

    // MARK: - Callbacks

    private var callbackChecks: [String: @MainActor () throws -> Void] {
        [
            "viewLifeCycleBlock": {
                let lab = PageOnScreen()
                let page = try lab.show { $0.lifeCycle = { step, animated in lab.log.append("\(step) \(animated)") } }
                page.close(animated: false)
                #expect(
                    lab.log == [
                        "viewDidLoad false", "viewWillAppear true", "viewDidAppear true", "viewWillDisappear false",
                        "viewDidDisappear false", "decided",
                    ])
            },
            "clickAuthButtonBlock": {
                let lab = PageOnScreen()
                try lab.show { $0.loginTapped = { lab.log.append("login \($0)") } }
                lab.tap(.login)
                lab.tap(.tick)
                lab.tap(.login)
                #expect(lab.log == ["login false", "login true", "decided"])
            },
            "clickCheckboxBlock": {
                let lab = PageOnScreen()
                try lab.show { $0.tickChanged = { lab.log.append("\($0)") } }
                lab.tap(.tick)
                lab.tap(.tick)
                #expect(lab.log == ["true", "false"])
            },
            "carrierTermItemBlock": {
                let lab = PageOnScreen()
                let page = try lab.show {
                    $0.termsTapped = { link, controller in
                        lab.log.append("all \(link.title) \(controller === lab.page)")
                    }
                    $0.itemTapped[1] = { link, _ in lab.log.append("own \(link.url)") }
                }
                for link in 0..<3 { try lab.tapLink(link) }
                #expect(
                    lab.log == [
                        "all 《中国移动认证服务条款》 true", "all 《用户协议》 true", "own https://app.example/privacy",
                    ])
                #expect(page.presentedViewController == nil)
            },
            "protocolHintBlock": {
                for shows in [true, false] {
                    let lab = PageOnScreen()
                    try lab.show {
                        $0.tickMissing = {
                            lab.log.append("hint")
                            return shows
                        }
                    }
                    lab.tap(.login)
                    #expect(lab.log == ["hint"])
                    #expect((lab.view(.hint) != nil) == shows)
                }
            },
            "authVCTransitionBlock": {
                let lab = PageOnScreen()
                try lab.show {
                    $0.customArea = { _ in lab.log.append("area") }
                    $0.transition = { size, _, area in
                        lab.log.append("\(size.width) × \(size.height) \(area.frame.minY)")
                    }
                }
                lab.rotate()
                #expect(lab.log == ["area", "852.0 × 393.0 103.0"])
            },
            "tapAuthBackgroundBlock": {
                for closes in [true, false] {
                    let lab = PageOnScreen()
                    let page = try lab.show(.inPopup.with { $0.popup?.closesOnOutsideTap = closes }) {
                        $0.outsideTapped = { lab.log.append("outside") }
                    }
                    #expect(lab.screen.tap(CGPoint(x: 5, y: 5)) === lab.view(.mask))
                    #expect(lab.log == (closes ? ["decided", "outside"] : ["outside"]))
                    #expect((page.presentingViewController == nil) == closes)
                }
            },
            "stopLoadingViewBlock": {
                let lab = PageOnScreen()
                var containers: [UIView] = []
                let page = try lab.show {
                    $0.loadingStarted = { container in
                        lab.log.append("started")
                        containers.append(container)
                    }
                    $0.loadingStopped = { container in
                        lab.log.append("stopped \(container.window != nil)")
                        containers.append(container)
                    }
                }
                lab.tap(.tick)
                lab.tap(.login)
                #expect(lab.view(.loading)?.isHidden == true)
                page.stopLoading()
                #expect(lab.log == ["started", "decided", "stopped true"])
                #expect(containers.count == 2)
                #expect(containers.first === containers.last)
                #expect(containers.first?.frame == page.panel.bounds)
            },
            "clickBackButtonBlock": {
                let lab = PageOnScreen()
                let page = try lab.show { $0.backTapped = { lab.log.append("back") } }
                lab.tap(.back)
                #expect(lab.log == ["decided", "back"])
                #expect(lab.decisions == [.cancelled])
                #expect(page.presentingViewController == nil)
            },
            "clickSwitchButtonBlock": {
                let lab = PageOnScreen()
                let page = try lab.show { $0.switchTapped = { lab.log.append("switch") } }
                lab.tap(.switchAccount)
                #expect(lab.log == ["decided", "switch"])
                #expect(lab.decisions == [.switchAccount])
                #expect(page.presentingViewController === lab.host)
            },
            "customAuthActionBlock": {
                let lab = PageOnScreen()
                var goesOn = false
                try lab.show {
                    $0.shouldLogIn = {
                        lab.log.append("ask")
                        return goesOn
                    }
                }
                lab.tap(.login)
                lab.tap(.tick)
                lab.tap(.login)
                #expect(lab.log == ["ask"])
                goesOn = true
                lab.tap(.login)
                #expect(lab.log == ["ask", "ask", "decided"])
            },
        ]
    }
}

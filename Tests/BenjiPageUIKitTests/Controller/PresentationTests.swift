import BenjiPage
import Testing
import UIKit

@testable import BenjiPageUIKit

@MainActor @Suite(.serialized) struct PresentationTests {
    /// Why showing a page from `host` fails.
    private func problem(
        _ description: PageDescription = .usual, from host: UIViewController
    ) throws -> PagePresentationError? {
        let page = try AuthorizationPageViewController(description, facts: .sample(.mobile), strictness: .everyError)
        do {
            try page.show(from: host)
            return nil
        } catch { return error }
    }

    @Test(
        """
        A page is not shown from nowhere, from something that goes, without a stack to push onto, or twice; it says why
        """
    )
    func hosts() throws {
        StandInScreen.refusals = []
        let loose = UIViewController(nibName: nil, bundle: nil)
        #expect(try problem(from: loose) == .hostNotOnScreen)
        _ = loose.view
        #expect(try problem(from: loose) == .hostNotOnScreen)
        let lab = PageOnScreen()
        #expect(try problem(.usual.with { $0.presentation.style = .push }, from: lab.host) == .noNavigationController)
        let page = try lab.show()
        #expect(throws: PagePresentationError.alreadyShown) { try page.show(from: lab.host) }
        page.close(animated: false)
        #expect(throws: PagePresentationError.alreadyShown) { try page.show(from: lab.host) }
        // UIKit itself never had to refuse.
        #expect(StandInScreen.refusals == [])
    }

    @Test("A controller that is presenting something already shows the page over that")
    func presenting() throws {
        let lab = PageOnScreen()
        let sheet = UIViewController(nibName: nil, bundle: nil)
        lab.host.present(sheet, animated: false)
        let page = try lab.show()
        #expect(page.presentingViewController === sheet)
        lab.tap(.back)
        #expect(sheet.presentedViewController == nil)
        #expect(lab.host.presentedViewController === sheet)
    }

    @Test("While a controller is coming or going the page is refused, not lost")
    func busy() throws {
        StandInScreen.holdsTransitions = true
        defer {
            StandInScreen.finishTransitions()
            StandInScreen.holdsTransitions = false
        }
        let lab = PageOnScreen()
        let sheet = UIViewController(nibName: nil, bundle: nil)
        lab.host.present(sheet, animated: true)
        #expect(try problem(from: lab.host) == .hostIsBusy)
        StandInScreen.finishTransitions()
        lab.host.dismiss(animated: true)
        #expect(try problem(from: sheet) == .hostIsBusy)
    }

    @Test("A page that breaks a rule is refused with the reason before anybody sees it")
    func refused() throws {
        let lab = PageOnScreen()
        let problem = try problem(.usual.with { $0.number.font.size = 10 }, from: lab.host)
        guard case .refused(let refusal) = problem else {
            Issue.record("shown: \(String(describing: problem))")
            return
        }
        #expect(refusal.findings.map(\.rule).contains(.numberSize))
        #expect(lab.host.presentedViewController == nil)
    }

    @Test("Closing while the page is still coming closes it as soon as it has come")
    func closedWhileComing() throws {
        StandInScreen.holdsTransitions = true
        defer { StandInScreen.holdsTransitions = false }
        let lab = PageOnScreen()
        let page = try lab.show()
        var closed = 0
        page.close(animated: true) { closed += 1 }
        StandInScreen.finishTransitions()
        #expect(closed == 1)
        #expect(lab.host.presentedViewController == nil)
        #expect(lab.decisions == [.cancelled])
    }

    @Test("A sheet that is swiped down was cancelled, once")
    func swiped() throws {
        let lab = PageOnScreen()
        let page = try lab.show(.usual.with { $0.presentation.coverage = .pageSheet })
        lab.screen.swipeDown(page)
        #expect(lab.decisions == [.cancelled])
    }

    @Test("An app that dismisses everything takes the page with it, also with terms open over it")
    func dismissedByApp() throws {
        let lab = PageOnScreen()
        let page = try lab.show()
        try lab.tapLink(1)
        #expect(page.presentedViewController is TermsViewController)
        lab.host.dismiss(animated: false)
        #expect(lab.decisions == [.cancelled])
        #expect(lab.host.presentedViewController == nil)
    }

    @Test("A page taken off a stack from under its pushed terms was cancelled, and the bar is back")
    func poppedUnderTerms() throws {
        let lab = PageOnScreen(isStacked: true)
        try lab.show(.usual.with { $0.presentation.style = .push })
        try lab.tapLink(1)
        #expect(lab.stack?.topViewController is TermsViewController)
        lab.stack?.popToRootViewController(animated: false)
        #expect(lab.decisions == [.cancelled])
        #expect(lab.stack?.isNavigationBarHidden == false)
    }

    @Test("In an app that is landscape only a portrait page stands as the app does, instead of ending it")
    func noSharedOrientation() throws {
        StandInScreen.refusals = []
        UIApplication.shared.standInOrientations = .landscape
        defer { UIApplication.shared.standInOrientations = .all }
        let lab = PageOnScreen()
        let page = try lab.show(.usual.with { $0.presentation.orientations = [.portrait] })
        #expect(StandInScreen.refusals == [])
        #expect(lab.host.presentedViewController === page)
        #expect(page.supportedInterfaceOrientations == .landscape)
        let naive = PortraitOnly(nibName: nil, bundle: nil)
        naive.modalPresentationStyle = .fullScreen
        page.present(naive, animated: false)
        #expect(StandInScreen.refusals.count == 1)
    }

    @Test("A page is held to the orientations that the description and the app share")
    func sharedOrientations() throws {
        let lab = PageOnScreen()
        let page = try lab.show(.usual.with { $0.presentation.orientations = [.portrait] })
        #expect(page.supportedInterfaceOrientations == .portrait)
        #expect(!lab.rotate())
        UIApplication.shared.standInOrientations = [.portrait, .landscapeLeft]
        defer { UIApplication.shared.standInOrientations = .all }
        page.close(animated: false)
        let turning = try lab.show(.usual.with { $0.presentation.orientations = [.landscapeLeft, .landscapeRight] })
        #expect(turning.supportedInterfaceOrientations == .landscapeLeft)
    }

    @Test("A pushed page turns as its navigation controller says, and can be used then")
    func pushedAndTurned() throws {
        let lab = PageOnScreen(isStacked: true)
        let page = try lab.show(
            .usual.with {
                $0.presentation.style = .push
                $0.presentation.orientations = [.portrait]
            })
        #expect(lab.rotate())
        #expect(page.scene.screen.size.width > page.scene.screen.size.height)
        lab.tap(.tick)
        lab.tap(.login)
        guard case .consented? = lab.decisions.first else {
            Issue.record("\(lab.decisions)")
            return
        }
    }

    @Test("A pushed page hides the bar and can still be left by swiping back, and the stack gets its own rule back")
    func swipedBack() throws {
        let lab = PageOnScreen(isStacked: true)
        let stack = try #require(lab.stack)
        let own = stack.interactivePopGestureRecognizer?.delegate
        try lab.show(.usual.with { $0.presentation.style = .push })
        #expect(stack.isNavigationBarHidden)
        #expect(lab.screen.swipeBack(stack))
        #expect(lab.decisions == [.cancelled])
        #expect(!stack.isNavigationBarHidden)
        #expect(stack.interactivePopGestureRecognizer?.delegate === own)
        #expect(!lab.screen.swipeBack(stack), "there is nothing to go back to")
    }

    @Test("A page that waits for its token is not left by swiping back")
    func notSwipedWhileWaiting() throws {
        let lab = PageOnScreen(isStacked: true)
        let stack = try #require(lab.stack)
        try lab.show(.usual.with { $0.presentation.style = .push })
        lab.tap(.tick)
        lab.tap(.login)
        #expect(!lab.screen.swipeBack(stack))
        #expect(stack.topViewController === lab.page)
    }

    @Test("Reading the terms and coming back changes nothing, modal and pushed")
    func terms() throws {
        for isPushed in [false, true] {
            let lab = PageOnScreen(isStacked: isPushed)
            let page = try lab.show(.usual.with { $0.presentation.style = isPushed ? .push : .modal })
            lab.tap(.tick)
            try lab.tapLink(2)
            let terms = try #require(
                (isPushed ? lab.stack?.topViewController : page.presentedViewController) as? TermsViewController)
            #expect(terms.title == "《隐私政策》")
            lab.screen.settle()
            let back = try #require(terms.view.subviews.first { $0.accessibilityIdentifier == "benji.terms.back" })
            #expect(lab.screen.tap(back) === back)
            #expect(lab.decisions == [])
            #expect(page.isTicked)
            #expect(lab.stack?.isNavigationBarHidden ?? true)
            lab.tap(.login)
            guard case .consented(let times)? = lab.decisions.first else {
                Issue.record("\(lab.decisions)")
                continue
            }
            #expect(times.shown < times.ticked)
        }
    }

    @Test("A pushed page that is popped by the app gives the bar back and was cancelled")
    func popped() throws {
        let lab = PageOnScreen(isStacked: true)
        try lab.show(.usual.with { $0.presentation.style = .push })
        lab.stack?.popToRootViewController(animated: false)
        #expect(lab.decisions == [.cancelled])
        #expect(lab.stack?.isNavigationBarHidden == false)
    }

    @Test("A host without a bar keeps none after a pushed page")
    func hiddenBar() throws {
        let lab = PageOnScreen(isStacked: true)
        lab.stack?.setNavigationBarHidden(true, animated: false)
        try lab.show(.usual.with { $0.presentation.style = .push })
        lab.tap(.back)
        #expect(lab.stack?.isNavigationBarHidden == true)
    }

    @Test(
        "Whatever ends a page, nothing keeps it: not its views, its callbacks, its terms or a hint that is still to go")
    func leaks() throws {
        let ends: [(String, @MainActor (PageOnScreen) throws -> Void)] = [
            ("back", { $0.tap(.back) }), ("the app", { $0.page?.close(animated: false) }),
            ("the host", { $0.host.dismiss(animated: false) }),
            (
                "after terms",
                {
                    try $0.tapLink(0)
                    $0.host.dismiss(animated: false)
                }
            ),
            (
                "after login",
                {
                    $0.tap(.tick)
                    $0.tap(.login)
                    $0.page?.close(animated: false)
                }
            ),
            (
                "with a hint",
                {
                    $0.tap(.login)
                    $0.tap(.back)
                }
            ),
        ]
        for (name, end) in ends {
            let lab = PageOnScreen()
            weak var panel: UIView?
            try {
                var held: AuthorizationPageViewController? = try lab.show(
                    .usual.with { $0.background.video = PageSlot("rain.mp4") }, supplies: Drawing.supplies()
                ) { callbacks in
                    callbacks.customArea = { $0.addSubview(UIView(frame: .zero)) }
                }
                // The usual mistake of an app: a callback that holds the page.
                held?.callbacks.switchTapped = { [held] in _ = held }
                panel = held?.panel
                held = nil
            }()
            #expect(lab.page != nil, "\(name): gone before its end")
            try end(lab)
            #expect(lab.page == nil, "\(name): the page is still there")
            #expect(panel == nil, "\(name): its views are still there")
        }
    }
}

/// A page as it was before it asked the app for its orientations.
private final class PortraitOnly: UIViewController {
    override var supportedInterfaceOrientations: UIInterfaceOrientationMask { .portrait }
}

import BenjiPage
import PageProperties
import Testing
import UIKit

@testable import BenjiPageUIKit

/// A page on the screen of a stand-in, the finger that uses it, and what it told.
@MainActor final class PageOnScreen {
    let host = UIViewController(nibName: nil, bundle: nil)
    let stack: UINavigationController?
    let screen: StandInScreen
    weak var page: AuthorizationPageViewController?
    var log: [String] = []
    var decisions: [PageDecision] = []
    var time: Int64 = 1000
    /// The calls that were put off, in order.
    var later: [@MainActor () -> Void] = []

    static let portraitSafe = UIEdgeInsets(top: 59, left: 0, bottom: 34, right: 0)
    static let landscapeSafe = UIEdgeInsets(top: 0, left: 59, bottom: 21, right: 59)

    /// - Parameter isStacked: whether the app has a navigation controller.
    init(isStacked: Bool = false) {
        if isStacked {
            let stack = UINavigationController(rootViewController: host)
            self.stack = stack
            screen = StandInScreen(stack)
        } else {
            stack = nil
            screen = StandInScreen(host)
        }
    }

    /// Makes a page and shows it; only UIKit keeps it.
    @discardableResult
    func show(
        _ description: PageDescription = .usual, _ carrier: PageCarrier = .mobile,
        profile: PageProfile = .current, strictness: PageStrictness = .voidConsent,
        language: Language = .simplifiedChinese, supplies: PageSupplies = PageSupplies(),
        _ change: (inout PageCallbacks) -> Void = { _ in }
    ) throws -> AuthorizationPageViewController {
        var callbacks = PageCallbacks()
        callbacks.decided = { [weak self] decision in
            self?.decisions.append(decision)
            self?.log.append("decided")
        }
        change(&callbacks)
        let page = try AuthorizationPageViewController(
            description, facts: .sample(carrier), supplies: supplies, callbacks: callbacks, profile: profile,
            strictness: strictness, language: language, clock: clock)
        try page.show(from: host)
        self.page = page
        screen.settle()
        return page
    }

    var clock: PageClock {
        PageClock(
            now: { [weak self] in
                self?.time += 1000
                return self?.time ?? 0
            }, after: { [weak self] _, action in self?.later.append(action) })
    }

    @discardableResult
    func rotate(toLandscape: Bool = true) -> Bool {
        if toLandscape {
            screen.rotate(width: 852, height: 393, safeArea: Self.landscapeSafe)
        } else {
            screen.rotate(width: 393, height: 852, safeArea: Self.portraitSafe)
        }
    }

    /// The view of a box.
    func view(_ role: PageRole, _ number: Int = 0) -> PageBoxView? {
        page?.boxViews[BoxKey(role: role, number: number)]
    }

    /// Taps the middle of a box with the finger, and fails when another view takes the tap.
    func tap(_ role: PageRole, sourceLocation: SourceLocation = #_sourceLocation) {
        guard let view = view(role) else {
            Issue.record("there is no \(role)", sourceLocation: sourceLocation)
            return
        }
        let hit = screen.tap(view)
        #expect(hit === view, "the tap on \(role) went to \(String(describing: hit))", sourceLocation: sourceLocation)
    }

    /// Taps the middle of a link's first part.
    func tapLink(_ index: Int, in role: PageRole = .terms, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let area = try #require(
            page?.scene[role]?.linkAreas.first { $0.link == index }?.area, sourceLocation: sourceLocation)
        screen.tap(CGPoint(x: area.midX, y: area.midY))
    }
}

extension PageDescription {
    /// The page of an app that names its terms and leaves everything else at its default.
    static let usual = PageSamples.usual

    func with(_ change: (inout PageDescription) -> Void) -> PageDescription {
        var page = self
        change(&page)
        return page
    }

    static let inPopup = PageDescription.usual.with { $0.popup = Popup() }
}

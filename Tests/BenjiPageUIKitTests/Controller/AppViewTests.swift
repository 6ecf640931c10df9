import BenjiPage
import Testing
import UIKit

@testable import BenjiPageUIKit

@MainActor @Suite struct AppViewTests {
    @Test("The custom area begins below the bar, or is the popup's panel; its views take their taps and no others")
    func customArea() throws {
        for page in [PageDescription.usual, .inPopup] {
            let lab = PageOnScreen()
            let button = UIButton(frame: CGRect(x: 5, y: 60, width: 40, height: 40))
            button.addAction(UIAction { _ in lab.log.append("other") }, for: .touchUpInside)
            let controller = try lab.show(page) {
                $0.customArea = { area in
                    lab.log.append("area \(area.bounds.width > 0)")
                    area.addSubview(button)
                }
            }
            let top = page.popup == nil ? 103 : controller.scene.viewport.y
            #expect(Double(controller.customArea.convert(CGPoint.zero, to: nil).y) == top)
            lab.screen.tap(button)
            lab.tap(.tick)
            lab.rotate()
            #expect(lab.log == ["area true", "other"])
        }
    }

    @Test("An app that lays the page out itself gets all its views, and its frames stay until the screen changes")
    func layout() throws {
        let lab = PageOnScreen()
        var calls = 0
        try lab.show { callbacks in
            callbacks.layout = { views in
                calls += 1
                for view in [
                    views.back, views.logo, views.number, views.switchAccount, views.login, views.slogan, views.tick,
                    views.terms, views.navigationBar,
                ] {
                    #expect(view != nil)
                }
                #expect(views.title == nil)
                #expect(views.close == nil)
                views.logo?.frame.origin = CGPoint(x: 7, y: 200)
            }
        }
        #expect(lab.view(.logo)?.frame.origin == CGPoint(x: 7, y: 200))
        lab.tap(.tick)
        #expect(lab.view(.logo)?.frame.origin == CGPoint(x: 7, y: 200))
        #expect(calls == 1)
        lab.rotate()
        #expect(calls == 2)
        #expect(lab.view(.logo)?.frame.origin == CGPoint(x: 7, y: 200))
        lab.tap(.login)
        #expect(lab.decisions.count == 1)
    }

    @Test(
        "A view in the app's window counts as lying over the page when something of it is seen, and only then",
        arguments: [(0.0, false, false), (1.0, true, false), (1.0, false, true)])
    func overlay(alpha: Double, isHidden: Bool, refuses: Bool) throws {
        for paintsItself in [true, false] {
            let lab = PageOnScreen()
            try lab.show()
            // A progress display that the app keeps in its window, for the next time that it waits.
            let overlay = UIView(frame: lab.screen.window.bounds)
            let panel = UIView(frame: overlay.bounds)
            (paintsItself ? overlay : panel).backgroundColor = .black
            overlay.addSubview(panel)
            overlay.alpha = CGFloat(alpha)
            overlay.isHidden = isHidden
            overlay.isUserInteractionEnabled = false
            lab.screen.window.addSubview(overlay)
            lab.tap(.tick)
            lab.tap(.login)
            if case .refused? = lab.decisions.first {
                #expect(refuses, "paints itself: \(paintsItself)")
            } else {
                #expect(!refuses, "paints itself: \(paintsItself)")
            }
        }
    }

    @Test("What the app did to the page keeps it from being used: moved, hidden, covered, or robbed of its taps")
    func tampered() throws {
        let tampering: [(String, @MainActor (PageOnScreen) -> Void)] = [
            ("terms moved off", { $0.view(.terms)?.frame.origin.y = 3000 }),
            ("terms hidden", { $0.view(.terms)?.isHidden = true }),
            ("terms faded", { $0.page?.agreement.alpha = 0.1 }),
            ("number shrunk", { $0.view(.number)?.frame.size = CGSize(width: 3, height: 3) }),
            (
                "terms covered",
                {
                    let cover = UIView(frame: CGRect(x: 0, y: 700, width: 393, height: 152))
                    cover.backgroundColor = .white
                    $0.page?.view.addSubview(cover)
                    cover.isUserInteractionEnabled = false
                }
            ),
            (
                "links robbed",
                {
                    let area = $0.view(.terms).map { $0.convert($0.bounds, to: nil) } ?? .zero
                    $0.page?.view.addSubview(UIView(frame: area))
                }
            ),
        ]
        for (name, tamper) in tampering {
            let lab = PageOnScreen()
            // Every tap draws the page again, so the app waits for the last moment.
            try lab.show { $0.loginTapped = { _ in tamper(lab) } }
            lab.tap(.tick)
            lab.tap(.login)
            guard case .refused? = lab.decisions.first else {
                Issue.record("\(name): \(lab.decisions)")
                continue
            }
        }
    }
}

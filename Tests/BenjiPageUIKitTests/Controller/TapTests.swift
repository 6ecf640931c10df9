import BenjiPage
import Testing
import UIKit

@testable import BenjiPageUIKit

@MainActor @Suite struct TapTests {
    @Test("Tick, then login: the person has agreed, once, and the page waits under a mask that takes every tap")
    func login() throws {
        let lab = PageOnScreen()
        let page = try lab.show { callbacks in
            callbacks.loginTapped = { lab.log.append("login \($0)") }
            callbacks.tickChanged = { lab.log.append("tick \($0)") }
        }
        lab.tap(.tick)
        #expect(page.isTicked)
        #expect(lab.view(.tick)?.accessibilityTraits == [.button, .selected])
        lab.tap(.login)
        #expect(lab.log == ["tick true", "login true", "decided"])
        guard case .consented(let times)? = lab.decisions.first else {
            Issue.record("nobody agreed: \(lab.decisions)")
            return
        }
        #expect(times.shown < times.ticked)
        #expect(times.ticked < times.tapped)
        let login = try #require(lab.view(.login))
        #expect(lab.screen.tap(login) === lab.view(.loadingMask))
        #expect(lab.decisions.count == 1)
        page.stopLoading()
        lab.tap(.login)
        #expect(lab.decisions.count == 2)
    }
}

import BenjiPage
import SwiftUI
import Testing
import UIKit

@testable import BenjiPageUIKit

@MainActor @Suite struct SwiftUITests {
    private func page(_ decided: @escaping @MainActor (PageDecision) -> Void) throws -> AuthorizationPageViewController
    {
        var callbacks = PageCallbacks()
        callbacks.decided = decided
        return try AuthorizationPageViewController(
            .usual, facts: .sample(.mobile), callbacks: callbacks, language: .simplifiedChinese)
    }

    @Test("SwiftUI gets the page, is told when it should go, and taking it away unasked is a cancelled login")
    func wrapper() throws {
        for isLeftByPerson in [true, false] {
            var decisions: [PageDecision] = []
            var closed = 0
            let wrapper = AuthorizationPage(try page { decisions.append($0) }) { closed += 1 }
            let context = AuthorizationPage.Context(standIn: ())
            let controller = wrapper.makeUIViewController(context: context)
            wrapper.updateUIViewController(controller, context: context)
            let screen = StandInScreen(controller)
            #expect(controller.isOpen)
            if isLeftByPerson {
                screen.tap(try #require(controller.boxView(.back)))
                #expect(closed == 1)
            }
            AuthorizationPage.dismantleUIViewController(controller, coordinator: ())
            #expect(decisions == [.cancelled])
            #expect(!controller.isOpen)
            #expect(closed == (isLeftByPerson ? 1 : 0))
        }
    }
}

import BenjiPage
import PageProperties
import Testing
import UIKit
import Waiting

@testable import BenjiPageUIKit

/// A page of a login by SMS on the screen of a stand-in, and the person who uses it.
@MainActor private final class SMSPageOnScreen {
    let host = UIViewController(nibName: nil, bundle: nil)
    let screen: StandInScreen
    weak var page: SMSPageViewController?
    var asked: [String] = []
    var decisions: [SMSPageDecision] = []
    var later: [@MainActor () -> Void] = []
    var time: Int64 = 1000

    init() { screen = StandInScreen(host) }

    @discardableResult
    func show(
        _ description: PageDescription = PageSamples.usual, language: Language = .simplifiedChinese
    ) throws -> SMSPageViewController {
        var callbacks = SMSPageCallbacks()
        callbacks.sendCode = { [weak self] in self?.asked.append("send " + $0) }
        callbacks.logIn = { [weak self] digits, _ in self?.asked.append("log in " + digits) }
        callbacks.decided = { [weak self] in self?.decisions.append($0) }
        let page = try SMSPageViewController(
            description, callbacks: callbacks, strictness: .everyError, language: language,
            clock: PageClock(
                now: { [weak self] in
                    self?.time += 1000
                    return self?.time ?? 0
                }, after: { [weak self] _, action in self?.later.append(action) }))
        try page.show(from: host)
        self.page = page
        screen.settle()
        return page
    }

    /// Taps the middle of a box with the finger, and fails when another view takes the tap.
    func tap(_ role: PageRole, sourceLocation: SourceLocation = #_sourceLocation) {
        guard let view = page?.boxViews[role] else {
            Issue.record("there is no \(role)", sourceLocation: sourceLocation)
            return
        }
        let hit = screen.tap(view)
        #expect(hit === view, "the tap on \(role) went to \(String(describing: hit))", sourceLocation: sourceLocation)
    }

    func keyboard(from top: CGFloat) {
        NotificationCenter.default.post(
            name: UIResponder.keyboardWillChangeFrameNotification, object: nil,
            userInfo: [
                UIResponder.keyboardFrameEndUserInfoKey: CGRect(x: 0, y: top, width: 393, height: 852 - top)
            ])
    }
}

@MainActor @Suite(.serialized) struct SMSPageViewControllerTests {
    @Test("The fields are the system's own: a keypad and the phone's number, digits and the code from the message")
    func fields() throws {
        let lab = SMSPageOnScreen()
        let page = try lab.show()
        #expect(page.numberField.keyboardType == .phonePad && page.numberField.textContentType == .telephoneNumber)
        #expect(page.codeField.keyboardType == .numberPad && page.codeField.textContentType == .oneTimeCode)
        #expect(page.numberField.attributedPlaceholder?.string == "手机号码")
        #expect(page.numberField.accessibilityLabel == "手机号码" && page.codeField.accessibilityLabel == "验证码")
        #expect(page.numberField.isFirstResponder, "the person may type at once")
        #expect(page.boxViews[.numberField]?.drawnText.isHidden == true)
        #expect(page.numberField.window != nil)
    }

    @Test("A person types, ticks and taps a whole login through, upright and on its side", arguments: [false, true])
    func whole(onItsSide: Bool) throws {
        let lab = SMSPageOnScreen()
        let page = try lab.show()
        if onItsSide {
            lab.screen.rotate(width: 852, height: 393, safeArea: PageOnScreen.landscapeSafe)
            #expect(page.scene.screen.isLandscape)
        }
        lab.tap(.tick)
        page.numberField.standInType("13800000001")
        lab.tap(.sendCode)
        #expect(lab.asked == ["send 13800000001"])
        page.codeSent(digits: 6, tries: 5)
        #expect(page.codeField.isFirstResponder)
        #expect(page.boxViews[.sendCode]?.isEnabled == false && lab.later.count == 1)
        page.codeField.standInType("123456")
        lab.tap(.login)
        #expect(lab.asked.last == "log in 123456")
        #expect(page.boxViews[.loading] != nil && !page.codeField.isFirstResponder)
        page.refused(.codeWrong)
        #expect(page.codeField.text == "")
        #expect(page.boxViews[.message]?.accessibilityLabel == "验证码不正确，还可尝试 4 次")
        #expect(page.boxViews[.loading] == nil)
    }

    @Test("Back and the button for another way leave the page with their decision, once, and free it")
    func leaving() async throws {
        for (role, decision) in [
            (PageRole.back, SMSPageDecision.cancelled(after: nil)), (.switchAccount, .switchAccount),
        ] {
            let lab = SMSPageOnScreen()
            try lab.show()
            lab.tap(role)
            lab.screen.settle()
            #expect(lab.decisions == [decision])
            #expect(lab.host.presentedViewController == nil)
            try await until { lab.page == nil }
        }
    }

    @Test("A page that breaks rules is not shown, and says which")
    func refused() {
        let lab = SMSPageOnScreen()
        #expect(throws: PagePresentationError.self) { try lab.show(PageDescription()) }
        #expect(lab.host.presentedViewController == nil)
    }

    @Test("The keyboard covers neither field nor login button, and a tap beside everything puts it away")
    func keyboard() throws {
        let lab = SMSPageOnScreen()
        let page = try lab.show()
        let login = try #require(page.scene[.login]?.frame)
        lab.keyboard(from: login.maxY - 10)
        #expect(page.panel.frame.minY == -18)
        lab.keyboard(from: 852)
        #expect(page.panel.frame.minY == 0)
        lab.screen.tap(CGPoint(x: 20, y: 700))
        #expect(!page.numberField.isFirstResponder)
    }

    @Test(
        """
        Links of the terms open over the page; VoiceOver goes through it in the order of the scene, and its escape \
        leaves
        """
    )
    func reading() throws {
        let lab = SMSPageOnScreen()
        let page = try lab.show(language: .english)
        let order = (page.panel.accessibilityElements as? [PageBoxView])?.map(\.role) ?? []
        #expect(order == page.scene.boxes.map(\.role))
        #expect(page.boxViews[.sendCode]?.accessibilityTraits.contains(.button) == true)
        let link = try #require(page.scene[.terms]?.linkAreas.first?.area)
        lab.screen.tap(CGPoint(x: link.midX, y: link.midY))
        lab.screen.settle()
        #expect(page.presentedViewController?.title == "User Agreement")
        page.presentedViewController?.dismiss(animated: false)
        lab.screen.settle()
        #expect(page.accessibilityPerformEscape())
        #expect(lab.decisions == [.cancelled(after: nil)])
    }

    @Test("Dark and large: the page follows the device, and its field's text with it")
    func appearance() throws {
        let lab = SMSPageOnScreen()
        let page = try lab.show(PageSamples.usual.with { $0.presentation.appearance = .dark })
        #expect(page.scene.appearance == .dark)
        #expect(page.numberField.textColor == UIColor(PageColor(0xffffff)))
        #expect(page.preferredStatusBarStyle == .lightContent)
    }
}

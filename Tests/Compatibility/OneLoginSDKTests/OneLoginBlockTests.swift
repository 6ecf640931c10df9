#if canImport(UIKit)
import BenjiPage
import BenjiPageUIKit
import BenjiTesting
import FacadeScenarios
import OneLoginSDK
import Testing
import UIKit

/// The calls of an app's blocks by the page that is drawn.
@MainActor @Suite(.serialized) struct OneLoginBlockTests {
    private let lab = OneLoginLab()
    private let host = UIViewController()
    private let screen: StandInScreen
    private let log = CallLog()
    private let model = OLAuthViewModel.usual

    init() { screen = StandInScreen(host) }

    @Test("Terms with a block are handed to it with title, address and place, and are not opened")
    func terms() async throws {
        let address = try #require(URL(string: "https://app.example/privacy"))
        model.additionalPrivacyTerms = [
            OLPrivacyTermItem(title: "《隐私政策》", linkURL: address, index: 7) { [log] item, controller in
                log.note("\(item.termTitle) \(item.termLink?.absoluteString ?? "") \(item.index)")
                #expect(controller is AuthorizationPageViewController)
            }
        ]
        let page = try await lab.open(model, over: host, log)
        let area = try #require(page.scene.linkAreas.first { $0.link == 1 }?.area)
        screen.tap(CGPoint(x: area.midX, y: area.midY))
        #expect(log.calls == ["《隐私政策》 https://app.example/privacy 7"])
        #expect(page.presentedViewController == nil)
    }

    @Test("The app's own views are on the page: at the right of the bar, and in the area below it")
    func ownViews() async throws {
        let (button, other) = (UIButton(type: .custom), UIView())
        model.naviRightControl = button
        model.customUIHandler = { $0.addSubview(other) }
        let page = try await lab.open(model, over: host, log)
        #expect(button.isDescendant(of: page.view) && other.isDescendant(of: page.view))
        #expect(button.superview !== other.superview)
    }

    @Test("Without the tick a tap calls hintBlock in place of the built-in hint, and asks for nothing")
    func hint() async throws {
        model.hintBlock = { [log] in log.note("hintBlock") }
        model.protocolHintBlock = { [log] in
            log.note("protocolHintBlock")
            return true
        }
        let page = try await lab.open(model, over: host, log)
        let asked = await lab.carrier.requests.count
        screen.tap(try #require(page.views.login))
        #expect(log.calls == ["hintBlock"] && page.scene[.hint] == nil)
        screen.tap(try #require(page.views.tick))
        screen.tap(try #require(page.views.login))
        await log.wait(for: "result")
        #expect(log.calls == ["hintBlock", "result"] && log.results.first?["status"] == 200)
        #expect(await lab.carrier.requests.count == asked + 1)
    }

    @Test("An app that does something of its own after the tap stops the login, and goes on with startRequestToken")
    func ownAction() async throws {
        model.customAuthActionBlock = { [log] in
            log.note("customAuthActionBlock")
            return true
        }
        let page = try await lab.open(model, over: host, log)
        let asked = await lab.carrier.requests.count
        screen.tap(try #require(page.views.tick))
        screen.tap(try #require(page.views.login))
        #expect(log.calls == ["customAuthActionBlock"])
        #expect(await lab.carrier.requests.count == asked)
        await lab.run { OneLogin.startRequestToken() }
        await log.wait(for: "result")
        #expect(log.calls == ["customAuthActionBlock", "result"] && log.results.first?["status"] == 200)
    }
}
#endif

import BenjiPage
import BenjiPageUIKit
import BenjiTesting
import OneTapSMS
import OneTapShell
import OneTapTesting
import TYRZLogin
import Testing
import UIKit
import Waiting

@MainActor @Suite(.serialized) struct BenjiSMSPageTests {
    private let host = UIViewController(nibName: nil, bundle: nil)

    private func logIn() async -> String? {
        let carrier = ScriptedCarrier(number: "13800001010", hasWiFi: true, clock: ManualClock())
        carrier.hasSMSLogin = true
        var surroundings = carrier.surroundings(page: nil)
        surroundings.smsPage = { SMSPageChoice.page }
        return await OneTapShell.$scoped.withValue(OneTapShell(.tyrzLogin, surroundings: surroundings)) {
            TYRZLogin.registerAppId("300000000001", appKey: "key")
            return await withCheckedContinuation { continuation in
                TYRZLogin.loginImplicitly {
                    continuation.resume(returning: ($0 as? [AnyHashable: Any])?["resultCode"] as? String)
                }
            }
        }
    }

    @Test(
        """
        A vendor's login shows the page that the app has described once, over the controller that it names, and none \
        after that was taken back
        """
    )
    func chosen() async throws {
        let screen = StandInScreen(host)
        defer { BenjiSMSPage.useNone() }
        let terms =
            #"{"terms":{"items":[{"title":"《用户协议》","url":"https://app.example/a"},"#
            + #"{"title":"《隐私政策》","url":"https://app.example/p"}]}}"#
        BenjiSMSPage.use(terms, over: { host })
        async let code = logIn()
        try await until { host.presentedViewController is SMSPageViewController }
        screen.settle()
        let page = host.presentedViewController as? SMSPageViewController
        let back = try #require(page?.scene[.back]?.frame)
        screen.tap(CGPoint(x: back.midX, y: back.midY))
        #expect(await code == "102301")

        BenjiSMSPage.use(#"{"terms":[]}"#, over: { host })
        #expect(await logIn() == "102102", "what is no page is an error of the app's")
        BenjiSMSPage.use(terms, over: { nil })
        #expect(await logIn() == "102102")
        BenjiSMSPage.useNone()
        #expect(await logIn() == "102109")
        #expect(host.presentedViewController == nil)
    }
}

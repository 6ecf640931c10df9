#if canImport(UIKit)
import BenjiTesting
import FacadeScenarios
import OneTapShell
import TYRZSDK
import Testing
import UIKit

/// An app's page, as TYRZSDK's document has it made: a subclass that lays itself out in `setupUI`.
@MainActor private final class CustomAuthViewController: UAAuthViewController {
    let number = UILabel(frame: CGRect(x: 100, y: 200, width: 200, height: 30))
    let login = UIButton(frame: CGRect(x: 40, y: 300, width: 313, height: 48))
    let terms = UILabel(frame: CGRect(x: 60, y: 700, width: 300, height: 40))
    var setups = 0

    override func setupUI() {
        setups += 1
        view.backgroundColor = .white
        number.text = "138XXXX0000"
        login.setTitle("一键登录", for: .normal)
        login.backgroundColor = .blue
        terms.text = "登录即同意《中国移动认证服务条款》"
        terms.font = .systemFont(ofSize: 12)
        terms.numberOfLines = 0
        for child in [number, login, terms] { view.addSubview(child) }
    }
}

@MainActor @Suite struct UAAuthViewControllerTests {
    private func authorization(_ page: UAAuthViewController?) async -> ResultFields? {
        _ = await withCheckedContinuation { continuation in
            TYRZSDK.getPhoneNumber(withTimeout: 8000) { continuation.resume(returning: ResultFields($0)) }
        }
        return await withCheckedContinuation { continuation in
            TYRZSDK.getAuthorization(with: page) { continuation.resume(returning: ResultFields($0)) }
        }
    }

    private func answer(_ change: (CustomAuthViewController) -> Void = { _ in }) async -> ResultFields? {
        let carrier = ScriptedCarrier(clock: ManualClock())
        return await carrier.alone(with: .tyrzSDK) {
            TYRZSDK.registerAppId("300000000001", appKey: "key")
            let page = CustomAuthViewController(nibName: nil, bundle: nil)
            let screen = StandInScreen(page)
            change(page)
            screen.settle()
            #expect(page.setups == 1)
            return await authorization(page)
        }
    }

    @Test("A page that an app has drawn by the document's rules gives a token and the openId")
    func good() async {
        let answer = await answer()
        #expect(answer?["resultCode"] == "103000")
        #expect(answer?["openId"] != nil)
    }

    @Test("The base class lays nothing out by itself")
    func empty() {
        let page = UAAuthViewController(nibName: nil, bundle: nil)
        page.setupUI()
        #expect(page.view.subviews.isEmpty)
        #expect(page.firstAppearance == 0, "it has not been on the screen")
    }

    @Test("A page that hides what the person agrees to ends in 200042")
    func hidden() async {
        #expect(await answer { $0.terms.isHidden = true }?["resultCode"] == "200042")
        #expect(await answer { $0.number.alpha = 0 }?["resultCode"] == "200042")
        #expect(await answer { $0.login.setTitle("领取红包", for: .normal) }?["resultCode"] == "200042")
    }

    @Test("A page that is not on the screen ends in 200042; none at all gives a token without openId")
    func absent() async {
        await ScriptedCarrier(clock: ManualClock()).alone(with: .tyrzSDK) {
            TYRZSDK.registerAppId("300000000001", appKey: "key")
            let page = CustomAuthViewController(nibName: nil, bundle: nil)
            #expect(await authorization(page)?["resultCode"] == "200042")
            let implicit = await authorization(nil)
            #expect(implicit?["resultCode"] == "103000")
            #expect(implicit?["openId"] == nil)
        }
    }
}
#endif

import SwiftUI
import TYRZSDK
import UIKit

@main @MainActor struct TYRZSDKExample: App {
    var body: some Scene {
        WindowGroup { ExampleScreen(controller: LoginController()) }
    }
}

final class LoginController: ExampleController {
    override func prepare() { TYRZSDK.registerAppId(Settings.appID, appKey: Settings.appKey) }

    override func logIn() {
        TYRZSDK.getPhoneNumber(withTimeout: 8000) { [weak self] sender in
            guard sender["resultCode"] as? String == "103000" else {
                self?.say("getPhoneNumber", sender)
                return
            }
            self?.showPage(masked: sender["securityphone"] as? String ?? "本机号码")
        }
    }

    private func showPage(masked: String) {
        let page = LoginPage(nibName: nil, bundle: nil)
        page.number.text = masked
        page.tapped = { [weak self, weak page] in
            TYRZSDK.getAuthorization(with: page) { sender in
                page?.dismiss(animated: true)
                self?.say("getAuthorization", sender)
            }
        }
        present(page, animated: true)
    }
}

/// The page that the SDK leaves to the app: number, button and the carrier's terms, all of them in sight.
final class LoginPage: UAAuthViewController {
    let number = UILabel()
    var tapped: (@MainActor () -> Void)?
    private let button = UIButton(type: .system)
    private let terms = UILabel()

    override func setupUI() {
        view.backgroundColor = .white
        number.textColor = .black
        button.setTitle("一键登录", for: .normal)
        button.addAction(UIAction { [weak self] _ in self?.tapped?() }, for: .touchUpInside)
        // For China Mobile. Name the terms of the carrier that the prefetch found, or the login ends with 200042.
        terms.text = "登录即同意《中国移动认证服务条款》"
        terms.textColor = .black
        terms.numberOfLines = 0
        for child in [number, button, terms] { view.addSubview(child) }
    }

    override func viewDidLayoutSubviews() {
        super.viewDidLayoutSubviews()
        let width = view.bounds.width - 80
        number.frame = CGRect(x: 40, y: 200, width: width, height: 30)
        button.frame = CGRect(x: 40, y: 260, width: width, height: 48)
        terms.frame = CGRect(x: 40, y: 330, width: width, height: 48)
    }
}

import BenjiTesting
import TYRZSDK

#if canImport(UIKit)
import UIKit
#endif

/// The samples of TYRZSDK's document. The names are the document's.
@MainActor struct TYRZSDKSamples {
    let appID: String
    let appKey: String
    #if canImport(UIKit)
    private let person = Person()
    private let authVC = CustomAuthViewController(nibName: nil, bundle: nil)
    #endif

    func run() async {
        TYRZSDK.registerAppId(appID, appKey: appKey)
        await withCheckedContinuation { continuation in getPhonenumber { continuation.resume() } }
        await authorize()
        await withCheckedContinuation { continuation in loginImplicity { continuation.resume() } }
        FacadeSamples.log("getNetworkType", TYRZSDK.getNetworkType())
        FacadeSamples.log("delectScrip", ["state": TYRZSDK.delectScrip() ? "YES" : "NO"])
    }

    private func getPhonenumber(_ end: @escaping @MainActor () -> Void) {
        TYRZSDK.getPhoneNumber(withTimeout: 8000) { sender in
            if sender["resultCode"] as? String == "103000" {
                FacadeSamples.log("取号成功", sender)
                #if canImport(UIKit)
                authVC.securityPhoneLable.text = sender["securityphone"] as? String
                #endif
            } else {
                FacadeSamples.log("取号失败", sender)
            }
            end()
        }
    }

    #if canImport(UIKit)
    private func authorize() async {
        person.controller.present(authVC, animated: true)
        await withCheckedContinuation { continuation in
            authVC.authorizeLoginButtonClick = {
                TYRZSDK.getAuthorization(with: authVC) { sender in
                    authorized(sender)
                    person.controller.dismiss(animated: true)
                    continuation.resume()
                }
            }
            let tapped = person.tap(authVC.loginButton)
            FacadeSamples.log("person", ["number": authVC.securityPhoneLable.text ?? "", "tapped": tapped])
            // A tap that went elsewhere is followed by nothing.
            if tapped != "login" { continuation.resume() }
        }
        person.seesTheApp()
    }
    #else
    private func authorize() async {
        await withCheckedContinuation { continuation in
            // The app's own page, on which a person has just tapped.
            TYRZSDK.getAuthorization(with: FakePresenter()) { sender in
                authorized(sender)
                continuation.resume()
            }
        }
    }
    #endif

    private func authorized(_ sender: [AnyHashable: Any]) {
        if sender["resultCode"] as? String == "103000" {
            FacadeSamples.log("授权登录成功", sender)
        } else {
            FacadeSamples.log("授权登录失败", sender)
        }
    }

    private func loginImplicity(_ end: @escaping @MainActor () -> Void) {
        TYRZSDK.getPhoneNumber(withTimeout: 8000) { sender in
            if sender["resultCode"] as? String == "103000" {
                FacadeSamples.log("取号成功", sender)
                TYRZSDK.getAuthorization(with: nil) { sender in
                    if sender["resultCode"] as? String == "103000" {
                        FacadeSamples.log("隐式登录成功", sender)
                    } else {
                        FacadeSamples.log("隐式登录失败", sender)
                    }
                    end()
                }
            } else {
                FacadeSamples.log("取号失败", sender)
                end()
            }
        }
    }
}

#if canImport(UIKit)
/// The page that the document leaves to the app: number, button and terms, by its rules 1 to 4.
@MainActor final class CustomAuthViewController: UAAuthViewController {
    let securityPhoneLable = UILabel(frame: CGRect(x: 100, y: 200, width: 200, height: 30))
    let loginButton = UIButton(frame: CGRect(x: 40, y: 300, width: 313, height: 48))
    var authorizeLoginButtonClick: (@MainActor () -> Void)?
    private let terms = UILabel(frame: CGRect(x: 60, y: 700, width: 300, height: 40))

    override func setupUI() {
        view.backgroundColor = .white
        loginButton.accessibilityIdentifier = "login"
        loginButton.setTitle("一键登录", for: .normal)
        loginButton.backgroundColor = .blue
        loginButton.addAction(UIAction { [weak self] _ in self?.authorizeLoginButtonClick?() }, for: .touchUpInside)
        terms.text = "登录即同意《中国移动认证服务条款》"
        terms.font = .systemFont(ofSize: 12)
        terms.numberOfLines = 0
        for child in [securityPhoneLable, loginButton, terms] { view.addSubview(child) }
    }
}
#endif

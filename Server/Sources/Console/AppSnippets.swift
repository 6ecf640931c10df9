/// The phone's side of an app, for a developer to copy: one Swift file for each SDK, with the app's own values. The
/// vendors' SDKs are Benji's facades, under their names.
struct AppSnippets {
    private let app: String
    private let key: String
    private let gateway: String

    /// - Parameters:
    ///   - key: the app key; a word in its place if `nil`.
    ///   - gateway: where phones call; a word in its place if `nil`.
    init(app: String, key: String?, gateway: String?) {
        self.app = app
        self.key = key ?? "YOUR_APP_KEY"
        self.gateway = gateway ?? "https://gateway.example"
    }

    /// Name for scripts, name for people, text.
    var all: [(name: String, title: String, text: String)] {
        [
            ("uikit", "Swift (UIKit)", uiKit), ("swiftui", "SwiftUI", swiftUI),
            ("tyrzsdk", "TYRZSDK", tyrzSDK), ("tyrzlogin", "TYRZLogin", tyrzLogin),
            ("onelogin", "OneLogin", oneLogin), ("geyan", "GeYan", geYan), ("superid", "SuperID", superID),
        ]
    }

    private var uiKit: String {
        """
        import Benji
        import BenjiPage
        import UIKit

        final class LoginViewController: UIViewController {
            // One for the app's life: what was prefetched lives in it.
            private let phoneLogin = try! PhoneLogin(
                configuration: .init(appID: "\(app)", appKey: "\(key)", server: "\(gateway)"))

            override func viewDidLoad() {
                super.viewDidLoad()
                Task { try? await phoneLogin.prefetch() }
            }

            /// The token for your server, which redeems it once for the number.
            func logIn() async throws -> String {
                let page = PageDescription(terms: [PageTerm("《用户协议》", url: "https://app.example/agreement")])
                return try await phoneLogin.logIn(from: self, page: page).token
            }
        }
        """
    }

    private var swiftUI: String {
        """
        import Benji
        import BenjiClient
        import BenjiPage
        import SwiftUI
        import UIKit

        /// Behind the app's own views: LoginHost(controller: model.host) in a view's background.
        struct LoginHost: UIViewControllerRepresentable {
            let controller: UIViewController

            func makeUIViewController(context: Context) -> UIViewController { controller }
            func updateUIViewController(_ controller: UIViewController, context: Context) {}
        }

        /// Made once, with the app.
        @MainActor final class LoginModel {
            let host = UIViewController()
            private let phoneLogin: PhoneLogin

            init() throws {
                phoneLogin = PhoneLogin(
                    configuration: try .init(appID: "\(app)", appKey: "\(key)", server: "\(gateway)"))
            }

            func prefetch() async { _ = try? await phoneLogin.prefetch() }

            /// The token for your server; nil if the person closed the page.
            func logIn() async throws -> String? {
                let page = PageDescription(terms: [PageTerm("《用户协议》", url: "https://app.example/agreement")])
                do {
                    return try await phoneLogin.logIn(from: host, page: page).token
                } catch let error where error.situation == .userCancelled {
                    return nil
                }
            }
        }
        """
    }

    private var tyrzSDK: String {
        """
        import TYRZSDK
        import UIKit

        /// The app's own page: it shows the number, a button that logs in, and the carrier's terms.
        @MainActor final class LoginPage: UAAuthViewController {
            let number = UILabel(frame: CGRect(x: 40, y: 200, width: 313, height: 32))
            private let button = UIButton(frame: CGRect(x: 40, y: 300, width: 313, height: 48))
            private let terms = UILabel(frame: CGRect(x: 40, y: 700, width: 313, height: 40))
            var onToken: (@MainActor (String?) -> Void)?

            override func setupUI() {
                view.backgroundColor = .white
                button.setTitle("一键登录", for: .normal)
                button.backgroundColor = .blue
                button.addAction(UIAction { [weak self] _ in self?.logIn() }, for: .touchUpInside)
                // For China Mobile. Name the terms of the carrier that the prefetch found, or the login ends with \
        200042.
                terms.text = "登录即同意《中国移动认证服务条款》"
                terms.font = .systemFont(ofSize: 12)
                for child in [number, button, terms] { view.addSubview(child) }
            }

            private func logIn() {
                TYRZSDK.getAuthorization(with: self) { [weak self] sender in
                    self?.onToken?(sender["resultCode"] as? String == "103000" ? sender["token"] as? String : nil)
                }
            }
        }

        @MainActor func startLogin() {
            BenjiServer.use("\(gateway)")  // or BenjiServer in Info.plist
            TYRZSDK.registerAppId("\(app)", appKey: "\(key)")
        }

        @MainActor func showLogin(over controller: UIViewController, onToken: @escaping @MainActor (String?) -> Void) {
            TYRZSDK.getPhoneNumber(withTimeout: 8000) { sender in
                guard sender["resultCode"] as? String == "103000" else { return onToken(nil) }
                let page = LoginPage(nibName: nil, bundle: nil)
                page.number.text = sender["securityphone"] as? String
                page.onToken = onToken
                controller.present(page, animated: true)
            }
        }
        """
    }

    private var tyrzLogin: String {
        """
        import TYRZLogin

        @MainActor func startLogin() {
            BenjiServer.use("\(gateway)")  // or BenjiServer in Info.plist
            TYRZLogin.registerAppId("\(app)", appKey: "\(key)")
        }

        /// A token without a page: your server asks with it whether a number is this phone's.
        @MainActor func requestToken(_ onToken: @escaping @MainActor (String?) -> Void) {
            TYRZLogin.loginImplicitly { sender in
                let result = sender as? [AnyHashable: Any]
                onToken(result?["resultCode"] as? String == "103000" ? result?["token"] as? String : nil)
            }
        }
        """
    }

    private var oneLogin: String {
        """
        import OneLoginSDK
        import UIKit

        @MainActor func startLogin() {
            BenjiServer.use("\(gateway)")  // or BenjiServer in Info.plist
            OneLogin.register(withAppID: "\(app)")
            OneLogin.preGetToken { _ in }
        }

        @MainActor func logIn(
            over controller: UIViewController, _ onToken: @escaping @MainActor (_ token: String?, _ processID: \
        String?) -> Void
        ) {
            let model = OLAuthViewModel()
            OneLogin.requestToken(with: controller, viewModel: model) { result in
                OneLogin.dismissAuthViewController()
                onToken(result?["token"] as? String, result?["processID"] as? String)
            }
        }
        """
    }

    private var geYan: String {
        """
        import GeYanSdk
        import UIKit

        @MainActor func startLogin() {
            BenjiServer.use("\(gateway)")  // or BenjiServer in Info.plist
            GeYanSdk.start(withAppId: "\(app)") { isReady, error, _ in
                if !isReady { print(error?.localizedDescription ?? "") }
            }
            GeYanSdk.preGetToken { _ in }
        }

        @MainActor func logIn(
            over controller: UIViewController, _ onToken: @escaping @MainActor (_ token: String?, _ processID: \
        String?) -> Void
        ) {
            GeYanSdk.oneTapLogin(controller, with: GyAuthViewModel()) { result in
                GeYanSdk.closeAuthVC()
                onToken(result["token"] as? String, result["processID"] as? String)
            }
        }
        """
    }

    private var superID: String {
        """
        import SuperIDSDK
        import UIKit

        @MainActor func startLogin() {
            BenjiServer.use("\(gateway)")  // or BenjiServer in Info.plist
            SuperID.sharedInstance().registerApp(withAppID: "\(app)", withAppSecret: "\(key)")
        }

        /// Its delegate hears how the login ended: superID(_:userDidFinishLoginWithUserInfo:withAppUid:error:)
        @MainActor func logIn(over controller: UIViewController) throws {
            controller.present(try SuperID.sharedInstance().obtainLoginViewController(), animated: true)
        }
        """
    }
}

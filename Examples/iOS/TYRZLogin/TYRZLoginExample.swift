import SwiftUI
import TYRZLogin
import UIKit

@main @MainActor struct TYRZLoginExample: App {
    var body: some Scene {
        WindowGroup { ExampleScreen(controller: LoginController()) }
    }
}

/// There is no page: the token answers whether a number is this phone's own.
final class LoginController: ExampleController {
    override func logIn() {
        TYRZLogin.loginImplicitly(
            withAppId: Settings.appID, appkey: Settings.appKey, capaId: "200", capaIdTime: "", scene: "example"
        ) { [weak self] sender in
            self?.say("loginImplicitly", sender as? [AnyHashable: Any])
        }
    }
}

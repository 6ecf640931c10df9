import SuperIDSDK
import SwiftUI
import UIKit

@main @MainActor struct SuperIDExample: App {
    var body: some Scene {
        WindowGroup { ExampleScreen(controller: LoginController()) }
    }
}

/// Logs in by face: the number by one tap, a consent of its own, and the camera. A simulator has none.
final class LoginController: ExampleController, SuperIDDelegate {
    override func prepare() {
        SuperID.sharedInstance().registerApp(withAppID: Settings.appID, withAppSecret: Settings.appKey)
        SuperID.sharedInstance().delegate = self
    }

    override func logIn() {
        do {
            present(try SuperID.sharedInstance().obtainLoginViewController(), animated: true)
        } catch {
            say("obtainLoginViewController: \(error)")
        }
    }

    func superID(
        _ sender: SuperID, userDidFinishLoginWithUserInfo userInfo: [AnyHashable: Any]?, withAppUid uid: String?,
        error: (any Error)?
    ) {
        say(error.map { "\($0)" } ?? "logged in as \(uid ?? "nobody")", userInfo)
    }
}

import GeYanSdk
import SwiftUI
import UIKit

@main @MainActor struct GeYanExample: App {
    var body: some Scene {
        WindowGroup { ExampleScreen(controller: LoginController()) }
    }
}

final class LoginController: ExampleController {
    override func prepare() {
        GeYanSdk.start(withAppId: Settings.appID, withCallback: nil)
        GeYanSdk.preGetToken { [weak self] sender in self?.say("preGetToken", sender) }
    }

    override func logIn() {
        let viewModel = GyAuthViewModel()
        // The law and today's rules want the tick to be the person's own.
        viewModel.defaultCheckBoxState = false
        GeYanSdk.oneTapLogin(self, with: viewModel) { [weak self] result in
            GeYanSdk.closeAuthVC()
            self?.say("oneTapLogin", result)
        }
    }
}

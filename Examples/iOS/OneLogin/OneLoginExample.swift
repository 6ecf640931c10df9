import OneLoginSDK
import SwiftUI
import UIKit

@main @MainActor struct OneLoginExample: App {
    var body: some Scene {
        WindowGroup { ExampleScreen(controller: LoginController()) }
    }
}

final class LoginController: ExampleController {
    override func prepare() {
        OneLogin.register(withAppID: Settings.appID)
        OneLogin.preGetToken { [weak self] sender in self?.say("preGetToken", sender) }
    }

    override func logIn() {
        let viewModel = OLAuthViewModel()
        // The law and today's rules want the tick to be the person's own.
        viewModel.defaultCheckBoxState = false
        OneLogin.requestToken(with: self, viewModel: viewModel) { [weak self] result in
            OneLogin.dismissAuthViewController()
            self?.say("requestToken", result)
        }
    }
}

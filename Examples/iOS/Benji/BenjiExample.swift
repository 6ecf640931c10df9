import Benji
import SwiftUI
import UIKit

/// Logs in with Benji's own interface, in SwiftUI.
@main @MainActor struct BenjiExample: App {
    private let model = LoginModel()

    var body: some Scene {
        WindowGroup { LoginScreen(model: model) }
    }
}

struct LoginScreen: View {
    let model: LoginModel
    @State private var said = "Nobody is logged in."

    var body: some View {
        VStack {
            Text(said)
            Button("Log in") {
                Task { said = await model.logIn() }
            }
        }
        .background(LoginHost(controller: model.host))
        .task { await model.prefetch() }
    }
}

/// Fills the screen behind the app's own views. The login page is presented from its controller.
struct LoginHost: UIViewControllerRepresentable {
    let controller: UIViewController

    func makeUIViewController(context: Context) -> UIViewController { controller }
    func updateUIViewController(_ controller: UIViewController, context: Context) {}
}

/// Made once, with the app: its `PhoneLogin` holds the prefetched number.
@MainActor final class LoginModel {
    let host = UIViewController()
    private let phoneLogin = Result { () throws(BenjiError) in
        PhoneLogin(
            configuration: try .init(appID: Settings.appID, appKey: Settings.appKey, server: Settings.server))
    }

    /// The page then opens without waiting.
    func prefetch() async { _ = try? await phoneLogin.get().prefetch() }

    /// What to tell the person.
    func logIn() async -> String {
        let page = PageDescription(terms: [PageTerm("《用户协议》", url: "https://app.example/agreement")])
        do {
            let login = try await phoneLogin.get().logIn(from: host, page: page)
            // An app would hand the token to its own server, which redeems it once and has the number.
            return "A token for the app's server: \(login.token)\nIts assurance: \(login.assurance.rawValue)"
        } catch {
            return "\(error.situation.rawValue): \(error.detail)"
        }
    }
}

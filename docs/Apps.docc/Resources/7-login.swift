import Benji
import UIKit

@MainActor final class Login {
    private let phoneLogin: PhoneLogin

    init() throws {
        phoneLogin = PhoneLogin(
            configuration: try .init(
                appID: "300000000001", appKey: "the app's key", server: "http://localhost:8090/phones/phone-1/gateway"))
    }

    func prepare() async { _ = try? await phoneLogin.prefetch() }

    func token(from controller: UIViewController) async throws -> String {
        let page = PageDescription(terms: [PageTerm("《用户协议》", url: "https://app.example/agreement")])
        return try await phoneLogin.logIn(from: controller, page: page).token
    }
}

import Benji
import UIKit

@MainActor final class Login {
    private let phoneLogin: PhoneLogin

    init() throws {
        phoneLogin = PhoneLogin(
            configuration: try .init(
                appID: "300000000001", appKey: "the app's key", server: "http://127.0.0.1:9080"))
    }

    func prepare() async { _ = try? await phoneLogin.prefetch() }
}

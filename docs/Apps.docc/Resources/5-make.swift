import Benji
import UIKit

@MainActor final class Login {
    private let phoneLogin: PhoneLogin

    init() throws {
        phoneLogin = PhoneLogin(
            configuration: try .init(
                appID: "300000000001", appKey: "the app's key", server: "http://localhost:8090/phones/phone-1/gateway"))
    }
}

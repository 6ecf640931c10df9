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

    /// The token for the server, or what the person reads.
    func logIn(from controller: UIViewController) async -> (token: String?, said: String) {
        let page = PageDescription(terms: [PageTerm("《用户协议》", url: "https://app.example/agreement")])
        do {
            return (try await phoneLogin.logIn(from: controller, page: page).token, "")
        } catch {
            switch error.situation {
            case .userCancelled, .switchAccount: return (nil, "")
            case .cellularDataOff: return (nil, "Please switch mobile data on.")
            default: return (nil, "Please log in another way.")
            }
        }
    }
}

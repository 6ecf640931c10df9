import BenjiTesting
import OneLoginSDK

#if canImport(UIKit)
import UIKit
#endif

/// The samples of OneLogin's document. The names are the document's.
@MainActor struct OneLoginSamples {
    let appID: String
    /// The one line that the migration guide asks for: `defaultCheckBoxState = NO`.
    let untickedAtFirst: Bool
    #if canImport(UIKit)
    private let person = Person()
    #endif

    func run() async {
        OneLogin.register(withAppID: appID)
        await withCheckedContinuation { continuation in preGetToken { continuation.resume() } }
        await requestToken()
    }

    private func preGetToken(_ end: @escaping @MainActor () -> Void) {
        OneLogin.preGetToken { sender in
            FacadeSamples.log("sender", sender)
            end()
        }
    }

    #if canImport(UIKit)
    private func requestToken() async {
        let viewModel = OLAuthViewModel()
        viewModel.viewLifeCycleBlock = person.watches
        if untickedAtFirst { viewModel.defaultCheckBoxState = false }
        async let tapping: Void = person.logsIn()
        await withCheckedContinuation { continuation in
            OneLogin.requestToken(with: person.controller, viewModel: viewModel) { result in
                received(result)
                person.hearsOfTheEnd()
                continuation.resume()
            }
        }
        await tapping
        // What the app does when its server has answered.
        await withCheckedContinuation { continuation in
            OneLogin.dismissAuthViewController { continuation.resume() }
        }
        person.seesTheApp()
    }
    #else
    private func requestToken() async {
        await withCheckedContinuation { continuation in
            // A page on which a person ticks and taps at once.
            OneLogin.requestToken(with: FakePresenter()) { result in
                received(result)
                continuation.resume()
            }
        }
    }
    #endif

    private func received(_ result: [AnyHashable: Any]?) {
        FacadeSamples.log("token result", result ?? [:])
        if result?["status"] as? Int == 200 {
            validateTokenAndGetLoginInfo(result?["token"], appID: result?["appID"], processID: result?["processID"])
        } else {
            #if canImport(UIKit)
            OneLogin.dismissAuthViewController()
            #endif
        }
    }

    /// What is sent to the app's server.
    private func validateTokenAndGetLoginInfo(_ token: Any?, appID: Any?, processID: Any?) {
        FacadeSamples.log(
            "params", ["process_id": processID ?? "", "id_2_sign": appID ?? "", "token": token ?? ""])
    }
}

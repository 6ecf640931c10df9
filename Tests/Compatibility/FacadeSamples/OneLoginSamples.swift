import BenjiTesting
import OneLoginSDK

#if canImport(UIKit)
import UIKit
#endif

/// The samples of OneLogin's document, by its own class or by `OneLoginPro`. The names are the document's.
@MainActor struct OneLoginSamples {
    let sdk: OneLogin.Type
    let appID: String
    /// The one line that the migration guide asks for: `defaultCheckBoxState = NO`.
    let untickedAtFirst: Bool
    #if canImport(UIKit)
    private let person = Person()
    #endif

    init(_ sdk: OneLogin.Type, appID: String, untickedAtFirst: Bool) {
        (self.sdk, self.appID, self.untickedAtFirst) = (sdk, appID, untickedAtFirst)
    }

    func run() async {
        sdk.register(withAppID: appID)
        await withCheckedContinuation { continuation in preGetToken { continuation.resume() } }
        await requestToken()
    }

    private func preGetToken(_ end: @escaping @MainActor () -> Void) {
        func received(_ sender: [AnyHashable: Any]?) {
            FacadeSamples.log("sender", sender ?? [:])
            end()
        }
        // OneLoginPro prefetches by itself.
        if sdk == OneLoginPro.self {
            OneLoginPro.getPreGetTokenResult(received)
        } else {
            sdk.preGetToken(completion: received)
        }
    }

    #if canImport(UIKit)
    private func requestToken() async {
        let viewModel = OLAuthViewModel()
        viewModel.viewLifeCycleBlock = person.watches
        if untickedAtFirst { viewModel.defaultCheckBoxState = false }
        async let tapping: Void = person.logsIn()
        await withCheckedContinuation { continuation in
            sdk.requestToken(with: person.controller, viewModel: viewModel) { result in
                received(result)
                person.hearsOfTheEnd()
                continuation.resume()
            }
        }
        await tapping
        // The app does this when its server has answered.
        await withCheckedContinuation { continuation in
            sdk.dismissAuthViewController { continuation.resume() }
        }
        person.seesTheApp()
    }
    #else
    private func requestToken() async {
        await withCheckedContinuation { continuation in
            // A page on which a person ticks and taps at once.
            sdk.requestToken(with: FakePresenter()) { result in
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
            sdk.dismissAuthViewController()
            #endif
        }
    }

    /// Logs the values that the app sends to its server.
    private func validateTokenAndGetLoginInfo(_ token: Any?, appID: Any?, processID: Any?) {
        FacadeSamples.log(
            "params", ["process_id": processID ?? "", "id_2_sign": appID ?? "", "token": token ?? ""])
    }
}

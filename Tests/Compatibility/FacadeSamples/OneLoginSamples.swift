import BenjiTesting
import OneLoginSDK

/// The samples of document 004. The names are the document's.
@MainActor struct OneLoginSamples {
    let appID: String

    func run() async {
        OneLogin.register(withAppID: appID)
        await withCheckedContinuation { continuation in preGetToken { continuation.resume() } }
        await withCheckedContinuation { continuation in requestToken { continuation.resume() } }
    }

    private func preGetToken(_ end: @escaping @MainActor () -> Void) {
        OneLogin.preGetToken { sender in
            FacadeSamples.log("sender", sender ?? [:])
            end()
        }
    }

    private func requestToken(_ end: @escaping @MainActor () -> Void) {
        // A page on which a person ticks and taps at once.
        OneLogin.requestToken(with: FakePresenter()) { result in
            FacadeSamples.log("token result", result ?? [:])
            if result?["status"] as? Int == 200 {
                // What validateTokenAndGetLoginInfo sends to the app's server.
                FacadeSamples.log(
                    "params",
                    [
                        "process_id": result?["processID"] ?? "", "id_2_sign": result?["appID"] ?? "",
                        "token": result?["token"] ?? "",
                    ])
            }
            end()
        }
    }
}

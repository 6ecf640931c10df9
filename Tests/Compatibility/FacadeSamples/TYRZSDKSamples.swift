import BenjiTesting
import TYRZSDK

/// The samples of document 000. The names are the document's.
@MainActor struct TYRZSDKSamples {
    let appID: String
    let appKey: String

    func run() async {
        TYRZSDK.registerAppId(appID, appKey: appKey)
        await withCheckedContinuation { continuation in getPhonenumber { continuation.resume() } }
        await withCheckedContinuation { continuation in authorizeLoginButtonClick { continuation.resume() } }
        await withCheckedContinuation { continuation in loginImplicity { continuation.resume() } }
        FacadeSamples.log("getNetworkType", TYRZSDK.getNetworkType())
        FacadeSamples.log("delectScrip", ["state": TYRZSDK.delectScrip() ? "YES" : "NO"])
    }

    private func getPhonenumber(_ end: @escaping @MainActor () -> Void) {
        TYRZSDK.getPhoneNumber(withTimeout: 8000) { sender in
            if sender["resultCode"] as? String == "103000" {
                FacadeSamples.log("取号成功", sender)
            } else {
                FacadeSamples.log("取号失败", sender)
            }
            end()
        }
    }

    private func authorizeLoginButtonClick(_ end: @escaping @MainActor () -> Void) {
        // The app's own page, on which a person has just tapped.
        TYRZSDK.getAuthorization(with: FakePresenter()) { sender in
            if sender["resultCode"] as? String == "103000" {
                FacadeSamples.log("授权登录成功", sender)
            } else {
                FacadeSamples.log("授权登录失败", sender)
            }
            end()
        }
    }

    private func loginImplicity(_ end: @escaping @MainActor () -> Void) {
        TYRZSDK.getPhoneNumber(withTimeout: 8000) { sender in
            if sender["resultCode"] as? String == "103000" {
                FacadeSamples.log("取号成功", sender)
                TYRZSDK.getAuthorization(with: nil) { sender in
                    if sender["resultCode"] as? String == "103000" {
                        FacadeSamples.log("隐式登录成功", sender)
                    } else {
                        FacadeSamples.log("隐式登录失败", sender)
                    }
                    end()
                }
            } else {
                FacadeSamples.log("取号失败", sender)
                end()
            }
        }
    }
}

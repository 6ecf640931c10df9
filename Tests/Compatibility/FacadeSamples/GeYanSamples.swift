import BenjiTesting
import GeYanSdk

/// The samples of document 002.
@MainActor struct GeYanSamples {
    let appID: String

    func run() async {
        GeYanSdk.start(withAppId: appID, withCallback: nil)
        await withCheckedContinuation { continuation in preGetToken { continuation.resume() } }
        await withCheckedContinuation { continuation in oneTapLogin { continuation.resume() } }
    }

    private func preGetToken(_ end: @escaping @MainActor () -> Void) {
        GeYanSdk.preGetToken { tokenDic in
            FacadeSamples.log("获取token返回结果", tokenDic)
            end()
        }
    }

    private func oneTapLogin(_ end: @escaping @MainActor () -> Void) {
        // A page on which a person ticks and taps at once.
        GeYanSdk.oneTapLogin(FakePresenter()) { verifyDictionary in
            FacadeSamples.log("一键认证返回结果", verifyDictionary)
            end()
        }
    }
}

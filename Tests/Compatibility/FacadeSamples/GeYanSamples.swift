import BenjiTesting
import Foundation
import GeYanSdk

#if canImport(UIKit)
import UIKit
#endif

/// The samples of GeYan's document.
@MainActor struct GeYanSamples {
    let appID: String
    /// The one line that the migration guide asks for: `defaultCheckBoxState = NO`.
    let untickedAtFirst: Bool
    #if canImport(UIKit)
    private let person = Person()
    #endif

    func run() async {
        GeYanSdk.start(withAppId: appID, withCallback: nil)
        await withCheckedContinuation { continuation in preGetToken { continuation.resume() } }
        await oneTapLogin()
    }

    private func preGetToken(_ end: @escaping @MainActor () -> Void) {
        GeYanSdk.preGetToken { tokenDic in
            FacadeSamples.log("获取token返回结果", tokenDic)
            end()
        }
    }

    #if canImport(UIKit)
    private func oneTapLogin() async {
        let authViewModel = GyAuthViewModel()
        let item1 = GyAuthPrivacyItem(title: "隐私条款一", linkURL: URL(string: "https://getui.com"))
        let item2 = GyAuthPrivacyItem(title: "隐私条款二", linkURL: URL(string: "https://getui.com"))
        authViewModel.additionalPrivacyTerms = [item1, item2]
        authViewModel.viewLifeCycleBlock = person.watches
        if untickedAtFirst { authViewModel.defaultCheckBoxState = false }
        async let tapping: Void = person.logsIn()
        await withCheckedContinuation { continuation in
            GeYanSdk.oneTapLogin(person.controller, with: authViewModel) { verifyDictionary in
                FacadeSamples.log("一键认证返回结果", verifyDictionary)
                GeYanSdk.closeAuthVC()
                person.hearsOfTheEnd()
                continuation.resume()
            }
        }
        await tapping
        person.seesTheApp()
    }
    #else
    private func oneTapLogin() async {
        await withCheckedContinuation { continuation in
            // A page on which a person ticks and taps at once.
            GeYanSdk.oneTapLogin(FakePresenter()) { verifyDictionary in
                FacadeSamples.log("一键认证返回结果", verifyDictionary)
                continuation.resume()
            }
        }
    }
    #endif
}

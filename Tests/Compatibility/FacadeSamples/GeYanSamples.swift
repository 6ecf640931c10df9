import BenjiTesting
import Foundation
import GeYanSdk

#if canImport(UIKit)
import UIKit
#endif

/// The samples of GeYan's document, and those of its calls that get a page: `GyOneLoginPro`, and release 3.0's for a
/// page of the app's.
@MainActor struct GeYanSamples {
    enum Page { case usual, pro, handed }

    let appID: String
    /// The one line that the migration guide asks for: `defaultCheckBoxState = NO`. A page of the app's own leaves its
    /// tick unset.
    let untickedAtFirst: Bool
    let page: Page
    #if canImport(UIKit)
    private let person = Person()
    #endif

    init(appID: String, untickedAtFirst: Bool, page: Page = .usual) {
        (self.appID, self.untickedAtFirst, self.page) = (appID, untickedAtFirst, page)
    }

    func run() async {
        GeYanSdk.start(withAppId: appID, withCallback: nil)
        await withCheckedContinuation { continuation in preGetToken { continuation.resume() } }
        await oneTapLogin()
    }

    private func preGetToken(_ end: @escaping @MainActor () -> Void) {
        func received(_ tokenDic: [AnyHashable: Any]?) {
            FacadeSamples.log("获取token返回结果", tokenDic ?? [:])
            end()
        }
        if page == .pro { GyOneLoginPro.getPreGetTokenResult(received) } else { GeYanSdk.preGetToken(received) }
    }

    #if canImport(UIKit)
    private func oneTapLogin() async {
        let authViewModel = GyAuthViewModel()
        let item1 = GyAuthPrivacyItem(title: "隐私条款一", linkURL: URL(string: "https://getui.com"))
        let item2 = GyAuthPrivacyItem(title: "隐私条款二", linkURL: URL(string: "https://getui.com"))
        authViewModel.additionalPrivacyTerms = [item1, item2]
        authViewModel.viewLifeCycleBlock = person.watches
        if untickedAtFirst { authViewModel.defaultCheckBoxState = false }
        let views = page == .handed ? HandedViews(ticked: !untickedAtFirst) : nil
        async let tapping: Void = person.logsIn(on: views)
        await withCheckedContinuation { continuation in
            let received: @MainActor @Sendable ([AnyHashable: Any]?) -> Void = { verifyDictionary in
                FacadeSamples.log("一键认证返回结果", verifyDictionary ?? [:])
                if page == .pro { GyOneLoginPro.dismissAuthViewController() } else { GeYanSdk.closeAuthVC() }
                person.hearsOfTheEnd()
                continuation.resume()
            }
            if let views {
                GeYanSdk.oneTapLogin(
                    person.controller, viewModel: authViewModel, contentView: views.content, subViewList: views.list,
                    loginBlock: received)
            } else if page == .pro {
                GyOneLoginPro.requestToken(with: person.controller, viewModel: authViewModel, completion: received)
            } else {
                GeYanSdk.oneTapLogin(person.controller, with: authViewModel, andCallback: received)
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

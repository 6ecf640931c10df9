#if canImport(UIKit)
import BenjiPageUIKit
import FacadeScenarios
import OneLoginSDK
import Testing
import UIKit

extension OneLoginLab {
    /// Prefetches, asks for a token, and returns once the page is there.
    @MainActor func open(
        _ model: OLAuthViewModel, over host: UIViewController, _ log: CallLog
    ) async throws -> AuthorizationPageViewController {
        let (arrival, appeared) = AsyncStream.makeStream(of: Void.self)
        let told = model.viewLifeCycleBlock
        model.viewLifeCycleBlock = { name, isAnimated in
            told?(name, isAnimated)
            if name == "viewDidAppear" { appeared.finish() }
        }
        _ = await prefetch()
        return try await run {
            OneLogin.requestToken(with: host, viewModel: model) {
                log.note($0)
                appeared.finish()
            }
            for await _ in arrival {}
            let page = try #require(
                OneLogin.currentAuthViewController() as? AuthorizationPageViewController, "\(log.results)")
            page.view.window?.layoutIfNeeded()
            return page
        }
    }
}

extension OLAuthViewModel {
    /// With terms of the app's own and the tick unset, as every app has them.
    @MainActor static var usual: OLAuthViewModel {
        let model = OLAuthViewModel()
        model.defaultCheckBoxState = false
        model.additionalPrivacyTerms = [
            OLPrivacyTermItem(title: "《用户协议》", linkURL: URL(string: "https://app.example/agreement"), index: 1)
        ]
        return model
    }
}
#endif

import Foundation
import OneTapShell

/// A requirement of a scenario that not every vendor's SDK meets.
package enum Need: Hashable, Sendable, CaseIterable {
    /// A page on which the person decides.
    case page
    /// A page that the SDK shows, so that it can be open during a call and be taken down by the app.
    case pageOfTheSDK
    /// A page that is not shown beside another app.
    case wholeScreen
    /// A token without a page.
    case tokenWithoutPage
    /// A call that ends another call.
    case cancelling
    /// A key beside the app's id.
    case appKey
    /// A time-out that the app sets.
    case timeout
}

extension Scenario {
    var needs: Set<Need> {
        switch name {
        case .verification: [.tokenWithoutPage]
        case .personCancels, .switchAccount, .pageNotShown: [.page]
        case .splitView: [.page, .wholeScreen]
        case .pageDismissedByApp, .prefetchBehindPage: [.page, .pageOfTheSDK]
        case .cancelledByApp: [.cancelling]
        case .appKeyMissing: [.appKey]
        case .timeOutNegative: [.timeout]
        default: []
        }
    }
}

extension Facade {
    /// Whether an app finds this in the SDK. Looked up in the public functions of its sources.
    package func has(_ need: Need) throws -> Bool {
        guard need != .wholeScreen else { return !showsInSplitView }
        let calls = try calls
        return switch need {
        case .page: calls.contains { $0.contains(/ViewController|AuthorizationPresenter/) }
        case .pageOfTheSDK: calls.contains { $0.contains(/func (dismiss|close)/) }
        case .tokenWithoutPage:
            calls.contains {
                $0.contains(/func (getPhoneVerifyToken|loginImplicitly|getAuthorization|requestToken\(\s*completion)/)
            }
        case .cancelling: calls.contains { $0.contains(/func \w*cancel/.ignoresCase()) }
        case .appKey: calls.contains { $0.contains(/appkey/.ignoresCase()) }
        case .timeout: calls.contains { $0.contains(/timeout/.ignoresCase()) }
        case .wholeScreen: false
        }
    }

    /// The public functions, each from `public` to its body.
    private var calls: [String] {
        get throws {
            let module =
                switch name {
                case "OneLogin", "OneLoginPro": "OneLoginSDK"
                case "GyOneLoginPro": "GeYanSdk"
                default: name
                }
            let folder = URL(filePath: #filePath).deletingLastPathComponent()
                .appending(path: "../../../Sources/Compatibility/\(module)").standardized
            let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            return try files.filter { $0.hasSuffix(".swift") }.flatMap { file in
                try String(decoding: Data(contentsOf: folder.appending(path: file)), as: UTF8.self)
                    .matches(of: /public (?:\w+ )*func [^{]+/).map { String($0.output) }
            }
        }
    }
}

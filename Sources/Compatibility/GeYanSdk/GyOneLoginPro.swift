import Foundation
import OneTapShell

/// GeYan for apps that do not want to prefetch themselves (document 002): a valid prefetch is kept until a token is given
/// out, and again from ``renewPreGetToken()`` on, which is called when the person logs out.
///
/// The app is registered by ``GeYanSdk/start(withAppId:withCallback:)``. Keeping begins with the first call here, so that
/// apps which never call it ask nothing by themselves.
#if canImport(ObjectiveC)
@objc(GyOneLoginPro)
#endif
public final class GyOneLoginPro: GeYanPage {
    override class var shell: OneTapShell { .of(.geYanPro) }

    /// Prefetches again and keeps the result valid.
    #if canImport(ObjectiveC)
    @objc
    #endif
    public static func renewPreGetToken() {
        shell.stopKeeping()
        shell.keepPrefetched()
    }

    /// Whether the page would open without waiting.
    #if canImport(ObjectiveC)
    @objc
    #endif
    public static func isPreGetTokenResultValidate() -> Bool {
        if shell.isRegistered { shell.keepPrefetched() }
        return shell.isPrefetchValid
    }

    /// Gives the result of the prefetch, as soon as there is one.
    #if canImport(ObjectiveC)
    @objc
    #endif
    public static func getPreGetTokenResult(_ completion: (@MainActor ([AnyHashable: Any]?) -> Void)?) {
        shell.prefetchBesideKeeping { completion?(GeYanResults.spell($0).dictionary) }
    }

    /// Gives up what was prefetched.
    #if canImport(ObjectiveC)
    @objc
    #endif
    public static func deletePreResultCache() {
        shell.stopKeeping()
        _ = shell.forget()
    }
}

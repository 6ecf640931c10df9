import BenjiClient
import Foundation
import OneTapShell

/// GeYan for apps that do not want to prefetch themselves (GeYan). A valid prefetch is kept until a token is given out.
/// It is kept again from ``renewPreGetToken()`` on, which is called when the person logs out.
///
/// The app is registered by ``GeYanSdk/start(withAppId:withCallback:)``. Keeping begins with the first call here, so
/// that apps which never call it send no requests by themselves. Where `Info.plist` has ``GeYanSdk/keepsPrefetchKey``,
/// it begins with the start.
#if canImport(ObjectiveC)
@objc(GyOneLoginPro)
#endif
public final class GyOneLoginPro: GeYanPage {
    override class var shell: OneTapShell { .of(.geYanPro) }

    /// The same for calls with which keeping begins. After a token it does so with ``renewPreGetToken()`` alone.
    static var keptShell: OneTapShell {
        let shell = shell
        shell.beginKeeping()
        return shell
    }

    /// Logs in on a page of the caller's.
    static func logIn(
        on page: any AuthorizationPresenter, _ completion: (@MainActor ([AnyHashable: Any]?) -> Void)?
    ) {
        GeYanSdk.logIn(on: page, keptShell) { completion?($0) }
    }

    /// Prefetches again and keeps the result valid.
    #if canImport(ObjectiveC)
    @objc
    #endif
    public static func renewPreGetToken() {
        shell.renewKeeping()
    }

    /// Gets a token without a page of the SDK's (release 3.0), with which the app's server can ask whether a number is
    /// this phone's own. It releases no number, because it is not known what the person has seen: for that hand the
    /// page's views to ``GeYanSdk``.
    #if canImport(ObjectiveC)
    @objc(requestTokenWithCompletion:)
    #endif
    public static func requestToken(completion: (@MainActor ([AnyHashable: Any]?) -> Void)?) {
        let shell = keptShell
        shell.start(.verification, deliver: GeYanSdk.delivery(shell, as: .three) { completion?($0) })
    }

    /// Whether the page would open without waiting.
    #if canImport(ObjectiveC)
    @objc
    #endif
    public static func isPreGetTokenResultValidate() -> Bool {
        keptShell.isPrefetchValid
    }

    /// Gives the result of the prefetch, as soon as there is one.
    #if canImport(ObjectiveC)
    @objc
    #endif
    public static func getPreGetTokenResult(_ completion: (@MainActor ([AnyHashable: Any]?) -> Void)?) {
        keptShell.prefetchBesideKeeping { completion?(GeYanResults.spell($0).dictionary) }
    }

    /// Discards the prefetched data, and keeps nothing until ``renewPreGetToken()``.
    #if canImport(ObjectiveC)
    @objc
    #endif
    public static func deletePreResultCache() {
        shell.stopKeeping()
        _ = shell.forget()
    }
}

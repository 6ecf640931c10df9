import Foundation
import OneTapShell

/// OneLogin for apps that do not want to prefetch themselves. A valid prefetch is kept from ``register(withAppID:)``
/// until a token is given out. It is kept again from ``renewPreGetToken()`` on, which is called when the person logs
/// out.
///
/// An app uses ``OneLogin`` or this, never both. What the two have in common is declared there.
#if canImport(ObjectiveC)
@objc(OneLoginPro)
#endif
public final class OneLoginPro: OneLogin {
    override class var shell: OneTapShell { .of(.oneLoginPro) }
    override class var isPro: Bool { true }

    #if canImport(ObjectiveC)
    @objc(registerWithAppID:)
    #endif
    public override class func register(withAppID appID: String?) {
        super.register(withAppID: appID)
        shell.renewKeeping()
    }

    /// Prefetches again and keeps the result valid.
    #if canImport(ObjectiveC)
    @objc
    #endif
    public class func renewPreGetToken() {
        shell.renewKeeping()
    }

    /// Gives the result of the prefetch, as soon as there is one.
    #if canImport(ObjectiveC)
    @objc
    #endif
    public class func getPreGetTokenResult(_ completion: (@MainActor ([AnyHashable: Any]?) -> Void)?) {
        shell.prefetchBesideKeeping { completion?(spell($0)) }
    }

    /// Whether the page would open without waiting.
    #if canImport(ObjectiveC)
    @objc
    #endif
    public class func isPreGetTokenResultValidate() -> Bool { shell.isPrefetchValid }
}

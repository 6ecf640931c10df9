import BenjiClient
public import Foundation
import OneTapShell

/// OneLogin: one-tap login on a page that the SDK draws.
///
/// An app that calls it changes its import and names the gateway (``BenjiServer``); `docs/migration/onelogin.md` says
/// what else is different. Calls may be made from any thread. Every block is called once, on the main thread, and never
/// before the call that it was given to has returned.
#if canImport(ObjectiveC)
@objc(OneLogin)
#endif
public class OneLogin: NSObject {
    /// ``OneLoginPro`` has one of its own.
    class var shell: OneTapShell { .of(.oneLogin) }
    /// Whether results have the members that only ``OneLoginPro`` has.
    class var isPro: Bool { false }

    /// Once, when the app starts. The next call reports a wrong id.
    #if canImport(ObjectiveC)
    @objc(registerWithAppID:)
    #endif
    public class func register(withAppID appID: String?) { shell.register(appID: appID, appKey: nil) }

    /// Whether an id was registered.
    #if canImport(ObjectiveC)
    @objc
    #endif
    public class func hasRegistered() -> Bool { shell.isRegistered }

    /// Whom to tell what the person does with the page. Held weakly.
    #if canImport(ObjectiveC)
    @objc
    #endif
    public class func setDelegate(_ delegate: (any OneLoginDelegate)?) { shell.delegate = delegate }

    /// How long a call may take, the page excluded.
    ///
    /// - Parameter timeout: seconds; 8 by default, which zero means too. The next call reports a negative value and one
    ///   that is no number.
    #if canImport(ObjectiveC)
    @objc
    #endif
    public class func setRequestTimeout(_ timeout: TimeInterval) { shell.setTimeout(.seconds(timeout)) }

    /// Where the gateway is: the same as ``BenjiServer/use(_:)``.
    #if canImport(ObjectiveC)
    @objc
    #endif
    public class func customInterfaceURL(_ url: String?) { BenjiServer.use(url) }

    /// Accepted for the sake of apps that call it, without effect: the gateway knows its carriers.
    #if canImport(ObjectiveC)
    @objc
    #endif
    public class func setOperatorParams(_ params: [AnyHashable: Any]?) {}

    /// The version of the interface, and whose it is.
    #if canImport(ObjectiveC)
    @objc
    #endif
    public class func sdkVersion() -> String { "1.6.1 (Benji)" }
}

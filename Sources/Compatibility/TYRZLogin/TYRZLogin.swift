// China Mobile's older TYRZLogin (统一认证), symbol for symbol as its document promises, over Benji. Names, types and codes
// only. Begin with `TYRZLogin.swift`, then `Facade+TYRZLogin.swift`.
import BenjiClient
import BenjiProtocol
public import Foundation
@_exported public import OneTapShell
@_exported public import TYRZLoginTypes

#if !canImport(ObjectiveC)
/// The block of a call: it gets a dictionary. Where there is Objective-C the name comes from there.
public typealias UAFinishBlock = @MainActor (_ sender: Any) -> Void
#endif

/// China Mobile's 统一认证 (TYRZLogin): a token without a page, with which the app's server asks whether a number is
/// this phone's own.
///
/// An app that calls it changes its import and names the gateway (``BenjiServer``). `docs/migration/tyrzlogin.md` says
/// what else is different. Every block is called once, on the main thread.
#if canImport(ObjectiveC)
@objc(TYRZLogin)
#endif
public final class TYRZLogin: NSObject {
    static var shell: OneTapShell { .of(.tyrzLogin) }

    /// Keeps the app's id and key for ``loginImplicitly(_:)``. The document has a code for an SDK that was not
    /// initialized (102302), but does not show the call.
    #if canImport(ObjectiveC)
    @objc(registerAppId:appKey:)
    #endif
    public static func registerAppId(_ appId: String?, appKey: String?) {
        shell.register(appID: appId, appKey: appKey)
    }

    /// Gets a token, and keeps the app's id and key.
    ///
    /// - Parameters:
    ///   - capaid: the capabilities asked for, such as `200`; must not be empty. What the app may do is decided by its
    ///     registration.
    ///   - capaidTime: unused.
    ///   - scene: unused.
    ///   - complete: gets a dictionary with `resultCode`, and after success `token`, `openId`, `authType`,
    ///     `authTypeDes`.
    #if canImport(ObjectiveC)
    @objc(loginImplicitlyWithAppId:appkey:capaId:capaIdTime:scene:complete:)
    #endif
    public static func loginImplicitly(
        withAppId appid: String?, appkey: String?, capaId capaid: String?, capaIdTime capaidTime: String?,
        scene: String?, complete: UAFinishBlock?
    ) {
        for (name, value) in [("appid", appid), ("appkey", appkey), ("capaId", capaid)] where value?.isEmpty != false {
            return shell.refuse(.verification, BenjiError(.parameterMissing, "\(name): missing")) {
                complete?(TYRZLoginResults.spell($0).dictionary)
            }
        }
        shell.register(appID: appid, appKey: appkey)
        loginImplicitly(complete)
    }

    /// Gets a token for the app whose id and key were given before.
    #if canImport(ObjectiveC)
    @objc(loginImplicitly:)
    #endif
    public static func loginImplicitly(_ complete: UAFinishBlock?) {
        shell.start(.verification) { complete?(TYRZLoginResults.spell($0).dictionary) }
    }

    /// Ends a login that is under way: its block gets 102301.
    #if canImport(ObjectiveC)
    @objc
    #endif
    public static func cancel() { shell.cancel() }
}

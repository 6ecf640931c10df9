// China Mobile's TYRZSDK (移动认证), symbol for symbol as its document promises, over Benji. Names, types and codes only:
// what a login does is the shell's business. Begin with `TYRZSDK.swift`, then `Facade+TYRZSDK.swift`.
import BenjiClient
public import Foundation
@_exported public import OneTapShell

/// China Mobile's 移动认证 (TYRZSDK): one-tap login on a page that the app draws itself, and number verification
/// without a page.
///
/// An app that calls it changes its import and names the gateway (``BenjiServer``). `docs/migration/tyrzsdk.md` says
/// what else is different. Every block is called once, on the main thread, with a dictionary whose values are
/// `NSString`.
#if canImport(ObjectiveC)
@objc(TYRZSDK)
#endif
public final class TYRZSDK: NSObject {
    static var shell: OneTapShell { .of(.tyrzSDK) }

    /// Once, when the app starts. The next call reports wrong arguments.
    #if canImport(ObjectiveC)
    @objc(registerAppId:appKey:)
    #endif
    public static func registerAppId(_ appId: String?, appKey: String?) {
        shell.register(appID: appId, appKey: appKey)
    }

    /// Asks the gateway who this phone is; answered from memory while the last answer is valid.
    ///
    /// - Parameters:
    ///   - duration: milliseconds; zero means 8000.
    ///   - completion: gets `resultCode`, `desc`, and after success `securityphone`, such as `138XXXX0000`.
    #if canImport(ObjectiveC)
    @objc(getPhoneNumberWithTimeout:completion:)
    #endif
    public static func getPhoneNumber(
        withTimeout duration: TimeInterval, completion: (@MainActor ([AnyHashable: Any]) -> Void)?
    ) {
        start(.prefetch, allowing: .milliseconds(duration), completion)
    }

    /// Which networks are up, and the carrier that a gateway last named.
    ///
    /// - Returns: `networkType`: 0 none, 1 mobile data, 2 Wi-Fi, 3 both. `carrier`: 0 unknown, 1 mobile, 2 unicom, 3
    ///   telecom; unknown until the first answer of a gateway. Both are `NSNumber`.
    #if canImport(ObjectiveC)
    @objc
    #endif
    public static func getNetworkType() -> [AnyHashable: Any] {
        TYRZSDKResults.spell(shell.networkStatus, carrier: shell.facts.carrier).dictionary
    }

    /// Gives up what ``getPhoneNumber(withTimeout:completion:)`` found out. Spelled as the document declares it.
    ///
    /// - Returns: `false` while a call is under way, which may still need it.
    #if canImport(ObjectiveC)
    @objc
    #endif
    @discardableResult
    public static func delectScrip() -> Bool { shell.forget() }

    /// ``delectScrip()`` as the document's text calls it.
    #if canImport(ObjectiveC)
    @objc
    #endif
    @discardableResult
    public static func deleteScrip() -> Bool { delectScrip() }

    static func start(
        _ call: Call, allowing time: TimeAllowed = .standard, _ completion: (@MainActor ([AnyHashable: Any]) -> Void)?
    ) {
        shell.start(call, allowing: time) { completion?(TYRZSDKResults.spell($0).dictionary) }
    }
}

// GeYan's SDK, symbol for symbol as its document promises, over Benji. Names, types and codes only: what a login does
// is the shell's business. Begin with `GeYanSdk.swift`, then `Facade+GeYan.swift`.
import BenjiClient
import BenjiProtocol
public import Foundation
import GeYanCodes
import OneTapShell

/// Is given what a call ended in.
public typealias GyVerifyCallback = @MainActor (_ verifyDictionary: [AnyHashable: Any]) -> Void
/// Is told whether the SDK has started, why not, and the name of this install.
public typealias GyCallback = @MainActor (_ isSuccess: Bool, _ error: (any Error)?, _ gyUid: String?) -> Void

/// GeYan: one-tap login on a page that the SDK draws.
///
/// An app that calls it changes its import and names the gateway (``BenjiServer``); `docs/migration/geyan.md` says what
/// else is different. Calls may be made from any thread. Every block is called once, on the main thread, and never
/// before the call that it was given to has returned. The class bears its module's name because the vendor's does.
#if canImport(ObjectiveC)
@objc(GeYanSdk)
#endif
public final class GeYanSdk: GeYanPage {
    /// Once, when the app starts. ``GyOneLoginPro`` keeps a prefetch valid from its own first call on, or from here on
    /// where `Info.plist` has ``keepsPrefetchKey``.
    ///
    /// - Parameter callback: receives whether calls can be made: an id of 12 to 64 letters and digits, and a gateway.
    #if canImport(ObjectiveC)
    @objc(startWithAppId:withCallback:)
    #endif
    public static func start(withAppId appId: String?, withCallback callback: GyCallback?) {
        shell.register(appID: appId, appKey: nil)
        let pro = OneTapShell.of(.geYanPro)
        pro.register(appID: appId, appKey: nil)
        if pro.keepsPrefetchFromStart { pro.beginKeeping() }
        shell.checkReadiness { error, install in callback?(error == nil, error.map(nsError), install) }
    }

    /// The key of `Info.plist` by which an app that uses ``GyOneLoginPro`` has a prefetch kept from the start, as
    /// GeYan's document says: YES. Without it nothing is asked before its first call, so that apps which never use it
    /// send nothing by themselves.
    public static let keepsPrefetchKey = PrefetchKeepingChoice.infoKey

    /// The same; a login's own time-out is ``setEloginTimeout(_:)``.
    #if canImport(ObjectiveC)
    @objc(startWithAppId:withTimeout:withCallback:)
    #endif
    public static func start(
        withAppId appId: String?, withTimeout timeout: TimeInterval, withCallback callback: GyCallback?
    ) {
        start(withAppId: appId, withCallback: callback)
    }

    /// How long a login may take, the page excluded; a prefetch too, unless ``setPreLoginTimeout(_:)`` says otherwise.
    ///
    /// - Parameter timeout: seconds; 10 by default, which zero means too. The next call reports a negative value and
    ///   one that is no number.
    #if canImport(ObjectiveC)
    @objc
    #endif
    public static func setEloginTimeout(_ timeout: TimeInterval) {
        for facade in [Facade.geYan, .geYanPro] { OneTapShell.of(facade).setTimeout(.seconds(timeout)) }
    }

    /// How long ``preGetToken(_:)`` may take, in seconds (release 3.0). Like ``setEloginTimeout(_:)`` for the rest.
    #if canImport(ObjectiveC)
    @objc
    #endif
    public static func setPreLoginTimeout(_ timeout: TimeInterval) {
        for facade in [Facade.geYan, .geYanPro] { OneTapShell.of(facade).setPrefetchTimeout(.seconds(timeout)) }
    }

    /// The version of the interface, and whose it is.
    #if canImport(ObjectiveC)
    @objc
    #endif
    public static func getVersion() -> String { "3.1.3.0 (Benji)" }

    /// Whether every step is written to the console, after ``logMarker``. No number and no credential is in it.
    /// Default: NO.
    #if canImport(ObjectiveC)
    @objc
    #endif
    public static func setDebug(_ debug: Bool) {
        guard debug else { return shell.observe(with: nil) }
        shell.observe { print(logMarker, $0) }
    }

    /// The beginning of every line of the log.
    static let logMarker = "[GeYanSdk]"

    private static func nsError(_ error: BenjiError) -> NSError {
        let code = CodeColumn.geyanBusiness.code(for: error.situation)?.code
        return NSError(
            domain: "GeYanSdk", code: code.flatMap { Int($0) } ?? 0,
            userInfo: [NSLocalizedDescriptionKey: "\(error)"])
    }
}

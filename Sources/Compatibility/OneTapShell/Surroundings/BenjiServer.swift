import BenjiClient
public import Foundation

/// Where the gateway is: the one thing that an app must say when it switches to Benji.
///
/// Either in `Info.plist`, under `BenjiServer`, or by one call before the first login:
///
/// ```swift
/// BenjiServer.use("https://gateway.example")
/// ```
#if canImport(ObjectiveC)
@objc(BenjiServer)
#endif
public final class BenjiServer: NSObject {
    /// The key of `Info.plist`.
    public static let infoKey = "BenjiServer"

    private static let chosen = Locked<String?>(nil)

    /// Names the gateway, before what `Info.plist` says. `https://`; plain `http://` for loopback addresses only.
    ///
    /// The next call reports a wrong address. `nil` goes back to `Info.plist`.
    #if canImport(ObjectiveC)
    @objc(useAddress:)
    #endif
    public static func use(_ address: String?) {
        chosen.withLock { $0 = address }
    }

    /// The gateway's address; `nil` when none was named.
    #if canImport(ObjectiveC)
    @objc
    #endif
    public static var address: String? {
        chosen.withLock { $0 } ?? Bundle.main.object(forInfoDictionaryKey: infoKey) as? String
    }
}

import BenjiClient
import BenjiProtocol
public import Foundation
import OneTapShell

/// Which networks are up.
#if canImport(ObjectiveC)
@objc
#endif
public enum OLNetworkType: Int, Sendable {
    /// None, or unknown.
    case none = 0
    /// Mobile data alone.
    case cellular
    /// Wi-Fi alone.
    #if canImport(ObjectiveC)
    @objc(OLNetworkTypeWIFI)
    #endif
    case wifi
    /// Both.
    case cellularAndWIFI
}

/// The networks of the phone, and its carrier.
#if canImport(ObjectiveC)
@objc(OLNetworkInfo)
@objcMembers
#endif
public final class OLNetworkInfo: NSObject {
    /// CM, CU or CT; `nil` before a gateway has named one. iOS no longer reports a carrier to apps.
    public var carrierName: String?
    /// Which networks are up. Even so the person may have forbidden the app to use mobile data.
    public var networkType: OLNetworkType
    /// `WIFI`, whenever it is up; else `2G`, `3G`, `4G` or `5G`, or `Cellular` where the system reports no generation;
    /// else nothing.
    public var detailNetworkType: String

    init(_ status: NetworkStatus?, carrier: Carrier?, generation: MobileServices.Generation?) {
        let name = OneLoginResults.spell(carrier)
        carrierName = name.isEmpty ? nil : name
        switch (status?.cellular ?? false, status?.wifi ?? false) {
        case (false, false): (networkType, detailNetworkType) = (.none, "")
        case (true, false): (networkType, detailNetworkType) = (.cellular, generation?.rawValue ?? "Cellular")
        case (false, true): (networkType, detailNetworkType) = (.wifi, "WIFI")
        case (true, true): (networkType, detailNetworkType) = (.cellularAndWIFI, "WIFI")
        }
        super.init()
    }
}

import BenjiClient
public import Foundation
import OneTapShell

extension GeYanSdk {
    /// Asks the gateway who this phone is, so that the page can open at once. Needed before every login. Valid for ten
    /// minutes, and once.
    #if canImport(ObjectiveC)
    @objc
    #endif
    public static func preGetToken(_ callback: GyVerifyCallback?) {
        shell.start(.prefetch) { callback?(GeYanResults.spell($0).dictionary) }
    }

    /// Whether a login could begin without ``preGetToken(_:)``.
    #if canImport(ObjectiveC)
    @objc
    #endif
    public static func isPreGettedTokenValidate() -> Bool { shell.isPrefetchValid }

    /// Discards the prefetched data.
    #if canImport(ObjectiveC)
    @objc
    #endif
    public static func deletePreResultCache() { _ = shell.forget() }

    /// Gets a token with which the app's server can ask whether a number is this phone's own. Needs no page.
    #if canImport(ObjectiveC)
    @objc
    #endif
    public static func getPhoneVerifyTokenCallback(_ callback: GyVerifyCallback?) {
        shell.start(.verification) { callback?(GeYanResults.spell($0).dictionary) }
    }

    /// How many SIMs a mobile network serves now: those without a signal are not counted, because iOS does not tell of
    /// them. One at least while mobile data is up.
    #if canImport(ObjectiveC)
    @objc
    #endif
    public static func getCurrentCarrierCount() -> Int {
        max(shell.mobileServices?.count ?? 0, shell.networkStatus?.cellular == true ? 1 : 0)
    }

    /// The networks that are up (`network`: 0 none, 1 mobile data, 2 Wi-Fi, 3 both). Also the carrier that a gateway
    /// last named (`carrier`: 0 unknown, 1 mobile, 2 unicom, 3 telecom). Both are `NSNumber`.
    #if canImport(ObjectiveC)
    @objc
    #endif
    public static func currentNetworkInfo() -> NSMutableDictionary {
        NSMutableDictionary(dictionary: [
            "carrier": VendorNumber.carrier(shell.facts.carrier), "network": VendorNumber.networks(shell.networkStatus),
        ])
    }
}

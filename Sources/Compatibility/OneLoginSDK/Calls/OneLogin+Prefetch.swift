import BenjiClient
import Foundation
import OneTapShell

extension OneLogin {
    /// Asks the gateway who this phone is, so that the page can open at once.
    ///
    /// Needed before every login. Valid for an hour with China Mobile and for ten minutes with the others, and once.
    #if canImport(ObjectiveC)
    @objc(preGetTokenWithCompletion:)
    #endif
    public class func preGetToken(completion: (@MainActor ([AnyHashable: Any]) -> Void)?) {
        shell.start(.prefetch) { completion?(spell($0)) }
    }

    /// Whether a login could begin without ``preGetToken(completion:)``.
    #if canImport(ObjectiveC)
    @objc
    #endif
    public class func isPreGettedTokenValidate() -> Bool { shell.isPrefetchValid }

    /// Discards the prefetched data; ``OneLoginPro`` keeps nothing then until ``OneLoginPro/renewPreGetToken()``.
    #if canImport(ObjectiveC)
    @objc
    #endif
    public class func deletePreResultCache() {
        shell.stopKeeping()
        _ = shell.forget()
    }

    /// Which networks are up, and the carrier that a gateway last named.
    ///
    /// - Returns: `nil` when a gateway said that the phone belongs to none of the three carriers.
    #if canImport(ObjectiveC)
    @objc
    #endif
    public class func currentNetworkInfo() -> OLNetworkInfo? {
        let facts = shell.facts
        guard !facts.carrierIsForeign else { return nil }
        return OLNetworkInfo(
            shell.networkStatus, carrier: facts.carrier, generation: shell.mobileServices?.generation)
    }
}

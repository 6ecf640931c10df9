/// The addresses of the link between gateway and authority, version 1. A message that changes its meaning gets a new
/// version.
package enum LinkPath: String, Sendable, CaseIterable {
    /// A request of a phone or browser, with what the gateway states about its sender.
    case forward = "/link/v1/forward"
    /// The accounting that the gateway received about subscribers.
    case observe = "/link/v1/observe"
    /// Bindings whose credentials end.
    case revoke = "/link/v1/revoke"
    /// The subscriptions that were erased.
    case erased = "/link/v1/erased"
    /// The record of a pair of gateways.
    case pairNews = "/link/v1/pair/news"
    /// Makes the asking gateway the owner of its pair.
    case pairClaim = "/link/v1/pair/claim"
    /// The owner of a pair writes to its record.
    case pairRecord = "/link/v1/pair/record"
    /// The owner gives its pair back.
    case pairRelease = "/link/v1/pair/release"
}

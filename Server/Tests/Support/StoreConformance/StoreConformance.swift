// The promises that every store keeps, each with a name. It knows no driver and no test library, so that a driver
// elsewhere can be held to them too. Begin with `StorePromise.swift`.

/// All promises: the winner of simultaneous requests, the very moment of an expiry, and the effects of a refusal. They
/// also cover the rest that a reader of the protocols in `Store` may rely on.
package enum StoreConformance {
    /// All of them, in the order in which a new driver is best made to keep them.
    package static let promises: [StorePromise] =
        masterKey + apps + register + scrips + issuing + revoking + redeeming + messages + ledger + limits + smsCodes
        + smsUpstream + attestedKeys + log + openIDClients + openID
        + openIDConsents + faces + faceStanding + traces + loginCounts + audit + admins + teams + console + retention
        + subscribers + pageReviews
        + policies
        + gatewayPairs + callbacks + life
}

// The promises that every store keeps, each with a name. It knows no driver and no test library, so that a driver elsewhere
// can be held to them too. Begin with `StoreConformance.swift`.

/// The promises that every driver keeps, whatever it is made of.
///
/// They hold what a reader of the protocols in `Store` may rely on, the hard parts first: who wins when many ask at
/// once, what happens at the very moment of an expiry, and what a refusal leaves as it was. This target knows no
/// driver and no test library.
package enum StoreConformance {
    /// All of them, in the order in which a new driver is best made to keep them.
    package static let promises: [StorePromise] =
        masterKey + apps + register + scrips + issuing + revoking + redeeming + messages + ledger + limits + openID
        + faces + faceStanding + traces + life
}

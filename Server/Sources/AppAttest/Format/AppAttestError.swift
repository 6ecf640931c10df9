/// The reason why an attestation or assertion is invalid. Holds nothing of the sent data.
package struct AppAttestError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The check that failed.
    package enum Fault: String, Hashable, Sendable, CaseIterable {
        /// It has another form than Apple documents.
        case form
        /// Apple's step 1: no valid chain to a root that this server trusts.
        case chain
        /// Steps 2 to 4: made over something else.
        case nonce
        /// Step 5: the key's name is not the hash of its public half.
        case keyID
        /// Step 6: made by another app.
        case app
        /// Step 7: the key was used before it was attested.
        case counter
        /// Step 8: made in another environment.
        case environment
        /// Step 9: the authenticator data names another key.
        case credential
        /// An assertion's signature is wrong.
        case signature
    }

    package let fault: Fault
    package let description: String

    package init(_ fault: Fault, _ description: String) {
        self.fault = fault
        self.description = description
    }
}

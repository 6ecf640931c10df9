import BenjiProtocol
package import HTTPTypes

/// Limits and header fields that both sides of the link use.
package enum LinkRules {
    /// The largest message of a gateway's own that is read, in bytes.
    package static let maximumBody = 512 * 1024
    /// The largest answer that is read, in bytes. A login page is drawn for 12 screens, and has the address of each of
    /// its terms in all of them.
    package static let maximumAnswer = 8 * 1024 * 1024
    /// How far a gateway's clock may be from the authority's: as far as a phone's.
    package static let clockTolerance = DeviceProof.maximumAge
    /// Says which installation an answer is from.
    package static let installationHeader = HTTPField.Name("Benji-Installation")!
    /// The authority's time at an answer, in milliseconds since 1970.
    package static let timeHeader = HTTPField.Name("Benji-Time")!
}

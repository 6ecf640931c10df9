import Authority
@_spi(Server) package import BenjiProtocol
package import Requests
package import Sightings

/// The authority's interface for the page of a person's own log.
package protocol OwnLogDesk: Sendable {
    /// Returns the log's leaves about the subscriber at the other end of the connection, newest first.
    /// - Parameter before: only leaves before this one.
    func ownLog(before: Int64?, sighting: Result<Sighting, SightingRefusal>) async throws(Refusal) -> JSON
    /// Returns the proof of one of these leaves, for a person who types the whole number.
    /// - Throws: `numberDiffers` if it is another number; `tooManyRequests` after too many of those.
    func ownLogProof(
        of leaf: Int64, number: PhoneNumber, sighting: Result<Sighting, SightingRefusal>
    ) async throws(Refusal) -> JSON
}

extension Authority: OwnLogDesk {}

package import Authority
@_spi(Server) package import BenjiProtocol
package import Sightings

/// The authority's interface for the page of a person's own log, in the same process or over the link.
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

/// The question on its way from gateway to authority.
struct LinkOwnLog: Sendable {
    var before: Int64?
    var sighting: Result<Sighting, SightingRefusal>

    init(before: Int64?, sighting: Result<Sighting, SightingRefusal>) {
        self.before = before
        self.sighting = sighting
    }

    var json: JSON {
        .object((before.map { [JSON.Member("before", .integer($0))] } ?? []) + sighting.members)
    }

    init(_ json: JSON) throws(JSONError) {
        var reader = try JSONObjectReader(json)
        before = try reader.optional("before").map { json throws(JSONError) in
            guard let before = json.integerValue else {
                throw JSONError(place: "$.before", problem: "must be a whole number")
            }
            return before
        }
        sighting = try reader.sighting(path: "$")
        try reader.finish()
    }
}

/// A typed number on its way from gateway to authority.
struct LinkOwnLogProof: Sendable {
    var leaf: Int64
    var number: PhoneNumber
    var sighting: Result<Sighting, SightingRefusal>

    init(leaf: Int64, number: PhoneNumber, sighting: Result<Sighting, SightingRefusal>) {
        self.leaf = leaf
        self.number = number
        self.sighting = sighting
    }

    var json: JSON {
        .object(
            [JSON.Member("leaf", .integer(leaf)), JSON.Member("number", .string("+" + number.e164))]
                + sighting.members)
    }

    init(_ json: JSON) throws(JSONError) {
        var reader = try JSONObjectReader(json)
        leaf = try reader.integer("leaf", in: 0 ... .max - 1)
        number = try reader.e164("number")
        sighting = try reader.sighting(path: "$")
        try reader.finish()
    }
}

import Authority
import BenjiProtocol
import Sightings

/// A device's call as the link carries it: the proof's members that the gateway verified, and the attestation as it
/// came. It also has either a sighting or the reason for its absence.
extension DeviceCall {
    var json: JSON {
        let members =
            [JSON.Member("proof", proof.json)] + (attestation.map { [JSON.Member("attestation", .string($0))] } ?? [])
        return .object(members + sighting.members)
    }

    init(_ json: JSON, path: String) throws(JSONError) {
        var reader = try JSONObjectReader(json, path: path)
        let proof = try DeviceProof(linked: try reader.value("proof"), path: "\(path).proof")
        // The gateway's listener and the size of the whole bound it.
        let attestation = try reader.optionalString("attestation", length: 0 ... .max)
        let sighting = try reader.sighting(path: path)
        try reader.finish()
        self.init(proof: proof, attestation: attestation, sighting: sighting)
    }
}

extension DeviceProof {
    fileprivate var json: JSON {
        .object([
            "id": .string(id), "method": .string(method), "url": .string(url),
            "issuedAt": .integer(issuedAt.milliseconds),
            "bodyHash": .string(bodyHash), "localAddress": localAddress.map { .string($0.description) }, "key": key.jwk,
        ])
    }

    /// Reads what a gateway says it verified. The bounds are those of `DeviceProof.init(verifying:)`.
    fileprivate init(linked json: JSON, path: String) throws(JSONError) {
        var reader = try JSONObjectReader(json, path: path)
        let id = try reader.string("id", length: 16...64)
        let method = try reader.string("method", length: 3...7)
        let url = try reader.string("url", length: 1...2048)
        let issuedAt = Timestamp(milliseconds: try reader.integer("issuedAt", in: 0...4_102_444_800_000))
        let bodyHash = try reader.string("bodyHash", length: 43...43)
        let key = try DevicePublicKey(jwk: try reader.value("key"), path: "\(path).key")
        var localAddress: InternetAddress?
        if let text = try reader.optionalString("localAddress", length: 2...45) {
            guard let address = InternetAddress(text) else {
                throw JSONError(place: "\(path).localAddress", problem: "is not an address")
            }
            localAddress = address
        }
        try reader.finish()
        self.init(id: id, method: method, url: url, issuedAt: issuedAt, body: [], localAddress: localAddress, key: key)
        self.bodyHash = bodyHash
    }
}

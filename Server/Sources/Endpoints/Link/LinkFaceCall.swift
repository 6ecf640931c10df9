import BenjiFaceProtocol
import BenjiProtocol

/// A request of face login on its way from gateway to authority, as the phone sent it. The authority verifies the proof
/// itself, so a gateway cannot speak in a phone's name.
///
/// On the wire it is four bytes with the length of a head, the most significant first, the head in JSON, and the
/// phone's body.
struct LinkFaceCall: Hashable, Sendable {
    /// The media type of the message.
    static let mediaType = "application/vnd.benji.link-face"
    /// Bytes of a head. It holds headers of one request, which the gateway's listener bounds.
    static let maximumHead = 512 * 1024
    /// Bytes of a whole message.
    static let maximumLength = 4 + maximumHead + FaceFramesRequest.maximumLength
    /// Addresses that a gateway may be reached under.
    static let maximumURLs = 64

    var path: FacePath
    /// The whole addresses under which the gateway takes this request: the proof must name one.
    var urls: [String]
    /// Where the connection came from, for limits.
    var source: InternetAddress?
    var contentType: String?
    /// The values of the header with the proof, of which there must be one.
    var proofs: [String]
    /// The values of `OAuth-Client-Attestation`.
    var attestations: [String]
    var body: [UInt8]

    private var head: JSON {
        .object([
            "path": .string(path.rawValue), "urls": .array(urls.map { .string($0) }),
            "source": source.map { .string($0.description) }, "contentType": contentType.map { .string($0) },
            "proofs": .array(proofs.map { .string($0) }), "attestations": .array(attestations.map { .string($0) }),
        ])
    }

    /// The message, or `nil` if its head is too long.
    var bytes: [UInt8]? {
        let head = head.serialized
        guard head.count <= Self.maximumHead else { return nil }
        return (0..<4).map { UInt8(truncatingIfNeeded: head.count >> (24 - 8 * $0)) } + head + body
    }
}

extension LinkFaceCall {
    init(_ bytes: [UInt8]) throws(JSONError) {
        func refuse(_ problem: String) -> JSONError { JSONError(place: "body", problem: problem) }
        guard bytes.count >= 4 else { throw refuse("must begin with the length of a head") }
        let length = bytes[..<4].reduce(0) { $0 << 8 | Int($1) }
        guard length <= Self.maximumHead, bytes.count - 4 >= length else {
            throw refuse("the head is cut off, or too long")
        }
        let head: JSON
        do { head = try JSON(parsing: bytes[4..<4 + length]) } catch { throw error.inside("head") }
        var reader = try JSONObjectReader(head, path: "$head")
        path = try reader.value("path", "is none of face login's", FacePath.init(rawValue:))
        urls = try reader.texts("urls", count: 0...Self.maximumURLs)
        source = try reader.optionalString("source", length: 0...64).map { text throws(JSONError) in
            guard let address = InternetAddress(text) else {
                throw JSONError(place: "$head.source", problem: "must be an address")
            }
            return address
        }
        contentType = try reader.optionalString("contentType", length: 0...Self.maximumHead)
        proofs = try reader.texts("proofs", count: 0...Self.maximumHead)
        attestations = try reader.texts("attestations", count: 0...Self.maximumHead)
        try reader.finish()
        body = Array(bytes[(4 + length)...])
    }
}

extension LinkFaceCall: CustomStringConvertible, CustomReflectable {
    var description: String { "LinkFaceCall(\(path.rawValue))" }
    /// Without children: the body may hold a face, and secrets.
    var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

package import BenjiProtocol
package import ServerHTTP
package import Sightings

/// A request of a phone or browser on its way from gateway to authority, with what the gateway states about its sender.
///
/// The authority verifies signatures itself, so a gateway cannot make or alter a phone's request. It trusts the gateway
/// for the sender's address, the sighting, and the addresses under which the gateway is reached.
package struct ForwardedRequest: Sendable {
    /// Addresses that a gateway may be reached under.
    static let maximumURLs = 64
    /// The largest body that is forwarded, in bytes: pictures of a face.
    static let maximumBody = 6 * 1024 * 1024
    /// Bytes of a whole message.
    package static let maximumLength = 4 + FramedMessage.maximumHead + maximumBody

    /// The header fields that are forwarded.
    static let headerNames: Set<String> = [
        "accept-language", "content-length", "content-type", "cookie", "dpop", "if-none-match", "if-range",
        "oauth-client-attestation", "origin", "range", "referer", "sec-fetch-dest", "sec-fetch-site", "sec-purpose",
    ]

    var methodName: String
    /// Path and query.
    var target: String
    /// The host that the sender named.
    var authority: String?
    /// Of the names in ``headerNames`` only.
    var lines: [HeaderLine]
    var body: [UInt8]
    package var sender: ForwardedSender

    /// The message, or `nil` if the header fields are too long.
    package var bytes: [UInt8]? {
        var members = [
            JSON.Member("method", .string(methodName)), JSON.Member("target", .string(target)),
            JSON.Member("headers", .array(lines.map(\.json))),
            JSON.Member("baseURLs", .array(sender.baseURLs.prefix(Self.maximumURLs).map { .string($0) })),
        ]
        if let authority { members.append(JSON.Member("authority", .string(authority))) }
        if let peer = sender.peer {
            members.append(JSON.Member("address", .string(peer.address.description)))
            members.append(JSON.Member("port", .integer(Int64(peer.port))))
        }
        return FramedMessage(head: .object(members + (sender.sighting?.members ?? [])), body: body).bytes
    }
}

extension ForwardedRequest {
    package init(_ bytes: [UInt8]) throws(JSONError) {
        let message = try FramedMessage(parsing: bytes)
        var reader = try JSONObjectReader(message.head, path: "$head")
        methodName = try reader.value("method", "must be a method") { Self.isToken($0) ? $0 : nil }
        target = try reader.string("target", length: 1...FramedMessage.maximumHead)
        guard target.hasPrefix("/") else { throw JSONError(place: "$head.target", problem: "must begin with a slash") }
        authority = try reader.optionalString("authority", length: 0...FramedMessage.maximumHead)
        lines = try reader.headerLines(Self.headerNames.contains)
        sender = ForwardedSender(peer: nil, baseURLs: try reader.texts("baseURLs", count: 0...Self.maximumURLs))
        if let text = try reader.optionalString("address", length: 2...45) {
            guard let address = InternetAddress(text) else {
                throw JSONError(place: "$head.address", problem: "must be an address")
            }
            let port = try reader.integer("port", in: 0...Int64(UInt16.max))
            sender.peer = Peer(address: address, port: UInt16(port))
        }
        sender.sighting = try reader.optionalSighting(path: "$head")
        try reader.finish()
        body = message.body
    }

    /// Whether a text is a token (RFC 9110 §5.6.2), as methods and names of fields are.
    static func isToken(_ text: String) -> Bool {
        let others = Array("!#$%&'*+-.^_`|~".utf8)
        return !text.isEmpty
            && text.utf8.allSatisfy {
                (0x30...0x39).contains($0) || (0x41...0x5a).contains($0) || (0x61...0x7a).contains($0)
                    || others.contains($0)
            }
    }
}

extension ForwardedRequest: CustomStringConvertible, CustomReflectable {
    package var description: String { "ForwardedRequest" }
    /// Without children: a request holds credentials.
    package var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

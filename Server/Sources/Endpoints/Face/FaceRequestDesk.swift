package import BenjiFaceProtocol
package import BenjiProtocol
package import Hummingbird

/// The authority's interface for face login over the link: it answers a phone's request that a gateway has forwarded.
package protocol FaceRequestDesk: Sendable {
    /// - Parameters:
    ///   - request: as the phone sent it, with its proof unverified.
    ///   - sender: who sent it, and the addresses under which the gateway is reached.
    /// - Throws: `Refusal` or `Situation`, for the phone.
    func answer(_ path: FacePath, _ request: Request, from sender: RequestSender) async throws -> JSON
}

/// The sender of a request, and the addresses that it may name.
package struct RequestSender: Sendable {
    package var peer: Peer?
    /// The whole addresses of which the request's proof must name one; those of another path do not count. `nil` if
    /// those of the own listener are meant.
    package var urls: [String]?

    package init(peer: Peer?, urls: [String]? = nil) {
        self.peer = peer
        self.urls = urls
    }
}

extension FacePath {
    /// The largest body that is read, in bytes. Of JSON it is one with a picture of a person.
    package var maximumBody: Int { self == .frames ? FaceFramesRequest.maximumLength : 192 * 1024 }
}

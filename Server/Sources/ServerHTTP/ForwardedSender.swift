package import BenjiProtocol
package import Sightings

/// The statement of a gateway about the sender of a request that it forwards.
package struct ForwardedSender: Sendable {
    /// Where the sender's connection comes from; `nil` if that has no address.
    package var peer: Peer?
    /// The addresses under which the gateway is reached, without a path. A proof must name one of them.
    package var baseURLs: [String]
    /// The holder of the sender's address; `nil` if the gateway did not look for it.
    package var sighting: Result<Sighting, SightingRefusal>?

    package init(peer: Peer?, baseURLs: [String] = [], sighting: Result<Sighting, SightingRefusal>? = nil) {
        self.peer = peer
        self.baseURLs = baseURLs
        self.sighting = sighting
    }
}

/// The address and port that a connection came from.
package struct Peer: Hashable, Sendable {
    package var address: InternetAddress
    package var port: UInt16

    package init(address: InternetAddress, port: UInt16) {
        self.address = address
        self.port = port
    }
}

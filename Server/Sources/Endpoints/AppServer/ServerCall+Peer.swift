package import Authority
package import BenjiProtocol
package import Requests

extension ServerCall {
    /// The caller's address. Without one no allow-list can let it in.
    package static func address(of peer: InternetAddress?) throws(Refusal) -> InternetAddress {
        guard let peer else { throw Refusal(.serverAddressNotAllowed, "the connection has no address") }
        return peer
    }
}

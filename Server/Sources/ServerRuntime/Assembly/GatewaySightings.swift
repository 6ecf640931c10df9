package import BenjiProtocol
package import Gateway
package import ServerHTTP
package import Sightings

/// Asks the gateway of this process about an address, in the ip-domain of the device listener.
package struct GatewaySightings: SightingSource {
    package let gateway: GatewayService
    package let domain: String

    package func sighting(
        from address: InternetAddress, port: UInt16, claimedLocalAddress: InternetAddress?
    ) async -> Result<Sighting, SightingRefusal> {
        gateway.sighting(from: address, port: port, domain: domain, claimedLocalAddress: claimedLocalAddress)
    }
}

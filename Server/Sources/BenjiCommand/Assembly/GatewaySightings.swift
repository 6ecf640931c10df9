import BenjiProtocol
import Gateway
import ServerHTTP
import Sightings

/// Asks the gateway of this process about an address, in the ip-domain of the device listener.
struct GatewaySightings: SightingSource {
    let gateway: GatewayService
    let domain: String

    func sighting(
        from address: InternetAddress, port: UInt16, claimedLocalAddress: InternetAddress?
    ) async -> Result<Sighting, SightingRefusal> {
        gateway.sighting(from: address, port: port, domain: domain, claimedLocalAddress: claimedLocalAddress)
    }
}

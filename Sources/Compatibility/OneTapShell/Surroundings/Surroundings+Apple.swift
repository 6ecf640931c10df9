#if canImport(Network) && canImport(Security)
import BenjiClient
import BenjiProtocol
import Foundation

extension Surroundings {
    /// Requests that leave by mobile data whatever else is up, and a device key in the key chain.
    package static var apple: Surroundings {
        let status = AppleNetworkStatusSource()
        return Surroundings(
            transport: CellularTransport(), keyStore: { KeychainDeviceKeyStore(account: $0.rawValue) },
            networkStatus: status, networkNow: { status.networkStatus(within: 100) },
            bundleID: Bundle.main.bundleIdentifier ?? "")
    }
}
#endif

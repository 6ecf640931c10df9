#if canImport(Network) && canImport(Security)
import BenjiClient
import BenjiProtocol
import Foundation

extension Surroundings {
    /// Requests that leave by mobile data whatever else is up, and a device key in the key chain.
    package static var apple: Surroundings {
        let status = AppleNetworkStatusSource()
        var surroundings = Surroundings(
            transport: CellularTransport(), keyStore: { KeychainDeviceKeyStore(account: $0.rawValue) },
            networkStatus: status, networkNow: { status.networkStatus(within: 100) },
            bundleID: Bundle.main.bundleIdentifier ?? "", internet: InternetTransport())
        #if canImport(CoreTelephony) && !os(macOS)
        surroundings.mobileServices = { MobileServices.apple }
        #endif
        return surroundings
    }
}
#endif

#if canImport(Network) && canImport(Security)
public import BenjiClient
import BenjiProtocol
import Foundation

extension PhoneLogin {
    /// Creates a login for Apple's platforms. Requests leave by mobile data whatever else is up. The device key is in
    /// the key chain, made in the Secure Enclave where there is one.
    public convenience init(configuration: Configuration, attestation: (any AttestationProvider)? = nil) {
        self.init(
            configuration: configuration,
            transport: configuration.isSandbox ? SandboxTransport(InternetTransport()) : CellularTransport(),
            keyStore: KeychainDeviceKeyStore(account: configuration.engine.appID.rawValue), attestation: attestation,
            networkStatus: configuration.isSandbox ? nil : AppleNetworkStatusSource(), internet: InternetTransport())
    }
}

extension PhoneLogin.Configuration {
    /// With the running app's own bundle id.
    ///
    /// - Throws: ``BenjiProtocol/Situation/invalidArgument``, naming the argument.
    public init(
        appID: String, appKey: String?, server: String, timeout: Duration = .seconds(8)
    ) throws(BenjiError) {
        try self.init(
            appID: appID, appKey: appKey, bundleID: Bundle.main.bundleIdentifier ?? "", server: server, timeout: timeout
        )
    }

    #if DEBUG
    /// As ``sandbox(_:phone:over:)``, by any network that this phone or simulator has.
    public static func sandbox(
        _ address: String, phone: String = "phone-1"
    ) async throws(BenjiError) -> PhoneLogin.Configuration {
        try await sandbox(address, phone: phone, over: InternetTransport())
    }
    #endif
}
#endif

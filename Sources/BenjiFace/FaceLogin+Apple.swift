#if canImport(Network) && canImport(Security)
public import Benji
public import BenjiClient
import BenjiProtocol

extension FaceLogin {
    /// Creates a face login for Apple's platforms. Numbers are proven over mobile data, and pictures go by any network.
    /// Key, account and tokens are in the key chain.
    public convenience init(
        configuration: PhoneLogin.Configuration, attestation: (any AttestationProvider)? = nil
    ) {
        let app = configuration.engine.appID.rawValue
        self.init(
            configuration: configuration, cellular: CellularTransport(), transport: InternetTransport(),
            keyStore: KeychainDeviceKeyStore(account: app), vault: KeychainFaceVault(account: app),
            attestation: attestation, networkStatus: AppleNetworkStatusSource())
    }
}
#endif

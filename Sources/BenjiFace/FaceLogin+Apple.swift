#if canImport(Network) && canImport(Security)
public import Benji
public import BenjiClient
import BenjiProtocol

extension FaceLogin {
    /// With everything that Apple's platforms have for it: numbers are proven over mobile data, pictures go by any network, and
    /// key, account and tokens are in the key chain.
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

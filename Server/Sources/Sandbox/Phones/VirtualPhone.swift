package import BenjiClient
package import BenjiProtocol
import BenjiTransportCurl

/// A phone of the sandbox: the real SDK engine, whose mobile data leaves by an address of its own.
///
/// On loopback every 127.x address works without set-up. So only a phone's address distinguishes it from others, as in
/// a carrier's network.
package struct VirtualPhone: Sendable {
    package let name: String
    package let address: InternetAddress
    /// The way out by this phone's mobile data.
    package let transport: any Transport
    private let platform: PlatformAttester
    private let signer = SoftwareDeviceSigner()

    /// - Parameter secrets: records the secrets that cross the phone's mobile data, if given.
    package init(name: String, address: InternetAddress, platform: PlatformAttester, secrets: SecretsList? = nil) {
        self.name = name
        self.address = address
        self.platform = platform
        let modem = CurlTransport(.init(egress: .sourceAddress(address)))
        transport = secrets.map { RecordingTransport(base: modem, secrets: $0) } ?? modem
    }

    /// An app installed on this phone. Its platform vouches for it.
    package func install(_ configuration: LoginEngine.Configuration) -> LoginEngine {
        Self.install(configuration, transport: transport, signer: signer, platform: platform)
    }

    /// An app installed on this phone, for which the phone's chip vouches in place of its platform.
    package func install(_ configuration: LoginEngine.Configuration, with chip: ModelChip) -> LoginEngine {
        LoginEngine(
            configuration: configuration, transport: transport, keyStore: MemoryDeviceKeyStore(signer),
            attestation: AppAttestation(service: chip, keys: MemoryAppAttestKeyStore()))
    }

    /// An app on a phone with this device key, whose mobile data is `transport`.
    static func install(
        _ configuration: LoginEngine.Configuration, transport: any Transport, signer: SoftwareDeviceSigner,
        platform: PlatformAttester
    ) -> LoginEngine {
        LoginEngine(
            configuration: configuration, transport: transport, keyStore: MemoryDeviceKeyStore(signer),
            attestation: InstalledApp(platform: platform))
    }

    /// The platform's word for a key of an app on this phone.
    package func attestation(
        for key: DevicePublicKey, appID: AppID, bundleID: String, challenge: String
    ) throws -> String {
        try platform.attest(key, appID: appID, bundleID: bundleID, challenge: challenge)
    }
}

private struct InstalledApp: AttestationProvider {
    let platform: PlatformAttester

    func attestation(
        for key: DevicePublicKey, appID: AppID, bundleID: String, challenge: AttestationChallenge
    ) async throws -> String? {
        try platform.attest(key, appID: appID, bundleID: bundleID, challenge: try await challenge.value())
    }
}

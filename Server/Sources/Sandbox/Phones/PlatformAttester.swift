package import BenjiProtocol

/// The role of a real phone's platform: it knows which app is running, and vouches for its device key.
///
/// App Attest and Key Attestation do this with hardware; the sandbox's platform uses a key of its own. It signs only
/// for apps that the virtual phone's operating system names. A script that copied an app's id and key is no installed
/// app.
package struct PlatformAttester: Sendable {
    private let signer: SoftwareDeviceSigner
    private let clock: any WallClock

    package init(signer: SoftwareDeviceSigner = SoftwareDeviceSigner(), clock: some WallClock = SystemWallClock()) {
        self.signer = signer
        self.clock = clock
    }

    /// The key that an app registers as its attester, as a JSON Web Key.
    package var publicKey: JSON { signer.publicKey.jwk }

    /// Vouches for `key` as the device key of an installed app, for an hour.
    package func attest(
        _ key: DevicePublicKey, appID: AppID, bundleID: String, challenge: String?
    ) throws -> String {
        try ClientAttestation(
            appID: appID, bundleID: bundleID, keyThumbprint: key.thumbprint, issuedAt: clock.now,
            expiresAt: clock.now + .seconds(3600), challenge: challenge
        ).signed(by: signer)
    }
}

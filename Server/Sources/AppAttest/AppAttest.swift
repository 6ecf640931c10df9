// Reads what Apple's App Attest says of an app's install, and checks it by Apple's steps: attestations when a key is registered,
// assertions at each request after. It knows no app, no store and no clock. Begin with `AppAttestVerifier.swift`; what is read byte
// by byte is in `Format/`.

/// Where a key was attested: apps from the App Store and TestFlight are in production, apps that Xcode installed are not.
package enum AppAttestEnvironment: String, Hashable, Sendable, Codable, CaseIterable {
    case production
    case development

    /// The AAGUID that the authenticator data of an attestation has.
    package var aaguid: [UInt8] {
        switch self {
        case .production: Array("appattest".utf8) + Array(repeating: 0, count: 7)
        case .development: Array("appattestdevelop".utf8)
        }
    }
}

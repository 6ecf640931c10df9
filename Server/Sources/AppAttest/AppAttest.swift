// Reads the statements of Apple's App Attest about an app's install, and checks them by Apple's steps. Attestations
// come when a key is registered, assertions with each later request. It knows no app, no store and no clock. Begin with
// `AppAttestVerifier.swift`; `Format/` reads the bytes.

/// Where a key was attested: apps from the App Store and TestFlight are in production, apps that Xcode installed are
/// not.
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

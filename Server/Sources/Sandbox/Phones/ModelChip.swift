import AppAttest
package import AppAttestModel
package import BenjiClient
package import BenjiProtocol

/// App Attest on a virtual phone: what an app on it asks, and what a model of the chip answers.
package struct ModelChip: AppAttestService {
    package let isSupported = true
    private let enclave: ModelEnclave
    private let appleID: String

    /// - Parameters:
    ///   - authority: who stands in Apple's place.
    ///   - team: of the app's publisher, ten characters.
    package init(
        by authority: ModelAuthority, team: String, bundleID: String, clock: some WallClock = SystemWallClock()
    ) {
        enclave = ModelEnclave(authority: authority, clock: clock)
        appleID = "\(team).\(bundleID)"
    }

    package func makeKey() async throws(AppAttestServiceError) -> [UInt8] { enclave.makeKey() }

    package func attest(_ key: [UInt8], clientDataHash: [UInt8]) async throws(AppAttestServiceError) -> [UInt8] {
        try Self.answer { try enclave.attest(key, clientDataHash: clientDataHash, appleID: appleID) }
    }

    package func assert(_ key: [UInt8], clientDataHash: [UInt8]) async throws(AppAttestServiceError) -> [UInt8] {
        try Self.answer { try enclave.assert(key, clientDataHash: clientDataHash, appleID: appleID) }
    }

    private static func answer(_ ask: () throws -> [UInt8]?) throws(AppAttestServiceError) -> [UInt8] {
        let answer: [UInt8]?
        do { answer = try ask() } catch { throw .failed }
        guard let answer else { throw .invalidKey }
        return answer
    }
}

import AppAttest
import BenjiProtocol
import Foundation
import Testing

/// Apple publishes one attestation, with the app, the key and the challenge that it was made for: "Attestation Object
/// Validation Guide", developer.apple.com/documentation/devicecheck/attestation-object-validation-guide. Its root is
/// the one that Apple publishes at apple.com/certificateauthority/private. The sample's challenge stands where a hash
/// of it should be; the verifier takes any bytes.
@Suite("Apple's own sample counts, and with anything altered it does not")
struct AppleSampleTests {
    private static let object = Array(
        Data(
            base64Encoded: Data(PackageResources.apple_sample_base64), options: .ignoreUnknownCharacters) ?? Data())
    private static let keyID = Array(Data(base64Encoded: "bSrEhF8TIzIvWSPwvZ0i2+UOBre4ASH84rK15m6emNY=") ?? Data())
    private static let challenge = Array("test_server_challenge".utf8)
    private static let appleID = "0352187391.com.apple.example_app_attest"
    /// 18 April 2024: the key's certificate was valid from the 17th to the 20th.
    private static let then = Timestamp(seconds: 1_713_398_400)
    private let verifier: AppAttestVerifier

    init() throws {
        verifier = try AppAttestVerifier(pem: String(decoding: PackageResources.apple_root_pem, as: UTF8.self))
    }

    private func fault(
        _ object: [UInt8] = object, keyID: [UInt8] = keyID, challenge: [UInt8] = challenge, appleID: String = appleID,
        environments: Set<AppAttestEnvironment> = [.production], at moment: Timestamp = then,
        _ verifier: AppAttestVerifier? = nil
    ) async -> AppAttestError.Fault? {
        do {
            _ = try await (verifier ?? self.verifier).verify(
                object, keyID: keyID, clientDataHash: challenge, appleIDs: [appleID], environments: environments,
                at: moment)
            return nil
        } catch { return error.fault }
    }

    @Test("it counts") func counts() async { #expect(await fault() == nil) }

    @Test("for another challenge, key, app or environment, and at another time, it does not")
    func altered() async throws {
        #expect(await fault(challenge: Array("test_server_challengf".utf8)) == .nonce)
        #expect(await fault(keyID: Self.keyID.reversed()) == .keyID)
        #expect(await fault(appleID: "0352187391.com.apple.other") == .app)
        #expect(await fault(environments: [.development]) == .environment)
        #expect(await fault(at: Self.then + .seconds(4 * 86400)) == .chain)
        #expect(await fault(at: Self.then - .seconds(4 * 86400)) == .chain)
    }

    @Test("with any byte of its authenticator data altered, or of every seventeen of its certificates one, it does not")
    func bytes() async throws {
        let object = try AttestationObject(decoding: Self.object)
        #expect(object.encoded == Self.object)
        for index in object.certificates.indices {
            for place in stride(from: 0, to: object.certificates[index].count, by: 17) {
                var altered = object
                altered.certificates[index][place] ^= 1
                #expect(await fault(altered.encoded) != nil, "certificate \(index), byte \(place)")
            }
        }
        for place in object.authenticatorData.indices {
            var altered = object
            altered.authenticatorData[place] ^= 1
            #expect(await fault(altered.encoded) != nil, "authenticator data, byte \(place)")
        }
    }
}

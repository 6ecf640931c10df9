import BenjiProtocol
import Testing

@Suite struct AppKeyProofTests {
    private let app = Samples.appID

    @Test("The proof holds for its key, app, request and device, and for nothing else")
    func binding() throws {
        let code = AppKeyProof.make(appKey: "key", appID: app, proofID: "proof", keyThumbprint: "thumb")
        #expect(code.utf8.count == 43)
        func valid(_ code: String, key: String = "key", app: AppID, id: String = "proof", thumbprint: String = "thumb")
            -> Bool
        {
            AppKeyProof.isValid(code, appKey: key, appID: app, proofID: id, keyThumbprint: thumbprint)
        }
        #expect(valid(code, app: app))
        #expect(!valid(code, key: "kez", app: app))
        #expect(!valid(code, app: try #require(AppID(rawValue: "300000000002"))))
        #expect(!valid(code, app: app, id: "proof2"))
        #expect(!valid(code, app: app, thumbprint: "thumc"))
        #expect(!valid(code, app: app, id: "prooft", thumbprint: "humb"), "fields may not slide into each other")
        #expect(!valid("", app: app))
        #expect(!valid(code + "A", app: app))
    }

    @Test("Comparing bytes knows every difference")
    func comparing() {
        #expect(ConstantTime.areEqual([], []))
        #expect(ConstantTime.areEqual([1, 2], [1, 2]))
        for other in [[1, 3], [0, 2], [1], [1, 2, 0], []] as [[UInt8]] {
            #expect(!ConstantTime.areEqual([1, 2], other))
        }
    }
}

@Suite struct ClientAttestationTests {
    private func attestation(_ key: DevicePublicKey) -> ClientAttestation {
        ClientAttestation(
            appID: Samples.appID, bundleID: "com.example.app", keyThumbprint: key.thumbprint,
            issuedAt: Timestamp(seconds: 1_789_990_000), expiresAt: Timestamp(seconds: 1_790_000_000),
            challenge: "challenge")
    }

    @Test("An attestation is believed from its attesters only")
    func attesters() throws {
        let attester = SoftwareDeviceSigner()
        let device = SoftwareDeviceSigner()
        let text = try attestation(device.publicKey).signed(by: attester)
        let read = try ClientAttestation(
            verifying: text, attesters: [SoftwareDeviceSigner().publicKey, attester.publicKey])
        #expect(read == attestation(device.publicKey))
        #expect(throws: JSONError.self) { try ClientAttestation(verifying: text, attesters: []) }
        #expect(throws: JSONError.self) { try ClientAttestation(verifying: text, attesters: [device.publicKey]) }
    }

    @Test("An attestation that says neither when it was made nor for what is read as one that does not")
    func withoutChallenge() throws {
        let attester = SoftwareDeviceSigner()
        var old = attestation(attester.publicKey)
        (old.issuedAt, old.challenge) = (nil, nil)
        let text = try old.signed(by: attester)
        #expect(!(try CompactJWS(parsing: text).payload.text.contains("challenge")))
        #expect(try ClientAttestation(verifying: text, attesters: [attester.publicKey]) == old)
    }

    @Test("What the same key signed for another purpose is not an attestation")
    func otherType() throws {
        let attester = SoftwareDeviceSigner()
        let text = try CompactJWS.sign(
            header: [JSON.Member("typ", "dpop+jwt")],
            payload: .object([
                "sub": "300000000001", "bundle": "b", "exp": 1,
                "cnf": .object(["jkt": .string(attester.publicKey.thumbprint)]),
            ]), with: attester)
        #expect(throws: JSONError.self) { try ClientAttestation(verifying: text, attesters: [attester.publicKey]) }
    }
}

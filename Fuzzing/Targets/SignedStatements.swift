// Statements that device keys and attesters sign: proofs, consents, attestations. A fuzzer cannot sign, so the target
// signs the given header and payload and reads them. The other inputs are read as they are.
//
// Covers: Sources/BenjiProtocol/Signing/CompactJWS.swift
// Covers: Sources/BenjiProtocol/Signing/DeviceProof.swift
// Covers: Sources/BenjiProtocol/Signing/ClientAttestation.swift
// Covers: Sources/BenjiProtocol/Signing/DeviceKey.swift
// Covers: Sources/BenjiProtocol/Consent/ConsentRecord.swift
import Crypto

@testable import BenjiProtocol

private let signer = SoftwareDeviceSigner(key: try! P256.Signing.PrivateKey(rawRepresentation: Array(1...32)))
private let key = signer.publicKey
private let stranger = SoftwareDeviceSigner(key: try! P256.Signing.PrivateKey(rawRepresentation: Array(2...33)))

func target(_ input: [UInt8]) {
    var choices = Choices(input)
    let mode = choices.byte()
    if mode & 1 == 0 {
        read(String(decoding: choices.rest, as: UTF8.self))
        return
    }
    // Header and payload are parted by a line's end, which JSON text without spaces never needs.
    let parts = choices.rest.split(separator: 0x0a, maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else { return }
    let signed = "\(Base64URL.encode(parts[0])).\(Base64URL.encode(parts[1]))"
    guard let signature = try? signer.signature(over: Array(signed.utf8)) else { return }
    let text = "\(signed).\(Base64URL.encode(signature))"
    read(text)
    refuse(text, flipping: mode)
}

private func read(_ text: String) {
    guard let jws = try? CompactJWS(parsing: text) else { return }
    reached("a JWS")
    hold("what one key has signed, another has not", !(jws.isSigned(by: key) && jws.isSigned(by: stranger.publicKey)))
    if let proof = try? DeviceProof(verifying: text) {
        reached("a proof")
        _ = proof.covers(method: "POST", urls: ["https://gateway.example/device/v1/prefetch", proof.url], body: [])
        // Further claims are ignored and addresses rewritten, so only the meaning must survive.
        if proof.key == key {
            let again = hold("a proof can be signed again") { try DeviceProof(verifying: proof.signed(by: signer)) }
            hold("a proof survives signing and reading", again == proof)
        }
    }
    if let consent = try? ConsentRecord(verifying: text, key: key) {
        reached("a consent")
        let again = hold("a consent can be signed again") {
            try ConsentRecord(verifying: consent.signed(by: signer), key: key)
        }
        hold("a consent survives signing and reading", again == consent)
        hold("a stranger's key opens no consent", (try? ConsentRecord(verifying: text, key: stranger.publicKey)) == nil)
    }
    if let attestation = try? ClientAttestation(verifying: text, attesters: [stranger.publicKey, key]) {
        reached("an attestation")
        let again = hold("an attestation can be signed again") {
            try ClientAttestation(verifying: attestation.signed(by: signer), attesters: [key])
        }
        hold("an attestation survives signing and reading", again == attestation)
        hold(
            "a stranger attests nothing",
            (try? ClientAttestation(verifying: text, attesters: [stranger.publicKey])) == nil)
    }
}

/// One changed character makes a signed text worthless.
private func refuse(_ text: String, flipping choice: UInt8) {
    var bytes = Array(text.utf8)
    let place = Int(choice) * bytes.count / 256
    bytes[place] = bytes[place] == 0x41 ? 0x42 : 0x41
    let changed = String(decoding: bytes, as: UTF8.self)
    hold("a changed consent is refused", (try? ConsentRecord(verifying: changed, key: key)) == nil)
    hold("a changed attestation is refused", (try? ClientAttestation(verifying: changed, attesters: [key])) == nil)
    hold("a changed proof is refused", (try? DeviceProof(verifying: changed))?.key != key)
}

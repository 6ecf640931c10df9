@_spi(Server) package import BenjiProtocol
import Crypto
import Foundation
package import Store

/// Seals and opens what is secret at rest, and computes what must be found or recognised without being readable
/// (decision 12).
package struct Vault: Sendable {
    private let sealing: SymmetricKey
    private let indexing: SymmetricKey
    private let pairwise: SymmetricKey
    private let pseudonyms: SymmetricKey
    let attestationChallenges: AttestationChallenges
    /// What a store remembers of the master key; it opens nothing.
    let masterKeyCheck: MasterKeyCheck
    /// Signs consent receipts.
    package let receiptSigner: SoftwareDeviceSigner

    package init(masterKey: MasterKey) {
        sealing = masterKey.derived("seal")
        indexing = masterKey.derived("index")
        pairwise = masterKey.derived("open-id")
        pseudonyms = masterKey.derived("pseudonym")
        attestationChallenges = AttestationChallenges(key: masterKey.derived("attestation-challenge"))
        masterKeyCheck = MasterKeyCheck(
            bytes: Array(
                HMAC<SHA256>.authenticationCode(
                    for: LengthPrefixed(domain: "benji-master-key-check").bytes, using: masterKey.derived("check"))))
        receiptSigner = SoftwareDeviceSigner(key: Self.signingKey(from: masterKey.derived("consent-receipt")))
    }

    /// A P-256 key from 32 derived bytes. All but one in 2³² values are valid scalars; the rest are hashed until one
    /// is.
    private static func signingKey(from secret: SymmetricKey) -> P256.Signing.PrivateKey {
        var bytes = secret.withUnsafeBytes { Array($0) }
        while true {
            if let key = try? P256.Signing.PrivateKey(rawRepresentation: bytes) { return key }
            bytes = Array(SHA256.hash(data: bytes))
        }
    }

    /// The public key with which anybody can check a consent receipt.
    package var receiptKey: DevicePublicKey { receiptSigner.publicKey }

    /// - Parameters:
    ///   - purpose: what kind of value this is: "number", "app-key".
    ///   - owner: the row that it belongs to. A value moved to another row does not open.
    package func seal(_ plaintext: [UInt8], purpose: String, owner: [UInt8]) throws -> Sealed {
        try Envelope.seal(plaintext, under: sealing, purpose: purpose, owner: owner)
    }

    package func open(_ sealed: Sealed, purpose: String, owner: [UInt8]) throws(VaultError) -> [UInt8] {
        try Envelope.open(sealed, under: sealing, purpose: purpose, owner: owner)
    }

    private func code(_ key: SymmetricKey, _ domain: String, _ fields: [[UInt8]]) -> [UInt8] {
        var bytes = LengthPrefixed(domain: domain)
        for field in fields { bytes.append(field) }
        return Array(HMAC<SHA256>.authenticationCode(for: bytes.bytes, using: key))
    }

    package func index(of number: PhoneNumber) -> BlindIndex {
        BlindIndex(bytes: code(indexing, "number", [Array(number.e164.utf8)]))
    }

    package func index(ofIMSI imsi: String) -> BlindIndex {
        BlindIndex(bytes: code(indexing, "imsi", [Array(imsi.utf8)]))
    }

    package func seal(_ number: PhoneNumber, index: BlindIndex) throws -> Sealed {
        try seal(Array(number.e164.utf8), purpose: "number", owner: index.bytes)
    }

    package func number(of subscription: SubscriptionRecord) throws(VaultError) -> PhoneNumber {
        let digits = try open(subscription.sealedNumber, purpose: "number", owner: subscription.numberIndex.bytes)
        // What was sealed had a country code, so it is read with one.
        guard let number = PhoneNumber("+" + String(decoding: digits, as: UTF8.self)) else { throw VaultError() }
        return number
    }

    /// Who this person is to this app: the same for every login, another for every app, gone with the epoch (decision
    /// 5).
    package func openID(_ subscription: SubscriptionRecord, app: AppID) -> String {
        Base64URL.encode(code(pairwise, "open-id", [Array(app.rawValue.utf8), subscription.epochKey]))
    }

    /// TYRZLogin's `pcid`: like the openID, under another key, so that the two cannot be matched.
    package func pseudonym(_ subscription: SubscriptionRecord, app: AppID) -> String {
        Base64URL.encode(code(pseudonyms, "pcid", [Array(app.rawValue.utf8), subscription.epochKey]))
    }
}

/// A sealed value did not open: another master key, a damaged row, or a value moved between rows.
package struct VaultError: Error, CustomStringConvertible {
    package init() {}

    package var description: String {
        "a sealed value does not open: it was sealed under another master key, damaged, or moved from another row"
    }
}

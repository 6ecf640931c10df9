import AppAttest
import AppAttestModel
@_spi(Server) import BenjiProtocol
import Crypto
import Foundation
import Testing

/// Checks attestations, well or badly.
private protocol AttestationReader: Sendable {
    func accepts(_ shown: Shown) async -> Bool
}

/// The evidence that a phone presents when it registers a key.
private struct Shown: Sendable {
    var object: AttestationObject
    var keyID: [UInt8]
    var clientDataHash: [UInt8]
}

/// Takes whatever has the form of an attestation, with the key that its first certificate names.
private struct NaiveReader: AttestationReader {
    func accepts(_ shown: Shown) async -> Bool {
        (try? AttestationObject(decoding: shown.object.encoded)).map { !$0.certificates.isEmpty } ?? false
    }
}

/// Verifies an assertion's signature with the key and the client data that come with it. It does not check that they
/// are the registered key and this request, nor the app.
private struct NaiveAssertionReader {
    let publicKey: [UInt8]
    let clientDataHash: [UInt8]

    func accepts(_ object: AssertionObject) -> Bool {
        guard let key = try? P256.Signing.PublicKey(x963Representation: publicKey),
            let signature = try? P256.Signing.ECDSASignature(derRepresentation: object.signature)
        else { return false }
        let nonce = SHA256.hash(data: object.authenticatorData + clientDataHash)
        return key.isValidSignature(signature, for: Data(nonce))
    }
}

private struct RealReader: AttestationReader {
    let verifier: AppAttestVerifier
    let now: Timestamp

    func accepts(_ shown: Shown) async -> Bool { await fault(shown) == nil }

    func fault(_ shown: Shown) async -> AppAttestError.Fault? {
        do {
            _ = try await verifier.verify(
                shown.object.encoded, keyID: shown.keyID, clientDataHash: shown.clientDataHash,
                appleIDs: [AttestationAttackTests.appleID], environments: [.production], at: now)
            return nil
        } catch { return error.fault }
    }
}

@Suite("What an attestation that is altered in one thing gains: a key at a naive server, and none at Benji's")
struct AttestationAttackTests {
    static let appleID = "A1B2C3D4E5.com.example.shop"
    private static let now = Timestamp(seconds: 1_795_000_000)
    private static let hash = Array(SHA256.hash(data: Array("challenge".utf8)))
    private let apple: ModelAuthority
    private let real: RealReader

    init() throws {
        apple = try ModelAuthority(at: Self.now - .seconds(86400))
        real = RealReader(verifier: try AppAttestVerifier(pem: apple.rootPEM), now: Self.now)
    }

    private func shown(
        _ key: ModelEnclave.Key = ModelEnclave.Key(), by authority: ModelAuthority? = nil, appleID: String = appleID,
        counter: UInt32 = 0, credential: [UInt8]? = nil, environment: AppAttestEnvironment = .production,
        at moment: Timestamp = now
    ) throws -> Shown {
        let data = ModelEnclave.authenticatorData(
            appleID, counter: counter, credential: credential ?? key.id, of: key, environment)
        return Shown(
            object: try ModelEnclave.attestation(
                of: key, data, clientDataHash: Self.hash, by: authority ?? apple, at: moment), keyID: key.id,
            clientDataHash: Self.hash)
    }

    /// Each attack, and the step that it falls at.
    private func check(_ shown: Shown, _ fault: AppAttestError.Fault, sourceLocation: SourceLocation = #_sourceLocation)
        async
    {
        #expect(await NaiveReader().accepts(shown), "the attack is none", sourceLocation: sourceLocation)
        #expect(await real.fault(shown) == fault, sourceLocation: sourceLocation)
    }

    @Test("an attestation that nobody altered counts, and says which key")
    func genuine() async throws {
        let key = ModelEnclave.Key()
        let shown = try shown(key)
        let attested = try await real.verifier.verify(
            shown.object.encoded, keyID: shown.keyID, clientDataHash: shown.clientDataHash,
            appleIDs: ["X.other", Self.appleID], environments: [.production], at: Self.now)
        #expect(attested.publicKey == Array(key.secret.publicKey.x963Representation))
        #expect(attested.appleID == Self.appleID)
        #expect(attested.environment == .production)
    }

    @Test("step 1: a chain of somebody else, of one's own key, without an authority, or out of time")
    func chain() async throws {
        await check(try shown(by: try ModelAuthority(at: Self.now)), .chain)
        var alone = try shown()
        alone.object.certificates = [alone.object.certificates[0]]
        await check(alone, .chain)
        var swapped = try shown()
        swapped.object.certificates.reverse()
        await check(swapped, .nonce)
        var middle = try shown()
        middle.object.certificates.removeFirst()
        await check(middle, .nonce)
        await check(try shown(at: Self.now - .seconds(3 * 86400 + 1)), .chain)
        await check(try shown(at: Self.now + .seconds(61)), .chain)
        var broken = try shown()
        broken.object.certificates[0][40] ^= 1
        await check(broken, .chain)
        // Without a certificate there is no key that a double could take.
        var none = try shown()
        none.object.certificates = []
        #expect(await real.fault(none) == .chain)
        var text = try shown()
        text.object.certificates[0] = [1, 2, 3]
        await check(text, .chain)
    }

    @Test("steps 2 to 4: made for another challenge, or its authenticator data altered")
    func nonce() async throws {
        var other = try shown()
        other.clientDataHash[0] ^= 1
        await check(other, .nonce)
        for place in [0, 32, 36, 40, 54, 60, 100] {
            var altered = try shown()
            altered.object.authenticatorData[place] ^= 1
            let fault = await real.fault(altered)
            #expect(fault == .nonce || fault == .form, "byte \(place)")
            #expect(await NaiveReader().accepts(altered))
        }
    }

    @Test("step 5: the certificate is of another key than the phone names")
    func keyID() async throws {
        var other = try shown()
        other.keyID = ModelEnclave.Key().id
        await check(other, .keyID)
    }

    @Test("step 6: an attestation of another app")
    func app() async throws { await check(try shown(appleID: "A1B2C3D4E5.com.example.other"), .app) }

    @Test("step 7: a key that was used before") func counter() async throws {
        await check(try shown(counter: 1), .counter)
    }

    @Test("step 8: a key of an app under development, unless the app takes those") func environment() async throws {
        let shown = try shown(environment: .development)
        await check(shown, .environment)
        let attested = try await real.verifier.verify(
            shown.object.encoded, keyID: shown.keyID, clientDataHash: shown.clientDataHash, appleIDs: [Self.appleID],
            environments: [.production, .development], at: Self.now)
        #expect(attested.environment == .development)
    }

    @Test("step 9: authenticator data that names another key")
    func credential() async throws { await check(try shown(credential: ModelEnclave.Key().id), .credential) }

    @Test("the receipt is looked at by nobody here")
    func receipt() async throws {
        var shown = try shown()
        shown.object.receipt = []
        #expect(await real.accepts(shown))
    }

    @Test("an assertion counts for its request, key and app alone")
    func assertion() throws {
        var key = ModelEnclave.Key()
        key.counter = 7
        let object = try ModelEnclave.assertion(of: key, clientDataHash: Self.hash, appleID: Self.appleID)
        let publicKey = Array(key.secret.publicKey.x963Representation)
        func fault(
            _ object: AssertionObject, _ key: [UInt8] = publicKey, hash: [UInt8] = Self.hash, app: String = Self.appleID
        ) -> AppAttestError.Fault? {
            do throws(AppAttestError) {
                _ = try VerifiedAssertion(
                    verifying: object.encoded, publicKey: key, clientDataHash: hash, appleID: app)
                return nil
            } catch { return error.fault }
        }
        let naive = NaiveAssertionReader(publicKey: publicKey, clientDataHash: Self.hash)
        /// An assertion, shown for another key, request or app, and what it falls by.
        func check(
            _ expected: AppAttestError.Fault, key: [UInt8] = publicKey, hash: [UInt8] = Self.hash,
            app: String = Self.appleID, sourceLocation: SourceLocation = #_sourceLocation
        ) {
            #expect(naive.accepts(object), "the attack is none", sourceLocation: sourceLocation)
            #expect(fault(object, key, hash: hash, app: app) == expected, sourceLocation: sourceLocation)
        }
        #expect(fault(object) == nil)
        #expect(
            try VerifiedAssertion(
                verifying: object.encoded, publicKey: publicKey, clientDataHash: Self.hash, appleID: Self.appleID
            ).counter == 7)
        check(.signature, hash: Self.hash.reversed())
        check(.signature, key: Array(ModelEnclave.Key().secret.publicKey.x963Representation))
        check(.app, app: "A1B2C3D4E5.com.example.other")
        // A reader that only verifies signatures refuses altered data too.
        var higher = object
        higher.authenticatorData[36] = 8
        var short = object
        short.authenticatorData.removeLast()
        var unsigned = object
        unsigned.signature = [0x30, 0x06, 0x02, 0x01, 0x00, 0x02, 0x01, 0x00]
        for (altered, expected) in [(higher, .signature), (short, .form), (unsigned, .signature)]
            as [(AssertionObject, AppAttestError.Fault)]
        {
            #expect(!naive.accepts(altered))
            #expect(fault(altered) == expected)
        }
        // A malformed key in our own store is no attack, so there is no double.
        #expect(fault(object, [4, 5]) == .signature)
    }
}

import Authority
@_spi(Server) import BenjiProtocol
import Crypto
import CryptoExtras
import Foundation
import Store

/// The keys that sign ID tokens: made here, sealed at rest, published as a JWK set.
struct IDTokenKeys: Sendable {
    let store: any OpenIDKeyStore
    let vault: Vault
    let clock: any WallClock
    let random: any RandomSource

    /// How long a key is shown after it signed for the last time: longer than any ID token lives, and long enough for
    /// clients that read the set once in a while.
    static let afterlife: Duration = .seconds(3600)

    private enum PrivateKey {
        case p256(P256.Signing.PrivateKey)
        case rsa(_RSA.Signing.PrivateKey)

        var publicKey: SignaturePublicKey {
            switch self {
            case .p256(let key): .p256(key.publicKey)
            case .rsa(let key): .rsa(key.publicKey)
            }
        }
    }

    /// A new key for each algorithm that has one, or for the named one.
    ///
    /// - Parameter note: who orders it; the first key has the line.
    func rotate(_ algorithm: IDTokenAlgorithm? = nil, by note: OrderNote) async throws(Refusal) {
        var entry: AuditEntry? = note.entry(at: clock.now)
        let present = try await keys()
        guard algorithm != nil || !present.isEmpty else {
            throw Refusal(.parameterInvalid, "there are no keys yet; the first client of an algorithm gets one")
        }
        for each in IDTokenAlgorithm.allCases
        where each == algorithm || (algorithm == nil && present.contains { $0.algorithm == each }) {
            try await add(each, entry)
            entry = nil
        }
    }

    /// Makes the first key of an algorithm, if there is none.
    func prepare(_ algorithm: IDTokenAlgorithm) async throws(Refusal) {
        if try await signingKey(algorithm) == nil { try await add(algorithm, nil) }
    }

    private func add(_ algorithm: IDTokenAlgorithm, _ audit: AuditEntry?) async throws(Refusal) {
        let now = clock.now
        let id = random.alphanumerics(16)
        do {
            let secret =
                switch algorithm {
                case .es256: Array(P256.Signing.PrivateKey().rawRepresentation)
                case .rs256: Array(try _RSA.Signing.PrivateKey(keySize: .bits2048).derRepresentation)
                }
            let record = OpenIDKeyRecord(
                id: id, algorithm: algorithm,
                sealedKey: try vault.seal(secret, purpose: "openid-key", owner: Array(id.utf8)), createdAt: now,
                publishedUntil: nil)
            try await store.addOpenIDKey(record, othersPublishedUntil: now + Self.afterlife, audit: audit)
        } catch let error as StoreError {
            throw Refusal(error)
        } catch {
            throw Refusal(.internalError, "a signing key could not be made")
        }
    }

    private func keys() async throws(Refusal) -> [OpenIDKeyRecord] {
        do { return try await store.openIDKeys(at: clock.now) } catch { throw Refusal(error) }
    }

    /// Whether one of our keys made a signature: the one that signs now, or any that did so before, published or not.
    func isSigner(of jws: ServerJWS) async throws(Refusal) -> Bool {
        let records: [OpenIDKeyRecord]
        do { records = try await store.openIDKeys(at: Timestamp(milliseconds: 0)) } catch { throw Refusal(error) }
        guard
            let record = records.first(where: { $0.id == jws.keyID && $0.algorithm.rawValue == jws.algorithm.rawValue })
        else { return false }
        return try open(record).publicKey.isSigner(of: jws)
    }

    private func signingKey(_ algorithm: IDTokenAlgorithm) async throws(Refusal) -> OpenIDKeyRecord? {
        try await keys().first { $0.algorithm == algorithm && $0.publishedUntil == nil }
    }

    private func open(_ record: OpenIDKeyRecord) throws(Refusal) -> PrivateKey {
        do {
            let secret = try vault.open(record.sealedKey, purpose: "openid-key", owner: Array(record.id.utf8))
            return switch record.algorithm {
            case .es256: .p256(try P256.Signing.PrivateKey(rawRepresentation: secret))
            case .rs256: .rsa(try _RSA.Signing.PrivateKey(derRepresentation: secret))
            }
        } catch {
            throw Refusal(.internalError, "an OpenID key does not open; was the database made with another master key?")
        }
    }

    /// A JWT under the present key of an algorithm.
    func sign(_ payload: JSON, _ algorithm: IDTokenAlgorithm) async throws(Refusal) -> String {
        guard let record = try await signingKey(algorithm) else {
            throw Refusal(.internalError, "there is no \(algorithm.rawValue) key; run: benji app openid rotate-keys")
        }
        let header = JSON.object([
            "alg": .string(algorithm.rawValue), "kid": .string(record.id), "typ": "JWT",
        ])
        do {
            let key = try open(record)
            return try JWSParts.write(header: header, payload: payload) { input in
                switch key {
                case .p256(let key): Array(try key.signature(for: input).rawRepresentation)
                case .rsa(let key):
                    // RS256 is PKCS#1 v1.5 by definition (RFC 7518 §3.3).
                    Array(
                        try key.signature(for: SHA256.hash(data: input), padding: .insecurePKCS1v1_5)
                            .rawRepresentation)
                }
            }
        } catch {
            throw error as? Refusal ?? Refusal(.internalError, "the ID token could not be signed")
        }
    }

    /// The public keys (RFC 7517), newest first.
    func jwks() async throws(Refusal) -> JSON {
        var members: [JSON] = []
        for record in try await keys() {
            let numbers: [JSON.Member]
            switch try open(record).publicKey {
            case .p256(let key):
                let point = Array(key.rawRepresentation)
                numbers = [
                    .init("kty", "EC"), .init("crv", "P-256"), .init("x", .string(Base64URL.encode(point.prefix(32)))),
                    .init("y", .string(Base64URL.encode(point.suffix(32)))),
                ]
            case .rsa(let key):
                let primitives: _RSA.Signing.PublicKey.Primitives
                do { primitives = try key.getKeyPrimitives() } catch {
                    throw Refusal(.internalError, "an RSA key could not be read")
                }
                numbers = [
                    .init("kty", "RSA"), .init("n", .string(Base64URL.encode(Array(primitives.modulus)))),
                    .init("e", .string(Base64URL.encode(Array(primitives.publicExponent)))),
                ]
            }
            members.append(
                .object(
                    numbers + [
                        .init("kid", .string(record.id)), .init("alg", .string(record.algorithm.rawValue)),
                        .init("use", "sig"),
                    ]))
        }
        return .object(["keys": .array(members)])
    }
}

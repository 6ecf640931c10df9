import Authority
@_spi(Server) import BenjiProtocol
import Crypto
import CryptoExtras
import Foundation
import Requests
import Store

/// The keys that sign ID tokens: made here, sealed at rest, published as a JWK set.
struct IDTokenKeys: Sendable {
    let store: any OpenIDKeyStore
    let vault: Vault
    let clock: any WallClock
    let random: any RandomSource

    /// How long a key is published after its last signature. This exceeds the life of any ID token, and suffices for
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

    /// A new key for each algorithm that has one.
    ///
    /// - Parameter isStolen: whether the keys before are in wrong hands. They leave the set at once, and no token under
    ///   them counts any more.
    func rotate(isStolen: Bool = false, by note: OrderNote) async throws(Refusal) {
        let present = try await keys()
        guard !present.isEmpty else {
            throw Refusal(.parameterInvalid, "there are no keys yet; the first client of an algorithm gets one")
        }
        let algorithms = IDTokenAlgorithm.allCases.filter { each in present.contains { $0.algorithm == each } }
        let removed = JSON.object(["removed": .array(present.map { .string($0.id) })])
        try await add(algorithms, isStolen: isStolen, note.entry(at: clock.now, to: isStolen ? removed : nil))
    }

    /// Makes the first key of an algorithm, if there is none.
    func prepare(_ algorithm: IDTokenAlgorithm) async throws(Refusal) {
        if try await signingKey(algorithm) == nil { try await add([algorithm], nil) }
    }

    /// All of them in one step, so that no stolen key goes on signing because a process ended.
    private func add(
        _ algorithms: [IDTokenAlgorithm], isStolen: Bool = false, _ audit: AuditEntry?
    ) async throws(Refusal) {
        let now = clock.now
        do {
            // Another process may have changed the master key.
            try await vault.follow()
            let records = try algorithms.map { try make($0, at: now) }
            var publicKeys: [String: String] = [:]
            for former in try await store.openIDKeys(at: Timestamp(milliseconds: 0)) where former.publicKey == nil {
                publicKeys[former.id] = try? Self.jwk(open(former).publicKey).text
            }
            try await store.addOpenIDKeys(
                records, publicKeys: publicKeys, othersPublishedUntil: isStolen ? nil : now + Self.afterlife,
                audit: audit)
        } catch let error as StoreError {
            throw Refusal(error)
        } catch {
            throw Refusal(.internalError, "a signing key could not be made")
        }
    }

    private func make(_ algorithm: IDTokenAlgorithm, at moment: Timestamp) throws -> OpenIDKeyRecord {
        let id = random.alphanumerics(16)
        let (key, secret): (PrivateKey, [UInt8])
        switch algorithm {
        case .es256:
            let new = P256.Signing.PrivateKey()
            (key, secret) = (.p256(new), Array(new.rawRepresentation))
        case .rs256:
            let new = try _RSA.Signing.PrivateKey(keySize: .bits2048)
            (key, secret) = (.rsa(new), Array(new.derRepresentation))
        }
        return OpenIDKeyRecord(
            id: id, algorithm: algorithm, publicKey: try Self.jwk(key.publicKey).text,
            sealedKey: try vault.seal(secret, purpose: "openid-key", owner: Array(id.utf8)), createdAt: moment,
            publishedUntil: nil)
    }

    private func keys() async throws(Refusal) -> [OpenIDKeyRecord] {
        do { return try await store.openIDKeys(at: clock.now) } catch { throw Refusal(error) }
    }

    /// Whether one of our keys made a signature: the one that signs now, or any that did so before, published or not.
    /// Stolen ones are gone.
    func isSigner(of jws: ServerJWS) async throws(Refusal) -> Bool {
        let records: [OpenIDKeyRecord]
        do { records = try await store.openIDKeys(at: Timestamp(milliseconds: 0)) } catch { throw Refusal(error) }
        guard
            let record = records.first(where: { $0.id == jws.keyID && $0.algorithm.rawValue == jws.algorithm.rawValue })
        else { return false }
        let set = JSON.object(["keys": .array([try publicKey(of: record)])])
        do { return try ClientKeySet(parsing: set.text).isSigner(of: jws) } catch { throw Self.unreadable }
    }

    private func signingKey(_ algorithm: IDTokenAlgorithm) async throws(Refusal) -> OpenIDKeyRecord? {
        try await keys().first { $0.algorithm == algorithm && $0.publishedUntil == nil }
    }

    private func open(_ record: OpenIDKeyRecord) throws(Refusal) -> PrivateKey {
        guard let sealed = record.sealedKey else {
            throw Refusal(.internalError, "OpenID key \(record.id) signs no more: its private half is gone")
        }
        do {
            let secret = try vault.open(sealed, purpose: "openid-key", owner: Array(record.id.utf8))
            return switch record.algorithm {
            case .es256: .p256(try P256.Signing.PrivateKey(rawRepresentation: secret))
            case .rs256: .rsa(try _RSA.Signing.PrivateKey(derRepresentation: secret))
            }
        } catch {
            throw Refusal(
                error as? VaultError ?? VaultError(),
                "an OpenID key does not open; was the database made with another master key?")
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
            guard case .object(let key) = try publicKey(of: record) else { throw Self.unreadable }
            members.append(
                .object(
                    key + [
                        .init("kid", .string(record.id)), .init("alg", .string(record.algorithm.rawValue)),
                        .init("use", "sig"),
                    ]))
        }
        return .object(["keys": .array(members)])
    }

    private static let unreadable = Refusal(.internalError, "an OpenID key's public half cannot be read")

    private func publicKey(of record: OpenIDKeyRecord) throws(Refusal) -> JSON {
        guard let text = record.publicKey else { return try Self.jwk(try open(record).publicKey) }
        do { return try JSON(parsing: text) } catch { throw Self.unreadable }
    }

    private static func jwk(_ key: SignaturePublicKey) throws(Refusal) -> JSON {
        switch key {
        case .p256(let key):
            let point = Array(key.rawRepresentation)
            return .object([
                "kty": "EC", "crv": "P-256", "x": .string(Base64URL.encode(point.prefix(32))),
                "y": .string(Base64URL.encode(point.suffix(32))),
            ])
        case .rsa(let key):
            let primitives: _RSA.Signing.PublicKey.Primitives
            do { primitives = try key.getKeyPrimitives() } catch { throw unreadable }
            return .object([
                "kty": "RSA", "n": .string(Base64URL.encode(Array(primitives.modulus))),
                "e": .string(Base64URL.encode(Array(primitives.publicExponent))),
            ])
        }
    }
}

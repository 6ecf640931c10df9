package import Authority
import BenjiFaceProtocol
import BenjiProtocol
import Crypto
package import Requests
import Store

/// An admin's credential.
struct AdminCredential {
    var kind: AdminRecord.CredentialKind
    var hash: CredentialHash
    /// A new token or invitation, in clear this once; `nil` with a certificate.
    var token: String?

    /// A new invitation to the console, a certificate's key, or a new token if it is neither.
    init(certificate: String?, toConsole: Bool, random: any RandomSource) throws(Refusal) {
        guard !toConsole else {
            guard certificate == nil else {
                throw Refusal(.parameterInvalid, "console: a certificate is for programs; name one of both")
            }
            let invitation = Base64URL.encode(random.bytes(32))
            self.init(kind: .invitation, hash: CredentialHash(of: invitation), token: invitation)
            return
        }
        guard let certificate else {
            let token = Admins.tokenPrefix + Base64URL.encode(random.bytes(32))
            self.init(kind: .token, hash: CredentialHash(of: token), token: token)
            return
        }
        guard let digest = Hexadecimal.decode(certificate.lowercased()), digest.count == 32 else {
            throw Refusal(
                .parameterInvalid, "certificate: the SHA-256 of its public key in DER, as 64 hexadecimal digits")
        }
        self.init(kind: .certificate, hash: CredentialHash(bytes: digest), token: nil)
    }

    private init(kind: AdminRecord.CredentialKind, hash: CredentialHash, token: String?) {
        self.kind = kind
        self.hash = hash
        self.token = token
    }
}

/// The names, terms and credentials of admins, who give orders over the admin interface.
package enum Admins {
    /// With it each token begins, so that programs that look for leaked secrets know one.
    package static let tokenPrefix = "benji_admin_"

    static func check(name: String) throws(Refusal) {
        let isPlain = name.utf8.allSatisfy {
            (0x61...0x7a).contains($0) || (0x30...0x39).contains($0) || [0x2d, 0x2e, 0x5f].contains($0)
        }
        // A name of digits alone might be a phone number.
        guard (1...64).contains(name.utf8.count), isPlain, name.contains(where: \.isLetter) else {
            throw Refusal(
                .parameterInvalid,
                "name: 1 to 64 lower-case letters, digits, dots, hyphens and underscores, with at least one letter")
        }
    }

    static func end(_ days: Int, from now: Timestamp) throws(Refusal) -> Timestamp {
        guard GrantAdmin.days.contains(days) else {
            throw Refusal(
                .parameterInvalid, "days: \(GrantAdmin.days.lowerBound) to \(GrantAdmin.days.upperBound)")
        }
        return now + .seconds(Int64(days) * 86400)
    }

    /// The SHA-256 by which a certificate is known.
    ///
    /// - Parameter publicKey: its SubjectPublicKeyInfo in DER.
    package static func digest(publicKey: [UInt8]) -> [UInt8] { Array(SHA256.hash(data: publicKey)) }
}

extension Administration {
    /// Returns the caller who has this token.
    /// - Throws: ``Refusal`` that does not state why an unknown or revoked token is invalid.
    package func caller(token: String, from origin: String) async throws(Refusal) -> Caller {
        guard token.hasPrefix(Admins.tokenPrefix) else { throw Self.unknownAdmin }
        return try await caller(.token, CredentialHash(of: token), origin)
    }

    /// Returns the caller who has proven to hold the key of this certificate.
    /// - Parameter publicKey: its SubjectPublicKeyInfo in DER.
    package func caller(certificateKey publicKey: [UInt8], from origin: String) async throws(Refusal) -> Caller {
        try await caller(.certificate, CredentialHash(bytes: Admins.digest(publicKey: publicKey)), origin)
    }

    private static var unknownAdmin: Refusal {
        Refusal(.accessTokenInvalid, "no admin has this credential; an operator makes one with: benji admin grant")
    }

    private func caller(
        _ kind: AdminRecord.CredentialKind, _ credential: CredentialHash, _ origin: String
    ) async throws(Refusal) -> Caller {
        let now = authority.clock.now
        let found: AdminRecord?
        do throws(StoreError) { found = try await store.admin(credential) } catch { throw Refusal(error) }
        guard let found, found.kind == kind, found.revokedAt == nil, let role = Role(rawValue: found.role) else {
            throw Self.unknownAdmin
        }
        guard now < found.expiresAt else {
            throw Refusal(
                .accessTokenExpired, "this credential has expired; an operator renews it with: benji admin renew")
        }
        await noteUse(of: found, at: now)
        return Caller(name: found.name, role: role, apps: found.apps, seesNumbers: found.seesNumbers, origin: origin)
    }

    /// Notes the day on which an admin was here, once a day.
    func noteUse(of admin: AdminRecord, at now: Timestamp) async {
        let day = CalendarDay(now).number
        guard admin.lastUsedDay.map({ $0 < day }) ?? true else { return }
        // If the use cannot be noted, the admin may work all the same.
        try? await store.noteAdminUse(admin.name, day: day)
    }
}

@_spi(Server) package import BenjiProtocol
import Crypto
import Foundation
package import Requests

/// Challenges for attestations, so that none can be made in advance or kept for later.
///
/// A challenge is the time and a code over time and app under a key of ours. It is recognised without having been kept,
/// so issuing challenges costs no memory. It may be used more than once. The proof with the attestation counts only
/// once.
struct AttestationChallenges: Sendable {
    private static let codeBytes = 16

    private let key: SymmetricKey

    init(key: SymmetricKey) { self.key = key }

    func make(for app: AppID, at moment: Timestamp) -> String {
        let time = Self.bytes(of: moment.seconds)
        return Base64URL.encode(time + code(time, app))
    }

    /// When we handed it out for this app; `nil` if we did not.
    func issuedAt(_ text: String, for app: AppID) -> Timestamp? {
        guard let bytes = Base64URL.decode(text), bytes.count == 8 + Self.codeBytes else { return nil }
        let time = Array(bytes.prefix(8))
        guard ConstantTime.areEqual(Array(bytes.suffix(Self.codeBytes)), code(time, app)) else { return nil }
        return Timestamp(seconds: time.reduce(0) { $0 << 8 | Int64($1) })
    }

    private func code(_ time: [UInt8], _ app: AppID) -> [UInt8] {
        var text = LengthPrefixed(domain: "benji-attestation-challenge-v1")
        text.append(time)
        text.append(Array(app.rawValue.utf8))
        return Array(HMAC<SHA256>.authenticationCode(for: text.bytes, using: key).prefix(Self.codeBytes))
    }

    private static func bytes(of number: Int64) -> [UInt8] {
        stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> Int64($0)) }
    }
}

extension Authority {
    /// A challenge that an attester must repeat. All callers for this app get the same one within a second.
    package func attestationChallenge(for app: AppID) -> String {
        vault.attestationChallenges.make(for: app, at: clock.now)
    }

    /// Whether the attestation is of our time: signed for a challenge of ours, and neither in advance nor long ago.
    ///
    /// It counts for a day from its challenge at most. An attestation without a challenge, where that is allowed, may
    /// have been made long before. Only its end bounds it, at most a day from now.
    package func checkTime(of attestation: ClientAttestation) throws(Refusal) {
        let now = clock.now
        let life = ClientAttestation.maximumLife
        func refuse(_ detail: String) -> Refusal { failure(.attestationInvalid, detail) }
        guard now < attestation.expiresAt else { throw refuse("the attestation has expired") }
        guard let issuedAt = attestation.issuedAt, let challenge = attestation.challenge else {
            guard configuration.takesUnchallengedAttestations else {
                throw refuse("the attestation has no iat or no challenge; see docs/device-dialect.md")
            }
            guard attestation.expiresAt - now <= life else {
                throw refuse("the attestation ends more than a day from now")
            }
            return
        }
        guard attestation.expiresAt - issuedAt <= life else {
            throw refuse("the attestation is valid for more than a day")
        }
        guard issuedAt <= now + DeviceProof.maximumAge else { throw refuse("the attestation's iat is ahead of us") }
        let begin = try checkChallenge(challenge, for: attestation.appID)
        guard issuedAt >= begin - DeviceProof.maximumAge else {
            throw refuse("the attestation was signed before its challenge was given")
        }
    }

    /// The challenge is ours, for this app, and at most a day old.
    ///
    /// - Returns: when it was given.
    @discardableResult
    func checkChallenge(_ challenge: String, for app: AppID) throws(Refusal) -> Timestamp {
        let now = clock.now
        guard let begin = vault.attestationChallenges.issuedAt(challenge, for: app) else {
            throw failure(
                .attestationInvalid, "the attestation's challenge is none of this server's for this app")
        }
        guard now < begin + ClientAttestation.maximumLife, begin <= now + DeviceProof.maximumAge else {
            throw failure(.attestationInvalid, "the attestation's challenge is more than a day old")
        }
        return begin
    }
}

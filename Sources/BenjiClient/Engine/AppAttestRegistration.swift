public import BenjiProtocol

/// The state of an App Attest key that the server has not confirmed yet.
///
/// Apple asks to attest again with the same key and the same hash after `DCError.serverUnavailable`, and attests a key
/// only once. So the challenge is kept until Apple has answered, and Apple's answer until the server has.
public struct AppAttestRegistration: Hashable, Sendable {
    /// The server's challenge, which is part of the hash that Apple signs.
    public var challenge: String
    /// When the challenge was taken.
    public var begunAt: Timestamp
    /// The result of `DCAppAttestService.attestKey`; `nil` while Apple has not answered.
    public var evidence: [UInt8]?

    public init(challenge: String, begunAt: Timestamp, evidence: [UInt8]? = nil) {
        self.challenge = challenge
        self.begunAt = begunAt
        self.evidence = evidence
    }
}

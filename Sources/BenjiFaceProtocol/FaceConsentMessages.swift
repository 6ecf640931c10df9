public import BenjiProtocol

/// Hands in the separate consent to the face's use. It is a ``BenjiProtocol/ConsentRecord`` whose scrip is the session,
/// whose nonce is the session's, and whose content links the terms.
public struct FaceConsentRequest: Hashable, Sendable {
    public var session: String
    /// The signed record.
    public var consent: String

    public init(session: String, consent: String) {
        self.session = session
        self.consent = consent
    }

    public var json: JSON { .object(["session": .string(session), "consent": .string(consent)]) }

    public init(_ json: JSON) throws(JSONError) {
        var reader = try JSONObjectReader(json)
        session = try reader.credential("session", .faceSession, "a face session")
        consent = try reader.string("consent", length: 1...CompactJWS.maximumLength)
        try reader.finish()
    }
}

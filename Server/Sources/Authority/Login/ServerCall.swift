package import BenjiProtocol
package import Store

/// A request of an app's server whose sign has been checked.
package struct ServerCall: Sendable {
    package var app: RegisteredApp
    /// The app's key that made the sign; `nil` where something else shows whose call it is.
    package var key: RegisteredKey?
    /// The request's own name, unique within the app; `nil` in dialects whose requests have none.
    package var messageID: String?
    /// The login that the caller names beside the token, if its dialect does: the token must have been earned in it.
    package var trace: TraceID?
    /// For the ledger and the trace: "loginTokenValidate".
    package var interface: String
    /// The address that the connection came from.
    package var peer: InternetAddress
    /// When the caller sent the request by its own account, if its dialect has the time.
    package var sentAt: Timestamp?
    /// Whether the caller showed an assertion or a certificate of the app's OpenID client.
    package var isProvenByClient = false
    /// Whether a request of the same name that spent the token is answered again as it was (`Idempotency-Key`).
    package var repeatsAnswer = false
    /// The app whose token it is, where that is another one of the same owner's: see
    /// ``Authority/issuer(withSourceID:for:)``.
    package var issuer: AppRecord?
    /// Values for the app's callback.
    package var passedThrough = PassedThrough()

    package init(
        app: RegisteredApp, key: RegisteredKey? = nil, messageID: String? = nil, trace: TraceID? = nil,
        interface: String, peer: InternetAddress,
        sentAt: Timestamp?
    ) {
        self.app = app
        self.key = key
        self.messageID = messageID
        self.trace = trace
        self.interface = interface
        self.peer = peer
        self.sentAt = sentAt
    }
}

/// A call that ``Authority/admit(_:needs:)`` admitted, and for which capability. Only that function makes one, so no
/// token is redeemed for a call that was not judged.
package struct AdmittedCall: Sendable {
    package let call: ServerCall
    package let capability: Capability

    init(_ call: ServerCall, for capability: Capability) {
        self.call = call
        self.capability = capability
    }
}

/// The release of a redeemed login token.
package struct ReleasedLogin: Sendable {
    package var number: PhoneNumber
    package var carrier: Carrier
    private let makeOpenID: @Sendable () -> String
    private let makePseudonym: @Sendable () -> String
    package var purpose: TokenPurpose
    package var assurance: Assurance
    package var trace: TraceID
    /// When the token was earned.
    package var authenticatedAt: Timestamp

    /// - Parameters:
    ///   - openID: computed where an answer has it; most dialects answer neither this nor the next.
    ///   - pseudonym: the same.
    package init(
        number: PhoneNumber, carrier: Carrier, openID: @escaping @autoclosure @Sendable () -> String,
        pseudonym: @escaping @autoclosure @Sendable () -> String, purpose: TokenPurpose, assurance: Assurance,
        trace: TraceID, authenticatedAt: Timestamp
    ) {
        self.number = number
        self.carrier = carrier
        makeOpenID = openID
        makePseudonym = pseudonym
        self.purpose = purpose
        self.assurance = assurance
        self.trace = trace
        self.authenticatedAt = authenticatedAt
    }

    package var openID: String { makeOpenID() }
    /// Like ``openID``, under another key, so that the two cannot be matched.
    package var pseudonym: String { makePseudonym() }
}

/// The answer of a number verification.
package struct VerificationAnswer: Sendable {
    package var isSame: Bool
    package var trace: TraceID

    package init(isSame: Bool, trace: TraceID) {
        self.isSame = isSame
        self.trace = trace
    }
}

public import BenjiProtocol
public import Store

/// A request of an app's server whose sign has been checked.
public struct ServerCall: Sendable {
    public var app: RegisteredApp
    /// The app's key that made the sign; `nil` where something else shows whose call it is.
    public var key: RegisteredKey?
    /// The request's own name, unique within the app; `nil` in dialects whose requests have none.
    public var messageID: String?
    /// The login that the caller names beside the token, if its dialect does: the token must have been earned in it.
    public var trace: TraceID?
    /// For the ledger and the trace: "loginTokenValidate".
    public var interface: String
    /// The address that the connection came from.
    public var peer: InternetAddress
    /// When the caller says it sent the request, if its dialect tells.
    public var sentAt: Timestamp?

    public init(
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

/// A call that ``Authority/admit(_:needs:)`` let in, and for what. Nothing else makes one, so nobody redeems a token for a
/// call that was not judged.
public struct AdmittedCall: Sendable {
    public let call: ServerCall
    public let capability: Capability

    init(_ call: ServerCall, for capability: Capability) {
        self.call = call
        self.capability = capability
    }
}

/// What redeeming a login token releases.
public struct ReleasedLogin: Sendable {
    public var number: PhoneNumber
    public var carrier: Carrier
    public var openID: String
    /// Document 001's `pcid`.
    public var pseudonym: String
    public var purpose: TokenPurpose
    public var assurance: Assurance
    public var trace: TraceID
    /// When the token was earned.
    public var authenticatedAt: Timestamp
}

/// The answer of a number verification.
public struct VerificationAnswer: Sendable {
    public var isSame: Bool
    public var trace: TraceID
}

public import BenjiProtocol

/// The result of a prefetch.
public struct PrefetchSummary: Hashable, Sendable {
    /// `138****0000`
    public var maskedNumber: String
    /// The gateway's word, not the phone's.
    public var carrier: Carrier
    /// Terms and slogan that the carrier asks for, for an app that draws the page itself.
    public var page: CarrierPage
    /// The assurance that a token would carry now.
    public var assurance: Assurance
    /// The login that this began.
    public var trace: TraceID
    /// How long a login can use this without asking the network again.
    public var validFor: Duration
    /// Whether it came from memory, without any network.
    public var fromMemory: Bool
}

/// A token that an app hands to its own server, which redeems it once.
public struct LoginToken: Hashable, Sendable {
    /// A secret: any party that has it, and the app's credential, gets the number. Never log it.
    public var token: String
    /// From the moment of the answer.
    public var lifetime: Duration
    public var purpose: TokenPurpose
    /// The subscriber's identifier at this app; for a login, and in the dialect of China Mobile's older document for a
    /// verification too.
    public var openID: String?
    public var assurance: Assurance
    public var carrier: Carrier
    /// `138****0000`: what the page showed, or would have.
    public var maskedNumber: String
    /// The authority's signed receipt of the consent.
    public var consentReceipt: String?
    public var trace: TraceID
}

extension LoginToken: CustomStringConvertible, CustomReflectable {
    /// Without the token and the openID.
    public var description: String {
        "LoginToken(purpose: \(purpose.rawValue), assurance: \(assurance.rawValue), trace: \(trace))"
    }

    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

import Authority
package import BenjiProtocol

/// How the person was recognised, as `acr` and `amr` of an ID token say it.
package enum AuthenticationContext: String, Hashable, Sendable, CaseIterable {
    /// The browser's address belonged to the subscription: any user of the phone's connection, a hotspot guest too.
    case network = "urn:benji:net"
    /// Besides, the person typed the digits of the number that the page hides.
    case networkAndDigits = "urn:benji:net:digits"
    /// The person typed a code sent to the number by SMS. Weaker than both: any network, and any reader of the message.
    case sms = "urn:benji:sms"
    /// The browser's address belonged to the subscription, and the browser had an earlier consent of the person. The
    /// person was not asked now: `auth_time` is when they last tapped.
    case remembered = "urn:benji:net:remembered"

    /// RFC 8176, and `nba`, network-based authentication, as CAMARA's profile calls it.
    package var methods: [String] {
        switch self {
        case .network: ["nba"]
        case .networkAndDigits: ["nba", "kba"]
        case .sms: ["sms"]
        case .remembered: ["nba"]
        }
    }

    /// The assurance for the ledger, for callbacks and for an app's least assurance.
    package var assurance: Assurance { self == .sms ? .sms : .net }
}

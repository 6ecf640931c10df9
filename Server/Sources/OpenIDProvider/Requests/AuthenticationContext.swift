import Authority

/// How the phone was recognised, as `acr` and `amr` of an ID token say it.
package enum AuthenticationContext: String, Hashable, Sendable, CaseIterable {
    /// The browser's address belonged to the subscription: whoever uses the phone's connection, a hotspot guest too.
    case network = "urn:benji:net"
    /// Besides, the person typed the digits of the number that the page hides.
    case networkAndDigits = "urn:benji:net:digits"

    /// RFC 8176, and `nba`, network-based authentication, as CAMARA's profile calls it.
    package var methods: [String] {
        switch self {
        case .network: ["nba"]
        case .networkAndDigits: ["nba", "kba"]
        }
    }
}

import Authority
import Store

/// A scope of one of CAMARA's interfaces.
enum CAMARAScope: String, CaseIterable, Sendable {
    case verify = "number-verification:verify"
    case readNumber = "number-verification:device-phone-number:read"
    /// Both operations of sim-swap.
    case simSwap = "sim-swap"
    case checkSIMSwap = "sim-swap:check"
    case readSIMSwapDate = "sim-swap:retrieve-date"
    /// Both operations of one-time-password-sms.
    case sendAndValidateCode = "one-time-password-sms:send-validate"

    /// Number verification: only ever by the phone's own network, never for a number that somebody names.
    var isOfNumberVerification: Bool { [.verify, .readNumber].contains(self) }

    /// Whether a person may agree to it on their phone, when asked by an app that names the number (CIBA).
    var isOfBackchannel: Bool { !isOfNumberVerification && !isOfNamedNumbers }

    /// Only ever for a number that the app names, by a token of its own.
    var isOfNamedNumbers: Bool { self == .sendAndValidateCode }
}

/// The scopes of a request for CAMARA's interfaces, with exactly one purpose among them (its security profile,
/// "Purpose").
enum CAMARAScopes {
    static let purposePrefix = "dpv:"

    static func areAsked(_ asked: Set<String>) -> Bool {
        asked.contains { $0.hasPrefix(purposePrefix) || CAMARAScope(rawValue: $0) != nil }
    }

    /// A term of W3C's Data Privacy Vocabulary: `dpv:FraudPreventionAndDetection`.
    static func isPurpose(_ scope: String) -> Bool {
        scope.wholeMatch(of: /dpv:[A-Z][A-Za-z0-9]{1,63}/) != nil
    }

    /// The granted scopes of those asked for: `openid`, the interfaces' scopes, and the purpose.
    static func granted(_ asked: Set<String>, of client: OpenIDClientRecord) throws(OpenIDFailure) -> [String] {
        func refuse(_ detail: String) -> OpenIDFailure { OpenIDFailure(.invalidScope, "scope: \(detail)") }
        guard client.authentication == .privateKeyJWT, !client.purposes.isEmpty else {
            throw OpenIDFailure(
                .unauthorizedClient,
                "the app is not registered for CAMARA's interfaces: it needs a purpose and private_key_jwt")
        }
        let interfaces = CAMARAScope.allCases.map(\.rawValue).filter(asked.contains)
        guard !interfaces.isEmpty else { throw refuse("names a purpose and nothing that it is for") }
        let purposes = asked.filter { $0.hasPrefix(purposePrefix) }
        guard purposes.count == 1, let purpose = purposes.first else {
            throw refuse("must name exactly one purpose, such as \(client.purposes[0])")
        }
        guard client.purposes.contains(purpose) else {
            throw refuse("the app is not registered for this purpose")
        }
        // The scope phone needs a page; CAMARA requests have none.
        guard !asked.contains("phone") else { throw refuse("phone needs a login with a page; ask for it alone") }
        return ["openid"].filter(asked.contains) + interfaces + [purpose]
    }
}

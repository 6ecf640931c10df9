import Authority
package import BenjiProtocol

/// The claims that every signed message of a client's has.
package enum SignedClaims {
    /// Clocks of servers differ a little (RFC 7519 §4.1.4).
    static let leeway: Duration = .seconds(10)
    /// The longest life of what a client signs (CAMARA's security profile).
    static let maximumLife: Duration = .seconds(300)
    /// That of an assertion of any other client: libraries make them for ten minutes or an hour. Each counts once, and
    /// its name is kept for longer.
    static let maximumAssertionLife: Duration = .seconds(3600)

    package static func audiences(_ payload: JSON) -> [String] {
        payload["aud"]?.stringValue.map { [$0] } ?? payload["aud"]?.arrayValue?.compactMap(\.stringValue) ?? []
    }

    /// The error in `exp`, `iat` and `nbf`, or `nil`.
    static func timeProblem(_ payload: JSON, needsIssueTime: Bool, life: Duration = maximumLife, now: Timestamp)
        -> String?
    {
        guard let expiry = payload["exp"]?.integerValue.map(Timestamp.init(seconds:)) else {
            return "exp: missing or not a number"
        }
        guard now < expiry else { return "has expired" }
        guard expiry <= now + life + leeway else {
            return "exp is more than \(life.wholeMilliseconds / 1000) seconds away"
        }
        if payload["iat"] != nil || needsIssueTime {
            guard let issued = payload["iat"]?.integerValue.map(Timestamp.init(seconds:)) else {
                return "iat: missing or not a number"
            }
            guard issued <= now + leeway else { return "iat is in the future" }
            guard expiry <= issued + life else {
                return "lives longer than \(life.wholeMilliseconds / 1000) seconds"
            }
        }
        if let notBefore = payload["nbf"] {
            guard let moment = notBefore.integerValue.map(Timestamp.init(seconds:)) else { return "nbf: not a number" }
            guard moment <= now + leeway else { return "nbf is in the future" }
        }
        return nil
    }
}

/// How strongly a token was earned (decision 16). Ordered: an app sets the least it accepts, and weaker is refused.
public enum Assurance: String, Sendable, Codable, CaseIterable, Hashable, Comparable {
    /// A message with a text of ours came from the number, by the operator's own SMSC. An attacker who talks the person
    /// into sending it, or fakes the sender towards the SMSC, earns it too. Only for apps whose workflow has it.
    case smsUpstream = "sms-upstream"
    /// The person typed a code that was sent to the number by SMS. An attacker who reads it, or talks the person into
    /// revealing it, earns it too. The request's network proves nothing. Only for apps whose workflow has it.
    case sms
    /// The request came from the subscription's address and named an app id and key. Both can be copied out of an app.
    case net
    /// Besides, the device key was attested to live in a genuine install of the app.
    case netApp = "net+app"
    /// Besides, the attested app named the very address that the network gave to the session: not a device tethered
    /// behind it.
    case netAppAddress = "net+app+address"
    /// The SIM itself proved the number. Not issued yet.
    case sim

    private var rank: Int {
        switch self {
        case .smsUpstream: 0
        case .sms: 1
        case .net: 2
        case .netApp: 3
        case .netAppAddress: 4
        case .sim: 5
        }
    }

    public static func < (weaker: Assurance, stronger: Assurance) -> Bool { weaker.rank < stronger.rank }
}

/// The permitted use of a token (decision 17).
public enum TokenPurpose: String, Sendable, Codable, CaseIterable, Hashable {
    /// Releases the number. Needs a consent.
    case login
    /// Answers whether a number is the phone's own. Earned without a page.
    case verification
}

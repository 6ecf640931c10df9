/// How strongly a token was earned (decision 16). Ordered: an app sets the least it accepts, and weaker is refused.
public enum Assurance: String, Sendable, Codable, CaseIterable, Hashable, Comparable {
    /// A message with a text of ours came from the number, by the operator's own SMSC. Whoever talks the person into sending the text
    /// earns it too, and so does whoever has the SMSC believe another sender. Only for apps whose workflow has it.
    case smsUpstream = "sms-upstream"
    /// The person typed a code that was sent to the number by SMS. Whoever reads the message, or talks the person into
    /// telling it, earns it too; the network that the request came from says nothing. Only for apps whose workflow has it.
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

/// What a token may be used for (decision 17).
public enum TokenPurpose: String, Sendable, Codable, CaseIterable, Hashable {
    /// Releases the number. Needs a consent.
    case login
    /// Answers whether a number is the phone's own. Earned without a page.
    case verification
}

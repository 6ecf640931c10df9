/// The addresses of the link between gateway and authority, version 1. A message that changes its meaning gets a new
/// version.
enum LinkPath: String, Sendable, CaseIterable {
    case prefetch = "/link/v1/prefetch"
    case authorize = "/link/v1/authorize"
    case forget = "/link/v1/forget"
    /// A phone has a code sent by SMS.
    case smsCode = "/link/v1/sms-code"
    /// A phone turns that code into a token.
    case smsLogin = "/link/v1/sms-login"
    /// A phone asks for a text to send.
    case smsUpstream = "/link/v1/sms-upstream"
    /// A phone asks whether that text has come.
    case smsUpstreamStatus = "/link/v1/sms-upstream-status"
    /// A phone turns that text into a token.
    case smsUpstreamLogin = "/link/v1/sms-upstream-login"
    case observe = "/link/v1/observe"
    case revoke = "/link/v1/revoke"
    case erased = "/link/v1/erased"
    case challenge = "/link/v1/challenge"
    /// A phone registers a key that its platform's maker vouches for.
    case attestation = "/link/v1/attestation"
    case policy = "/link/v1/policy"
    /// The record of a pair of gateways.
    case pairNews = "/link/v1/pair/news"
    /// Makes the asking gateway the owner of its pair.
    case pairClaim = "/link/v1/pair/claim"
    /// The owner of a pair writes to its record.
    case pairRecord = "/link/v1/pair/record"
    /// The owner gives its pair back.
    case pairRelease = "/link/v1/pair/release"
    /// The authority's settings of OpenID Connect, for the operator of a gateway.
    case openID = "/link/v1/openid"
    /// A browser asks for a login page.
    case openIDAuthorize = "/link/v1/openid/authorize"
    /// The form of a login page comes back.
    case openIDAnswer = "/link/v1/openid/answer"
    /// A person's page of remembered consents.
    case openIDConsents = "/link/v1/openid/consents"
    /// A person's page of what apps ask them.
    case openIDRequests = "/link/v1/openid/requests"
    /// An image or a video of a login page.
    case openIDMedia = "/link/v1/openid/media"
    /// A web page asks in the operator's H5 shape.
    case browserToken = "/link/v1/browser-token"
    /// A person asks in a browser who got their number.
    case ownLog = "/link/v1/own-log"
    /// A person types their number for the proof of one entry.
    case ownLogProof = "/link/v1/own-log-proof"
    /// A phone's request of face login.
    case face = "/link/v1/face"

    /// Whether a gateway asks for itself, and not for a phone or browser that has proved nothing yet.
    var isGateways: Bool {
        switch self {
        case .observe, .revoke, .erased, .policy, .pairNews, .pairClaim, .pairRecord, .pairRelease, .openID: true
        default: false
        }
    }

    /// Whether another node may be asked when it is unknown whether the first one acted.
    var mayBeRepeated: Bool {
        switch self {
        // These only ask.
        case .policy, .challenge, .erased, .openID, .openIDMedia, .pairNews, .ownLog: true
        // Each names what it has seen of the pair, and one that comes a second time finds something else.
        case .pairClaim, .pairRecord, .pairRelease: true
        // The register goes by the time of the observation: one that it knows, or that is older than what it knows,
        // changes nothing.
        case .observe: true
        // A key that its device key has registered is taken again.
        case .attestation: true
        // Each ends what has ended already.
        case .revoke, .forget, .openIDConsents: true
        // No client received the scrip of the first node, so none can spend it. It counts once more in that node's
        // limits, and ends by itself.
        case .prefetch: true
        // Spends the scrip and issues a token. The store lets one of two nodes win. But the other would take the second
        // request for a stolen scrip and end the phone's later generations of it.
        case .authorize: false
        // A message that goes out twice costs twice and makes people type the wrong code; a code is spent once.
        case .smsCode, .smsLogin: false
        // No client received the text of the first node, so none can send it. It counts once more, and ends by itself.
        case .smsUpstream: true
        case .smsUpstreamStatus: true
        // A text is spent once.
        case .smsUpstreamLogin: false
        // Each uses up something that counts once, or issues a code or token: a pushed or signed request, a page, an
        // app's message, a decision. The person is asked to try again, and the app's page asks again.
        case .openIDRequests, .openIDAuthorize, .openIDAnswer, .browserToken: false
        // A wrong number counts, and of those a person has few.
        case .ownLogProof: false
        // Sessions count steps, and most of what they end in counts once.
        case .face: false
        }
    }
}

import BenjiProtocol
import HTTPTypes
package import ServerHTTP

/// An address for phones and browsers whose requests a gateway forwards, and how it does that.
///
/// This list is all that the gateway's side of the link knows of logins. It repeats the authority's paths and limits,
/// because a gateway is built without the authority. A test compares them.
package struct ForwardedPath: Sendable {
    /// The gateway's work on a request before it forwards it.
    enum Check: Sendable {
        /// None: the answer is the same for every sender.
        case nothing
        /// It looks up the holder of the sender's address.
        case address
        /// It also verifies the signature of the device key.
        case proof
        /// It also refuses a signature that was shown before.
        case freshProof
        /// None, but the requests of one device key go to one node: face sessions are in a node's memory.
        case deviceKey
    }

    /// How long the authority may take.
    enum Pace: Sendable {
        case quick
        /// A short message is sent before the answer.
        case message
        /// Pictures of a face wait their turn before they are looked at.
        case pictures
    }

    var method: HTTPRequest.Method
    /// As of ``EndpointRoute/path``.
    var path: String
    var check: Check
    /// Whether another node may be asked when it is unknown whether the first one acted.
    var mayBeRepeated: Bool
    /// The largest body that the authority's route reads, in bytes.
    var maximumBody: Int
    var pace: Pace
    /// Whether a body is a set of pictures of a face, of which few are held at a time.
    var holdsPictures: Bool { maximumBody == ForwardedRequest.maximumBody }

    static let all: [ForwardedPath] =
        DevicePath.allCases.map(ForwardedPath.init) + ofBrowsers + FacePath.allCases.map(ForwardedPath.init)
        + ofFacePages

    private init(
        _ method: HTTPRequest.Method, _ path: String, _ check: Check, mayBeRepeated: Bool, maximumBody: Int = 0,
        pace: Pace = .quick
    ) {
        self.method = method
        self.path = path
        self.check = check
        self.mayBeRepeated = mayBeRepeated
        self.maximumBody = maximumBody
        self.pace = pace
    }

    private init(_ path: DevicePath) {
        let (method, check, mayBeRepeated): (HTTPRequest.Method, Check, Bool) =
            switch path {
            case .policy, .challenge: (.get, .nothing, true)
            // No client received the scrip of the first node, so none can spend it. It counts once more in that node's
            // limits, and ends by itself.
            case .prefetch: (.post, .freshProof, true)
            // Spends the scrip and issues a token. The store lets one of two nodes win. But the other would take the
            // second request for a stolen scrip and end the phone's later generations of it.
            case .authorize: (.post, .freshProof, false)
            // Ends what has ended already.
            case .forget: (.post, .freshProof, true)
            // A key that its device key has registered is taken again.
            case .attestation: (.post, .freshProof, true)
            // A message that goes out twice costs twice and makes people type the wrong code; a code or a text is spent
            // once.
            case .smsCode, .smsLogin, .smsUpstreamLogin: (.post, .proof, false)
            // No client received the text of the first node, so none can send it. It counts once more, and ends by
            // itself.
            case .smsUpstream, .smsUpstreamStatus: (.post, .proof, true)
            }
        self.init(
            method, path.rawValue, check, mayBeRepeated: mayBeRepeated,
            maximumBody: method == .get ? 0 : ProvenRequests.maximumBody,
            pace: path == .smsCode ? .message : .quick)
    }

    /// Most requests of a login page use up something that counts once, or issue a code or a token. So none is
    /// repeated. The person is asked to try again, and the app's page asks again.
    private static let ofBrowsers: [ForwardedPath] = [
        ofOpenID(.get, "/openid/authorize", mayBeRepeated: false),
        ofOpenID(.post, "/openid/authorize", mayBeRepeated: false),
        ofOpenID(.post, "/openid/login", mayBeRepeated: false), ofOpenID(.get, "/openid/consents", mayBeRepeated: true),
        // Ends what has ended already.
        ofOpenID(.post, "/openid/consents", mayBeRepeated: true),
        ofOpenID(.get, "/openid/requests", mayBeRepeated: false),
        ofOpenID(.post, "/openid/requests", mayBeRepeated: false),
        ForwardedPath(.get, "/openid/media/{digest}", .nothing, mayBeRepeated: true),
        ForwardedPath(.get, "/openid/benji.js", .nothing, mayBeRepeated: true),
        ForwardedPath(.get, "/log/mine", .nothing, mayBeRepeated: true),
        // A wrong number counts, and of those a person has few.
        ForwardedPath(.post, "/log/mine", .address, mayBeRepeated: false, maximumBody: 1024),
        ForwardedPath(.post, operatorsPages, .address, mayBeRepeated: false, maximumBody: 32 * 1024),
        ForwardedPath(.options, operatorsPages, .nothing, mayBeRepeated: true),
    ]

    /// Where a web page asks in the shape of an operator's H5 interface.
    private static let operatorsPages = "/h5/getMobile"

    private static func ofOpenID(
        _ method: HTTPRequest.Method, _ path: String, mayBeRepeated: Bool
    ) -> ForwardedPath {
        ForwardedPath(
            method, path, .address, mayBeRepeated: mayBeRepeated, maximumBody: method == .get ? 0 : 64 * 1024,
            // A page may ask for an SMS code.
            pace: path == "/openid/login" ? .message : .quick)
    }

    /// Sessions count steps, and most of what they end in counts once.
    private init(_ path: FacePath) {
        self.init(
            .post, path.rawValue, .deviceKey, mayBeRepeated: false,
            maximumBody: path == .frames ? ForwardedRequest.maximumBody : 192 * 1024, pace: .pictures)
    }

    private static let ofFacePages: [ForwardedPath] = [
        "/face/account", "/face/web/face.css", "/face/web/capture.js", "/face/web/page.js", "/face/web/client.js",
        "/face/web/account.js", "/face/web/trial.js",
    ].map { ForwardedPath(.get, $0, .nothing, mayBeRepeated: true) }
}

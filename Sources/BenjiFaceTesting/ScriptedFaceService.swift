public import BenjiClient
public import BenjiFaceProtocol
public import BenjiProtocol

/// Face login's server without a network and without looking at a picture, for an app's own tests.
///
/// Accounts, token lifetimes, renewal, uids and consents behave as in the field. The test decides the outcome of a
/// challenge (``Play``). Proofs, keys and signatures are not checked: that is the server's work, and the sandbox has a
/// server.
///
/// ```swift
/// let service = ScriptedFaceService(number: "13800000000")
/// await service.play(.fails(.faceDiffers, sentence: "other_person"), .passes)
/// ```
public actor ScriptedFaceService: Transport {
    /// The outcome of a challenge.
    public enum Play: Hashable, Sendable {
        /// After a picture for each movement.
        case passes
        case fails(Situation, sentence: String)
        /// Asks for more for ever, with this hint.
        case asksForMore(hint: String)
    }

    /// The data and consents of the account's holder.
    public struct Account: Hashable, Sendable {
        public var name: String?
        public var avatar: [UInt8]?
        public var hasFace = false
        public var isFrozen = false
        /// The app may know them.
        public var isAuthorized = false
        public var uid: String?
        public var isRandomUID = true
        /// The app may find them in its groups.
        public var joinsGroups = false
        public var email: String?
        public var other: JSON?

        public init() {}
    }

    /// The account of the number's holder; `nil` before the first login and after everything was revoked.
    public internal(set) var account: Account?
    /// The addresses that were asked, in order.
    public private(set) var requests: [FacePath] = []
    /// Pictures that arrived.
    public internal(set) var pictures: [FaceFramesRequest.Frame] = []
    /// The consents that were handed in: to the use of the face, to being known, to being found.
    public internal(set) var consents: [String] = []

    let number: String
    let random: any RandomSource
    let timer: Timer
    /// The lifetimes of app tokens, access tokens and refresh tokens, in seconds.
    public var lifetimes: (app: Int64, access: Int64, refresh: Int64) = (7200, 7200, 5_184_000)
    /// uids that other accounts of the app have.
    var takenUIDs: Set<String> = []
    var attributes: FaceAttributeValues
    var plays: [Play] = []
    var attempts: Int64 = 3
    /// The app's groups, with the openId that a search finds there.
    var groups: [String: String?] = [:]

    var appTokens: [String: Duration] = [:]
    var access: [String: Duration] = [:]
    var refresh: [String: Duration] = [:]
    var spentRefresh: Set<String> = []
    var remembered: Set<String> = []
    var session: Session?
    /// When a challenge was passed last.
    var passedAt: Duration?
    private var refusals: [FacePath: [Situation]] = [:]
    private var failures: [TransportError.Code] = []

    struct Session {
        var id: String
        /// `nil` in a search.
        var purpose: FacePurpose?
        var group: String?
        var uid: String?
        var needs: [FaceNeed]
        var challenge: String?
        var play = Play.passes
        var attemptsLeft: Int64
        var done: Int64 = 0
    }

    /// - Parameters:
    ///   - number: the account's, in the national form.
    ///   - clock: measures the lives of tokens.
    public init(
        number: String = "13800000000", account: Account? = nil, clock: any Clock<Duration> = ContinuousClock(),
        random: any RandomSource = SystemRandomSource()
    ) {
        self.number = number
        self.account = account
        self.random = random
        timer = Timer(clock)
        attributes = FaceAttributeValues([
            (.smiling, .object(["result": .integer(1), "score": .number("0.81")])),
            (.male, .object(["result": .integer(0), "score": .number("0.97")])), (.age, .number("26.85")),
        ])
    }

    // MARK: the script

    /// Sets the outcomes of the next challenges, in order; after them every challenge is passed.
    public func play(_ plays: Play...) { self.plays += plays }

    /// Lets the next request to `path` end in a refusal.
    public func refuse(_ path: FacePath, _ situation: Situation) { refusals[path, default: []].append(situation) }

    /// Lets the next requests end without an answer.
    public func fail(_ codes: TransportError.Code...) { failures += codes }

    /// Ends every app token, as a restarted server does.
    public func forgetAppTokens() { appTokens = [:] }

    /// Another account of the app has this uid.
    public func take(uid: String) { takenUIDs.insert(uid) }

    /// Adds a group of the app. A search there finds `openID`, or no member if it is `nil`.
    public func add(group: String, finding openID: String?) { groups[group] = .some(openID) }

    public func change(_ edit: @Sendable (inout Account?) -> Void) { edit(&account) }

    public func setLifetimes(app: Int64, access: Int64, refresh: Int64) { lifetimes = (app, access, refresh) }

    // MARK: the network

    public func localAddress(towards server: ServerURL) async throws(TransportError) -> InternetAddress? { nil }

    public func send(_ request: TransportRequest, timeout: Duration) async throws(TransportError) -> TransportResponse {
        guard let path = FacePath(rawValue: request.url.path) else {
            return Self.response(DeviceFailure(situation: .notFound, detail: request.url.path).json, status: 404)
        }
        requests.append(path)
        if !failures.isEmpty {
            throw TransportError(failures.removeFirst(), at: request.url.origin, "the script says so")
        }
        do {
            if refusals[path]?.isEmpty == false, let situation = refusals[path]?.removeFirst() {
                throw Refusal(situation)
            }
            return Self.response(try answer(path, request.body))
        } catch let refusal as Refusal {
            return Self.response(
                DeviceFailure(
                    situation: refusal.situation, detail: "the scripted face service says so",
                    serverTime: SystemWallClock().now
                ).json, status: 403)
        } catch {
            return Self.response(
                DeviceFailure(situation: .malformedRequest, detail: "\(error)").json, status: 400)
        }
    }

    struct Refusal: Error {
        let situation: Situation
        init(_ situation: Situation) { self.situation = situation }
    }

    private static func response(_ json: JSON, status: Int = 200) -> TransportResponse {
        TransportResponse(status: status, headers: ["Content-Type": "application/json"], body: json.serialized)
    }
}

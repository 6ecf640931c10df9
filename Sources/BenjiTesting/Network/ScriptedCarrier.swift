public import BenjiClient
public import BenjiPolicy
public import BenjiProtocol

/// A carrier without a network: gateway, authority and the phone's interfaces in one, for an app's own tests.
///
/// The phone's number chooses the outcome (``MagicNumber``). Scrips and tokens are random. Scrips live as long as in
/// the carrier's policy, rotate where the dialect's do, and are refused when they are old. So a login runs as it would
/// run in the field. A consent must meet the authority's requirements, save for its age (docs/device-dialect.md). A
/// page that was ticked before the person touched it, or that leaves something out, earns no token here either. Proofs
/// and app keys are not checked: that is the server's work, and the sandbox has a server.
///
/// ```swift
/// let carrier = ScriptedCarrier(number: "13800000000")
/// let benji = PhoneLogin(configuration: configuration, transport: carrier, keyStore: MemoryDeviceKeyStore())
/// let token = try await benji.logIn(presenting: FakePresenter())
/// ```
public actor ScriptedCarrier: Transport, NetworkStatusSource {
    /// The sent requests, in order.
    public private(set) var requests: [TransportRequest] = []
    /// Every token given out, in order.
    public private(set) var tokens: [String] = []
    /// The person's identifier at every app.
    public nonisolated let openID: String
    /// The name of every login.
    public nonisolated let trace: TraceID

    private let policy: CarrierPolicy
    private let allowsInitialTick: Bool
    private let random: any RandomSource
    /// Measures delays and lives.
    package nonisolated let clock: any Clock<Duration>
    private let timer: Timer
    private var scrips: [String: Scrip] = [:]
    private var watchers: [AsyncStream<Duration?>.Continuation] = []

    private let phone: Locked<Phone>
    private var codes: [String: SMSCodeSent] = [:]

    private struct Phone {
        var number: MagicNumber
        var hasWiFi: Bool
        var hasSMSLogin = false
        var overrides: [Step: MagicNumber.Step] = [:]
        var refusals: [Step: Situation] = [:]

        func play(_ step: Step) -> MagicNumber.Step {
            switch step {
            case .prefetch: overrides[step] ?? number.prefetch
            case .authorize: overrides[step] ?? number.authorize
            case .smsCode, .smsLogin: overrides[step] ?? MagicNumber.Step(.success)
            }
        }
    }

    /// A code that is out.
    private struct SMSCodeSent {
        var appID: AppID
        var dialect: Dialect
        var number: MagicNumber?
        var triesLeft = ScriptedCarrier.smsTries
        var endsAt: Duration
    }

    private struct Scrip {
        var endsAt: Duration
        var dialect: Dialect
        var appID: AppID
        var carrier: Carrier
        /// The nonce that the consent must repeat.
        var nonce: String
    }

    /// The requests of a login.
    public enum Step: String, Hashable, Sendable {
        case prefetch, authorize
        /// Has a code sent.
        case smsCode = "sms-code"
        /// Shows the code.
        case smsLogin = "sms-login"
    }

    /// The digits of every code that is sent by SMS.
    public static let smsDigits = "731904"
    /// Wrong codes that are forgiven.
    static let smsTries = 5

    /// - Parameters:
    ///   - number: a magic number. Any other number is a mistake in the test and stops it.
    ///   - hasWiFi: besides mobile data.
    ///   - policy: lifetimes, terms and slogans.
    ///   - allowsInitialTick: whether the operator has granted the app `ticked-page`: its pages may begin with the tick
    ///     set.
    ///   - clock: measures delays and the scrips' lives; give it the ``ManualClock`` that the test moves.
    ///   - random: of scrips, tokens, openID and trace.
    public init(
        number: String = "13800000000", hasWiFi: Bool = false, policy: CarrierPolicy = .standard,
        allowsInitialTick: Bool = false, clock: any Clock<Duration> = ContinuousClock(),
        random: any RandomSource = SystemRandomSource()
    ) {
        phone = Locked(Phone(number: Self.read(number), hasWiFi: hasWiFi))
        self.policy = policy
        self.allowsInitialTick = allowsInitialTick
        self.clock = clock
        self.random = random
        timer = Timer(clock)
        trace = TraceID(random: random)
        openID = Base64URL.encode(random.bytes(32))
    }

    /// The last four digits decide how every request ends. Setting it puts another SIM into the phone.
    public nonisolated var number: String {
        get { phone.withLock { $0.number.digits } }
        set {
            let number = Self.read(newValue)
            phone.withLock { $0.number = number }
        }
    }

    /// Wi-Fi beside mobile data.
    public nonisolated var hasWiFi: Bool {
        get { phone.withLock { $0.hasWiFi } }
        set { phone.withLock { $0.hasWiFi = newValue } }
    }

    /// Refuses every request of `step` so; `nil` ends that. For what no magic number has.
    public nonisolated func refuse(_ step: Step, with situation: Situation?) {
        phone.withLock { $0.refusals[step] = situation }
    }

    /// Whether the app's workflow has logins by SMS. The number in such a login may be any magic number; its ending is
    /// not looked at.
    public nonisolated var hasSMSLogin: Bool {
        get { phone.withLock { $0.hasSMSLogin } }
        set { phone.withLock { $0.hasSMSLogin = newValue } }
    }

    /// The way by Wi-Fi, as ``networkNow`` sees it: a code needs no mobile data, and a prefetch gets no number.
    public nonisolated var internet: any Transport { ScriptedInternet(carrier: self) }

    /// Lets every request of `step` end otherwise than the number says; `nil` ends that.
    public nonisolated func set(_ step: Step, _ play: MagicNumber.Step?) {
        phone.withLock { $0.overrides[step] = play }
    }

    private static func read(_ digits: String) -> MagicNumber {
        guard let number = MagicNumber(digits) else {
            preconditionFailure("ScriptedCarrier: \(digits.count) digits that are no magic number; see MagicNumber")
        }
        return number
    }

    // MARK: the phone

    public func networkStatus() async -> NetworkStatus { networkNow }

    /// Which networks the phone sees.
    public nonisolated var networkNow: NetworkStatus {
        phone.withLock { phone in
            switch phone.play(.prefetch).ending {
            case .noNetwork: NetworkStatus(cellular: false, wifi: false)
            case .cellularDataOff: NetworkStatus(cellular: false, wifi: true)
            case .noSIM: NetworkStatus(cellular: false, wifi: phone.hasWiFi, hasSIM: false)
            default: NetworkStatus(cellular: true, wifi: phone.hasWiFi)
            }
        }
    }

    public func localAddress(towards server: ServerURL) async throws(TransportError) -> InternetAddress? {
        InternetAddress("10.1.2.3")
    }

    // MARK: the network

    /// How long the carrier will be silent each time that it is: a test moves its clock by that. `nil` means for ever.
    public var silences: AsyncStream<Duration?> {
        let (stream, continuation) = AsyncStream.makeStream(of: Duration?.self)
        watchers.append(continuation)
        return stream
    }

    public func send(_ request: TransportRequest, timeout: Duration) async throws(TransportError) -> TransportResponse {
        requests.append(request)
        // A forget has an answer with nothing in it.
        guard let step = request.url.path.split(separator: "/").last.flatMap({ Step(rawValue: String($0)) }) else {
            return TransportResponse(status: 204)
        }
        let (play, number, refused) = phone.withLock { ($0.play(step), $0.number, $0.refusals[step]) }
        if let refused { return refusal(refused, step) }
        func failure(_ code: TransportError.Code) -> TransportError {
            TransportError(code, at: request.url.origin, "the scripted carrier was told so by the phone's number")
        }
        if play.delay > .zero { try await wait(play.delay, failure(.cancelled)) }
        switch play.ending {
        case .noNetwork: throw failure(.noNetwork)
        case .cellularDataOff, .noSIM: throw failure(.cellularUnavailable)
        case .networkFailure: throw failure(.connectionLost)
        case .serverDown: throw failure(.connectionRefused)
        case .nameNotResolved: throw failure(.nameNotResolved)
        case .tlsFailure: throw failure(.tlsFailed)
        case .malformedResponse: return TransportResponse(status: 200, body: Array("<html>".utf8))
        case .redirect:
            return TransportResponse(status: 302, headers: ["Location": "https://another-carrier.example/"])
        case .silence:
            try await wait(nil, failure(.cancelled))
            throw failure(.timedOut)
        default: break
        }
        if let refusal = play.ending.refusal { return self.refusal(refusal, step) }
        return answer(step, request, number)
    }

    /// The reply to a request by Wi-Fi.
    func sendByInternet(_ request: TransportRequest, timeout: Duration) async throws(TransportError)
        -> TransportResponse
    {
        guard networkNow.wifi || networkNow.cellular else {
            throw TransportError(.noNetwork, at: request.url.origin, "the scripted phone has no network")
        }
        guard request.url.path.hasSuffix("/prefetch") else { return try await send(request, timeout: timeout) }
        requests.append(request)
        return refusal(.addressUnknown, .prefetch)
    }

    private func wait(_ delay: Duration?, _ cancelled: TransportError) async throws(TransportError) {
        // Fixed before the watchers are notified: a test that then moves the clock wakes this up.
        let end = timer.elapsed() + (delay ?? .seconds(1_000_000_000))
        for watcher in watchers { watcher.yield(delay) }
        guard await timer.reaches(end) else { throw cancelled }
    }

    // MARK: gateway and authority

    private func answer(_ step: Step, _ request: TransportRequest, _ number: MagicNumber) -> TransportResponse {
        do {
            let json = try JSON(parsing: request.body)
            return switch step {
            case .prefetch: prefetch(try PrefetchRequest(json, dialects: Dialect.spokenByPhones), number)
            case .authorize: authorize(try AuthorizeRequest(json), request.headers[DeviceProof.headerName], number)
            case .smsCode: sendCode(try SMSCodeRequest(json, dialects: Dialect.spokenByPhones))
            case .smsLogin:
                logIn(
                    try SMSLoginRequest(json, dialects: Dialect.spokenByPhones),
                    request.headers[DeviceProof.headerName])
            }
        } catch {
            return Self.refusal(.malformedRequest, trace)
        }
    }

    private func prefetch(_ request: PrefetchRequest, _ number: MagicNumber) -> TransportResponse {
        guard let entry = policy.carriers[number.carrier], entry.enabled,
            let lifetimes = policy.lifetimes(number.carrier, request.dialect)
        else { return refusal(.carrierUnsupported, .prefetch) }
        let (text, scrip) = issue(
            Scrip(
                endsAt: timer.elapsed() + .seconds(lifetimes.scrip), dialect: request.dialect, appID: request.appID,
                carrier: number.carrier, nonce: ""))
        return Self.response(
            PrefetchResponse(
                trace: trace, scrip: text, scripLifetime: lifetimes.scrip, maskedNumber: number.masked,
                carrier: number.carrier, policyVersion: policy.version, page: entry.page,
                nonce: scrip.nonce, assurance: .net, smsLogin: hasSMSLogin, tickedPage: allowsInitialTick,
                serverTime: SystemWallClock().now
            ).json)
    }

    private func authorize(
        _ request: AuthorizeRequest, _ proof: String?, _ number: MagicNumber
    ) -> TransportResponse {
        guard let scrip = scrips[request.scrip] else { return Self.refusal(.scripInvalid, trace) }
        guard timer.elapsed() < scrip.endsAt else { return Self.refusal(.scripExpired, trace) }
        if let refusal = refusal(of: request, scrip, proof) { return refusal }
        guard let lifetimes = policy.lifetimes(number.carrier, scrip.dialect) else {
            return Self.refusal(.carrierUnsupported, trace)
        }
        // A refusal before this point leaves the scrip as it was.
        scrips[request.scrip] = nil
        let token = CredentialGrammar.token.make(random: random)
        tokens.append(token)
        let next = lifetimes.scripReusable ? issue(scrip) : nil
        return Self.response(
            AuthorizeResponse(
                trace: trace, token: token, tokenLifetime: lifetimes.token,
                openID: request.purpose == .login || scrip.dialect.saysPseudonymForVerification ? openID : nil,
                scrip: next?.text, nonce: next?.scrip.nonce, assurance: .net, consentReceipt: nil
            ).json)
    }

    // MARK: codes by SMS

    private func sendCode(_ request: SMSCodeRequest) -> TransportResponse {
        guard hasSMSLogin else { return refusal(.capabilityMissing, .smsCode) }
        let digits = request.number.filter(\.isNumber)
        guard (7...15).contains(digits.count) else { return refusal(.numberMalformed, .smsCode) }
        let transaction = TraceID(random: random).rawValue
        // The register knows magic numbers only.
        codes[transaction] = SMSCodeSent(
            appID: request.appID, dialect: request.dialect, number: MagicNumber(String(digits.suffix(11))),
            endsAt: timer.elapsed() + .seconds(300))
        return Self.response(
            SMSCodeResponse(
                trace: trace, transaction: transaction, digits: Int64(Self.smsDigits.count), lifetime: 300,
                tries: Int64(Self.smsTries), policyVersion: policy.version, serverTime: SystemWallClock().now
            ).json)
    }

    private func logIn(_ request: SMSLoginRequest, _ proof: String?) -> TransportResponse {
        guard hasSMSLogin else { return refusal(.capabilityMissing, .smsLogin) }
        guard let proof else { return refusal(.proofMissing, .smsLogin) }
        guard let key = try? DeviceProof(verifying: proof).key else { return refusal(.proofInvalid, .smsLogin) }
        guard var code = codes[request.transaction], code.appID == request.appID else {
            return refusal(.codeUnknown, .smsLogin)
        }
        let duties = ConsentDuties(
            appID: code.appID, trace: trace, scrip: request.transaction, nonce: request.transaction,
            policyVersion: policy.version, page: nil, needsCarrierTerms: false, allowsInitialTick: allowsInitialTick)
        if let problem = duties.problem(in: request.consent, signedBy: key) {
            return Self.refusal(.consentInvalid, trace, problem)
        }
        guard timer.elapsed() < code.endsAt else { return refusal(.codeExpired, .smsLogin) }
        guard code.triesLeft > 0 else { return refusal(.codeTriesExceeded, .smsLogin) }
        guard request.smsCode == Self.smsDigits else {
            code.triesLeft -= 1
            codes[request.transaction] = code
            return refusal(.codeWrong, .smsLogin)
        }
        codes[request.transaction] = nil
        guard let number = code.number, let lifetimes = policy.lifetimes(number.carrier, code.dialect) else {
            return refusal(.numberNotServed, .smsLogin)
        }
        let token = CredentialGrammar.token.make(random: random)
        tokens.append(token)
        return Self.response(
            AuthorizeResponse(
                trace: trace, token: token, tokenLifetime: lifetimes.token, openID: openID, scrip: nil, nonce: nil,
                assurance: .sms, consentReceipt: nil, carrier: number.carrier, maskedNumber: number.masked
            ).json)
    }

    /// Why this consent is no yes to this login; `nil` when it is, and for a verification, which has none.
    private func refusal(of request: AuthorizeRequest, _ scrip: Scrip, _ proof: String?) -> TransportResponse? {
        guard request.purpose == .login else {
            return request.consent == nil
                ? nil : Self.refusal(.consentInvalid, trace, "a verification token carries no consent")
        }
        guard let consent = request.consent else { return Self.refusal(.consentMissing, trace) }
        guard let proof else { return Self.refusal(.proofMissing, trace) }
        guard let key = try? DeviceProof(verifying: proof).key else { return Self.refusal(.proofInvalid, trace) }
        let duties = ConsentDuties(
            appID: scrip.appID, trace: trace, scrip: request.scrip, nonce: scrip.nonce, policyVersion: policy.version,
            page: policy.carriers[scrip.carrier]?.page, allowsInitialTick: allowsInitialTick)
        return duties.problem(in: consent, signedBy: key).map { Self.refusal(.consentInvalid, trace, $0) }
    }

    /// A new scrip with the app and the life of `old`, and a new nonce.
    private func issue(_ old: Scrip) -> (text: String, scrip: Scrip) {
        let text = CredentialGrammar.scrip.make(random: random)
        var scrip = old
        scrip.nonce = CredentialGrammar.nonce.make(random: random)
        scrips[text] = scrip
        return (text, scrip)
    }

    private static func response(_ json: JSON, status: Int = 200) -> TransportResponse {
        TransportResponse(status: status, headers: ["Content-Type": "application/json"], body: json.serialized)
    }

    /// With the refusal of a prefetch comes what the app's workflow has.
    private func refusal(_ situation: Situation, _ step: Step) -> TransportResponse {
        let failure = DeviceFailure(
            situation: situation, detail: "the scripted carrier was told so", trace: trace,
            smsLogin: step == .prefetch && hasSMSLogin)
        return Self.response(failure.json, status: 403)
    }

    private static func refusal(
        _ situation: Situation, _ trace: TraceID, _ detail: String = "the scripted carrier was told so"
    ) -> TransportResponse {
        response(DeviceFailure(situation: situation, detail: detail, trace: trace).json, status: 403)
    }
}

/// A scripted carrier's phone on Wi-Fi.
private struct ScriptedInternet: Transport {
    let carrier: ScriptedCarrier

    func localAddress(towards server: ServerURL) async throws(TransportError) -> InternetAddress? { nil }

    func send(_ request: TransportRequest, timeout: Duration) async throws(TransportError) -> TransportResponse {
        try await carrier.sendByInternet(request, timeout: timeout)
    }
}

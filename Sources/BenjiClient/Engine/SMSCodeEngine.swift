public import BenjiProtocol

/// A code that was sent to a number by SMS, as a phone knows it: everything but its digits.
public struct SMSCode: Hashable, Sendable {
    /// How many digits the person is to type.
    public var digits: Int
    /// From the moment of the answer.
    public var lifetime: Duration
    /// How many wrong ones are forgiven; `nil` from a server that does not say it.
    public var tries: Int?
    /// To be repeated in ``BenjiProtocol/ConsentContent/policyVersion``.
    public var policyVersion: String
    /// The login that this began.
    public var trace: TraceID
    /// By what the server knows it.
    let transaction: String

    init(_ response: SMSCodeResponse) {
        digits = Int(response.digits)
        lifetime = .seconds(response.lifetime)
        tries = response.tries.map { Int($0) }
        policyVersion = response.policyVersion
        trace = response.trace
        transaction = response.transaction
    }
}

/// Without the transaction: any party that has it can use up the code's tries.
extension SMSCode: CustomStringConvertible, CustomReflectable {
    public var description: String { "SMSCode(trace: \(trace))" }
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

/// Logs in by codes that are sent by SMS, and by texts that the person sends. Each call is one request, and a second
/// one if the phone's clock was wrong.
package actor SMSCodeEngine {
    /// By default the server waits ten seconds for the provider that accepts messages.
    static let sendingTime = Duration.seconds(15)

    let configuration: LoginEngine.Configuration
    let caller: DeviceCaller
    private let wallClock: any WallClock
    let timer: Timer
    /// The server's clock less the phone's; learnt from a refusal.
    private var clockOffset = Duration.zero

    package init(
        configuration: LoginEngine.Configuration, transport: any Transport, keyStore: any DeviceKeyStore,
        attestation: (any AttestationProvider)? = nil, wallClock: any WallClock = SystemWallClock(),
        clock: any Clock<Duration> = ContinuousClock(), random: any RandomSource = SystemRandomSource()
    ) {
        self.configuration = configuration
        self.wallClock = wallClock
        timer = Timer(clock)
        caller = DeviceCaller(
            configuration: configuration, transport: transport, keyStore: keyStore, attestation: attestation,
            wallClock: wallClock, random: random)
    }

    /// Whether the app's workflow has logins by a code: asked by the network that these go over, for phones whose
    /// mobile data gave no answer.
    ///
    /// It sends a prefetch and reads nothing else from the reply: over a hotspot the reply would describe the hotspot's
    /// subscriber.
    package func isOffered() async throws(BenjiError) -> Bool {
        let caller = caller
        let answer = try await answer(within: configuration.timeout) { offset, timeout throws(DeviceCaller.Failure) in
            try await caller.prefetch(clockOffset: offset, timeout: timeout)
        }
        return switch answer {
        case .success(let json): try Self.read(json, PrefetchResponse.init).smsLogin
        case .refusal(let failure): failure.smsLogin
        }
    }

    package func sendCode(to number: String) async throws(BenjiError) -> SMSCode {
        let caller = caller
        let json = try await ask(within: max(configuration.timeout, Self.sendingTime)) {
            offset, timeout throws(DeviceCaller.Failure) in
            try await caller.smsCode(to: number, clockOffset: offset, timeout: timeout)
        }
        return SMSCode(try Self.read(json, SMSCodeResponse.init))
    }

    package func logIn(
        _ digits: String, of code: SMSCode, consent: PageConsent
    ) async throws(BenjiError) -> LoginToken {
        let caller = caller
        let json = try await ask(within: configuration.timeout) { offset, timeout throws(DeviceCaller.Failure) in
            try await caller.smsLogin(digits, of: code, consent: consent, clockOffset: offset, timeout: timeout)
        }
        return try Self.token(in: json)
    }

    static func token(in json: JSON) throws(BenjiError) -> LoginToken {
        let response = try read(json, AuthorizeResponse.init)
        guard let carrier = response.carrier, let maskedNumber = response.maskedNumber else {
            throw BenjiError(.malformedResponse, "the server's answer: carrier or maskedNumber is missing")
        }
        return LoginToken(
            token: response.token, lifetime: .seconds(response.tokenLifetime), purpose: .login,
            openID: response.openID, assurance: response.assurance, carrier: carrier, maskedNumber: maskedNumber,
            consentReceipt: response.consentReceipt, trace: response.trace)
    }

    typealias Request =
        @Sendable (
            _ offset: Duration, _ timeout: @escaping @Sendable () -> Duration
        ) async throws(DeviceCaller.Failure) -> DeviceCaller.Answer

    func ask(within time: Duration, _ request: Request) async throws(BenjiError) -> JSON {
        switch try await answer(within: time, request) {
        case .success(let json): return json
        case .refusal(let failure): throw BenjiError(failure)
        }
    }

    private func answer(within time: Duration, _ request: Request) async throws(BenjiError) -> DeviceCaller.Answer {
        let timer = timer
        let deadline = timer.elapsed() + time
        var isSecond = false
        while true {
            let answer: DeviceCaller.Answer
            do { answer = try await request(clockOffset, { deadline - timer.elapsed() }) } catch { throw error.error }
            switch answer {
            case .success: return answer
            case .refusal(let failure):
                guard failure.situation == .clockSkew, let time = failure.serverTime, !isSecond else { return answer }
                clockOffset = time - wallClock.now
                isSecond = true
            }
        }
    }

    static func read<Message>(
        _ json: JSON, _ make: (JSON) throws(JSONError) -> Message
    ) throws(BenjiError) -> Message {
        do { return try make(json) } catch {
            throw BenjiError(.malformedResponse, "the server's answer: \(error.description)")
        }
    }
}

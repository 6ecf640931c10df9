public import BenjiProtocol

/// A text that the person sends from their phone, unchanged. Its sender is logged in here.
public struct SMSText: Hashable, Sendable {
    /// The text to send, unchanged: another text logs no one in. A secret until it is sent.
    public var text: String
    /// Where to: digits, as they are dialled.
    public var serviceNumber: String
    /// From the moment of the answer until the token must be bought.
    public var lifetime: Duration
    /// To be repeated in ``BenjiProtocol/ConsentContent/policyVersion``.
    public var policyVersion: String
    /// The login that this began.
    public var trace: TraceID
    /// By what the server knows it.
    let transaction: String
    /// Between two questions.
    let interval: Duration
    /// When its time is over, by the engine's timer.
    let end: Duration

    init(_ response: SMSUpstreamResponse, answeredAt moment: Duration) {
        text = response.text
        serviceNumber = response.serviceNumber
        lifetime = .seconds(response.lifetime)
        policyVersion = response.policyVersion
        trace = response.trace
        transaction = response.transaction
        interval = .seconds(response.retryAfter)
        end = moment + lifetime
    }
}

/// Without text and transaction.
extension SMSText: CustomStringConvertible, CustomReflectable {
    public var description: String { "SMSText(trace: \(trace))" }
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

/// The sender of a text.
public struct SMSTextSender: Hashable, Sendable {
    public var carrier: Carrier
    /// For the page on which the person says that it is theirs: `138****0001`.
    public var maskedNumber: String
}

extension SMSCodeEngine {
    package func text() async throws(BenjiError) -> SMSText {
        let caller = caller
        let json = try await ask(within: configuration.timeout) { offset, timeout throws(DeviceCaller.Failure) in
            try await caller.smsUpstream(clockOffset: offset, timeout: timeout)
        }
        return SMSText(try Self.read(json, SMSUpstreamResponse.init), answeredAt: timer.elapsed())
    }

    /// Asks until the text has come or its time is over. A question that the network lost is asked again: the phone may
    /// be in another app, sending the message.
    package func sender(of text: SMSText) async throws(BenjiError) -> SMSTextSender {
        while true {
            do throws(BenjiError) {
                if let sender = try await askForSender(of: text) { return sender }
            } catch {
                let isLost = [.noNetwork, .networkFailure, .nameNotResolved, .connectionRefused, .timedOut].contains(
                    error.situation)
                guard isLost, timer.elapsed() + text.interval < text.end else { throw error }
            }
            let next = timer.elapsed() + text.interval
            guard next < text.end else {
                throw BenjiError(.codeExpired, "no message with the text has come in its time", trace: text.trace)
            }
            guard await timer.reaches(next) else {
                throw BenjiError(.cancelledByApp, "the task was cancelled", trace: text.trace)
            }
        }
    }

    private func askForSender(of text: SMSText) async throws(BenjiError) -> SMSTextSender? {
        let caller = caller
        let json = try await ask(within: configuration.timeout) { offset, timeout throws(DeviceCaller.Failure) in
            try await caller.smsUpstreamStatus(of: text, clockOffset: offset, timeout: timeout)
        }
        return try Self.read(json, SMSUpstreamStatusResponse.init).sender.map {
            SMSTextSender(carrier: $0.carrier, maskedNumber: $0.maskedNumber)
        }
    }

    package func logIn(_ text: SMSText, consent: PageConsent) async throws(BenjiError) -> LoginToken {
        let caller = caller
        let json = try await ask(within: configuration.timeout) { offset, timeout throws(DeviceCaller.Failure) in
            try await caller.smsUpstreamLogin(text, consent: consent, clockOffset: offset, timeout: timeout)
        }
        return try Self.token(in: json)
    }
}

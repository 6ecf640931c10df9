package import Authority
package import BenjiProtocol
package import Logging
import Metrics

/// Notifies a client of the OpenID provider at its notification endpoint of a decision (OpenID Connect CIBA Core 1.0
/// §10.2). The rules are those of callbacks: no inner address, no redirect, TLS.
package struct PingSender: Sendable {
    private let sender: EventSender
    private let rules: CallbackRules
    private let logger: Logger
    private let pause: @Sendable (Duration) async -> Void

    /// The pause before each attempt. A client that receives nothing polls by itself.
    static let pauses: [Duration] = [.zero, .seconds(2), .seconds(10)]

    package init(
        sender: EventSender, rules: CallbackRules, logger: Logger = Logger(label: "benji"),
        pause: @escaping @Sendable (Duration) async -> Void = { try? await Task.sleep(for: $0) }
    ) {
        self.sender = sender
        self.rules = rules
        self.logger = logger
        self.pause = pause
    }

    /// - Parameters:
    ///   - endpoint: As it was registered. It is checked again, because the operator may have changed the rules.
    ///   - token: the client's bearer token.
    /// - Returns: how it went.
    @discardableResult
    package func send(
        _ payload: String, to endpoint: String, token: String, of app: AppID
    ) async -> DeliveryOutcome {
        var outcome = DeliveryOutcome.unsendable
        if let url = try? CallbackURL(endpoint, rules: rules) {
            for wait in Self.pauses where outcome.mayPass {
                if wait > .zero { await pause(wait) }
                outcome = await sender.send(payload, headers: [("authorization", "Bearer \(token)")], to: url)
            }
        }
        Counter(
            label: "benji_backchannel_pings_total",
            dimensions: [("result", outcome.isDelivered ? "delivered" : "failed")]
        ).increment()
        if !outcome.isDelivered, outcome != .brokenOff {
            logger.warning(
                "a client was not told that a person has decided; it learns that when it asks",
                metadata: ["app": "\(app)", "outcome": "\(outcome.word)"])
        }
        return outcome
    }
}

extension DeliveryOutcome {
    /// Whether another attempt may go better. What a client answers below 500 it means.
    fileprivate var mayPass: Bool {
        switch self {
        case .answered(let status): status >= 500
        case .addressRefused, .brokenOff: false
        default: true
        }
    }
}

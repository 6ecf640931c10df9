package import BenjiProtocol
package import Store

/// The authority's no, to a phone or a server: which situation, and what a developer should read about it.
///
/// Steps of the authority throw it, also when the store fails, and each dialect answers it in its own words. OpenID's
/// steps throw `OpenIDFailure`.
package struct Refusal: Error, Hashable, Sendable, CustomStringConvertible {
    package var situation: Situation
    /// English, for the developer: what was wrong and where. Never a secret, never a number.
    package var detail: String
    package var trace: TraceID?
    /// Some codes differ by carrier.
    package var carrier: Carrier?
    /// The clock of the authority that refused, for phones whose own is wrong.
    package var serverTime: Timestamp?
    /// Since when it is so, where a person wants to know: an account that was frozen, erased, or has another SIM.
    package var since: Timestamp?
    /// Whether the app's workflow also logs in by a code by SMS, for phones that no network tells.
    package var smsLogin: Bool
    /// The request was judged by a record of the app that is no longer the app's. Nothing was changed: read the app and
    /// judge again.
    package var isAppOutdated = false

    package init(
        _ situation: Situation, _ detail: String, trace: TraceID? = nil, carrier: Carrier? = nil,
        serverTime: Timestamp? = nil, since: Timestamp? = nil, smsLogin: Bool = false
    ) {
        self.situation = situation
        self.detail = detail
        self.trace = trace
        self.carrier = carrier
        self.serverTime = serverTime
        self.since = since
        self.smsLogin = smsLogin
    }

    package var description: String { "\(situation.rawValue): \(detail)" }

    package init(_ error: StoreError) {
        guard error.code != .keyNotAtHand else {
            self = .keyNotAtHand()
            return
        }
        // Another master key is learned of soon, so that asking again helps.
        let isPassing = error.code == .unavailable || error.code == .keyChanged
        self.init(isPassing ? .storeUnavailable : .internalError, "the store did not answer")
    }

    /// What is asked for is under a master key that this process cannot have now. It passes once an operator has mended it.
    package static func keyNotAtHand(trace: TraceID? = nil) -> Refusal {
        Refusal(.storeUnavailable, "the database's master key is not at hand; the server's log says why", trace: trace)
    }
}

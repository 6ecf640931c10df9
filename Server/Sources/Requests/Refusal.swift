package import BenjiProtocol
package import Store

/// The authority's no, to a phone or a server: which situation, and what a developer should read about it.
///
/// Steps of the authority throw it, also when the store fails, and each dialect answers it in its own words. OpenID's
/// steps throw `OpenIDFailure`.
package struct Refusal: Error, Hashable, Sendable, CustomStringConvertible {
    package var situation: Situation
    /// The fault and its place, in English for the developer. Never a secret, never a number.
    package var detail: String
    package var trace: TraceID?
    /// Some codes differ by carrier.
    package var carrier: Carrier?
    /// The clock of the authority that refused, for phones whose own is wrong.
    package var serverTime: Timestamp?
    /// Since when it is so, where a person wants to know: an account that was frozen, erased, or has another SIM.
    package var since: Timestamp?
    /// Whether the app's workflow also logs in by an SMS code, for phones that no network reports.
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

    /// The value is under a master key that this process cannot get now, until an operator fixes it.
    package static func keyNotAtHand(trace: TraceID? = nil) -> Refusal {
        Refusal(.storeUnavailable, "the database's master key is not at hand; the server's log says why", trace: trace)
    }
}

package import BenjiProtocol
package import Store

/// The authority's no to a server: which situation, and what a developer should read about it.
package struct Refusal: Error, Hashable, Sendable, CustomStringConvertible {
    package var situation: Situation
    /// English, for the developer: what was wrong and where. Never a secret, never a number.
    package var detail: String
    package var trace: TraceID?
    /// Some codes differ by carrier.
    package var carrier: Carrier?
    /// The request was judged by a record of the app that is no longer the app's. Nothing was changed: read the app and
    /// judge again.
    package var isAppOutdated = false

    package init(_ situation: Situation, _ detail: String, trace: TraceID? = nil, carrier: Carrier? = nil) {
        self.situation = situation
        self.detail = detail
        self.trace = trace
        self.carrier = carrier
    }

    package var description: String { "\(situation.rawValue): \(detail)" }

    package init(_ error: StoreError) {
        self.init(error.code == .unavailable ? .storeUnavailable : .internalError, "the store did not answer")
    }
}

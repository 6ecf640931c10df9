package import BenjiClient
package import BenjiProtocol

/// What the last calls found out: for questions that the documents let an app ask without waiting.
package struct Facts: Hashable, Sendable {
    /// The carrier that a gateway last named. No phone knows it before that (decision 7 of the design).
    package var carrier: Carrier?
    /// A gateway said that the phone belongs to none of the three.
    package var carrierIsForeign = false
    /// `138****0000`, while the prefetch is valid.
    package var maskedNumber: String?
    /// The login that was last spoken of.
    package var trace: TraceID?
    /// When the prefetch ends, by the shell's timer.
    package var prefetchEndsAt: Duration?
    /// Which networks were up when the last call ended.
    package var network: NetworkStatus?

    package init() {}

    mutating func note(_ value: CallResult.Value, remembered: PrefetchSummary?, now: Duration) {
        maskedNumber = remembered?.maskedNumber
        prefetchEndsAt = remembered.map { now + $0.validFor }
        switch value {
        case .prefetched(let summary): note(summary.carrier, summary.trace)
        case .token(let token): note(token.carrier, token.trace)
        case .failed(let error):
            trace = error.trace ?? trace
            if error.situation == .carrierUnsupported { (carrier, carrierIsForeign) = (nil, true) }
        }
    }

    private mutating func note(_ carrier: Carrier, _ trace: TraceID) {
        self.carrier = carrier
        carrierIsForeign = false
        self.trace = trace
    }
}

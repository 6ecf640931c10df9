package import BenjiClient
package import BenjiProtocol

/// The results of the last calls: for questions that the documents let an app ask without waiting.
package struct Facts: Hashable, Sendable {
    /// The carrier that a gateway last named. No phone knows it before that (decision 7 of the design).
    package var carrier: Carrier?
    /// A gateway said that the phone belongs to none of the three.
    package var carrierIsForeign = false
    /// `138****0000`, while the prefetch is valid.
    package var maskedNumber: String?
    /// The carrier's requirements for the page, while the prefetch is valid.
    package var page: CarrierPage?
    /// When the prefetch ends, by the shell's timer.
    package var prefetchEndsAt: Duration?
    /// Which networks were up when the last call ended.
    package var network: NetworkStatus?

    package init() {}

    mutating func note(_ value: CallResult.Value, remembered: PrefetchSummary?, now: Duration) {
        maskedNumber = remembered?.maskedNumber
        page = remembered?.page
        prefetchEndsAt = remembered.map { now + $0.validFor }
        switch value {
        case .prefetched(let summary): (carrier, carrierIsForeign) = (summary.carrier, false)
        case .token(let token): (carrier, carrierIsForeign) = (token.carrier, false)
        case .failed(let error):
            if error.situation == .carrierUnsupported { (carrier, carrierIsForeign) = (nil, true) }
        }
    }
}

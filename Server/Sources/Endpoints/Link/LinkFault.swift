import Authority
import BenjiProtocol
import Store

/// Why no answer of the authority came over the link. Whatever the reason, nothing was decided and the caller fails closed.
struct LinkFault: Error, Hashable, Sendable {
    enum Reason: String, Sendable, CaseIterable {
        /// No connection, a broken one, or a certificate that was refused, on either side.
        case unreachable
        /// No whole answer in time. What was asked may have happened.
        case timedOut = "timed_out"
        /// The authority has too much to do.
        case overloaded
        /// The authority does not accept this gateway, or what it states.
        case notTrusted = "not_trusted"
        /// An answer that this version cannot read, or that refuses the message itself.
        case unreadable
    }

    var reason: Reason
    /// For the operator: a kind of error or the authority's words, never a value.
    var detail: String

    init(_ reason: Reason, _ detail: String) {
        self.reason = reason
        self.detail = detail
    }

    /// A bare refusal: what the listener says about the gateway or its message.
    init(status: Int, _ failure: DeviceFailure) {
        let reason: Reason =
            switch failure.situation {
            case .gatewayNotTrusted: .notTrusted
            case .overloaded, .storeUnavailable, .tooManyRequests: .overloaded
            default: .unreadable
            }
        self.init(reason, "status \(status), \(failure.situation.rawValue): \(failure.detail)")
    }

    /// What a phone is told.
    var refusal: Refusal {
        switch reason {
        case .unreachable, .timedOut, .overloaded:
            Refusal(.overloaded, "the gateway has no answer from the authority; try again")
        case .notTrusted:
            Refusal(.gatewayNotTrusted, "the authority does not accept this gateway")
        case .unreadable:
            Refusal(.internalError, "gateway and authority do not understand each other")
        }
    }

    /// What accounting is told: nothing is known, so no packet is answered.
    var storeError: StoreError { StoreError(.unavailable, "link \(reason.rawValue)") }
}

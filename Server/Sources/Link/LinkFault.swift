import BenjiProtocol
package import Requests
import Store

/// Why no answer of one node of the authority came over the link. Whatever the reason, the caller has no decision and
/// fails closed.
struct LinkFault: Error, Hashable, Sendable {
    enum Reason: String, Sendable, CaseIterable {
        /// No connection, a broken one, or a certificate that was refused, on either side.
        case unreachable
        /// No whole answer in time. The request may have been carried out.
        case timedOut = "timed_out"
        /// The authority has too much to do.
        case overloaded
        /// The authority does not accept this gateway, or what it states.
        case notTrusted = "not_trusted"
        /// An answer that this version cannot read, or that refuses the message itself.
        case unreadable
        /// The node speaks for another installation than the one that answered this gateway first.
        case otherInstallation = "other_installation"
    }

    var reason: Reason
    /// For the operator: a kind of error or the authority's words, never a value.
    var detail: String
    /// Whether it is sure that no part of the request was or will be carried out.
    var isUndone: Bool
    /// Whether the node refuses this one message as malformed: it serves others, and another node would refuse it too.
    var isAboutMessage = false

    init(_ reason: Reason, _ detail: String, isUndone: Bool = false) {
        self.reason = reason
        self.detail = detail
        self.isUndone = isUndone
    }

    /// A bare refusal: what the listener says about the gateway or its message.
    init(status: Int, _ failure: DeviceFailure) {
        let reason: Reason =
            switch failure.situation {
            case .gatewayNotTrusted: .notTrusted
            case .overloaded, .storeUnavailable, .tooManyRequests: .overloaded
            default: .unreadable
            }
        // An internal error may come after the work. Every other bare refusal comes before it.
        self.init(
            reason, "status \(status), \(failure.situation.rawValue): \(failure.detail)",
            isUndone: failure.situation != .internalError)
        isAboutMessage = failure.situation == .malformedRequest
    }

    /// The refusal for a phone or browser.
    var refusal: Refusal {
        switch reason {
        case .unreachable, .timedOut, .overloaded:
            Refusal(.overloaded, "the gateway has no answer from the authority; try again")
        case .notTrusted:
            Refusal(.gatewayNotTrusted, "the authority does not accept this gateway")
        case .unreadable:
            Refusal(.internalError, "gateway and authority do not understand each other")
        case .otherInstallation:
            Refusal(.internalError, "gateway and authority do not belong to one installation")
        }
    }

    /// The error for accounting: nothing is known, so no packet is answered.
    var storeError: StoreError { StoreError(.unavailable, "link \(reason.rawValue): \(detail)") }
}

public import BenjiProtocol

/// Why a call gave no result. Equal when the situation is equal.
///
/// Switch on ``situation`` with a `default`: later versions know more of them.
public struct BenjiError: Error, Sendable {
    /// The cause, in the terms of Benji's own dialect.
    public var situation: Situation
    /// The problem and, where there is one, the remedy. For the developer, in English.
    ///
    /// Never holds a number or a credential: text that looks like one is hidden, whatever its origin.
    public let detail: String
    /// The login that this belongs to, for support; `nil` when no server has been reached.
    public var trace: TraceID?

    /// - Parameter detail: cut and redacted before it is kept.
    public init(_ situation: Situation, _ detail: String, trace: TraceID? = nil) {
        self.situation = situation
        self.detail = Redaction.redact(detail)
        self.trace = trace
    }
}

extension BenjiError: Hashable {
    public static func == (left: BenjiError, right: BenjiError) -> Bool { left.situation == right.situation }
    public func hash(into hasher: inout Hasher) { hasher.combine(situation) }
}

extension BenjiError: CustomStringConvertible {
    public var description: String {
        let name = trace.map { " (trace \($0))" } ?? ""
        return detail.isEmpty ? situation.rawValue + name : "\(situation.rawValue): \(detail)\(name)"
    }
}

extension BenjiError {
    /// Converts a transport's failure to the situation that an app sees.
    package init(_ error: TransportError) {
        let situation: Situation =
            switch error.code {
            case .noNetwork: .noNetwork
            case .cellularUnavailable, .cellularDenied: .cellularDataOff
            case .timedOut: .timedOut
            case .nameNotResolved: .nameNotResolved
            case .connectionRefused: .connectionRefused
            case .tlsFailed: .tlsFailure
            case .malformedResponse, .tooLarge: .malformedResponse
            case .cancelled: .cancelledByApp
            case .invalidRequest: .invalidArgument
            default: .networkFailure
            }
        self.init(situation, "\(error.place): \(error.detail)")
    }

    package init(_ failure: DeviceFailure) {
        self.init(failure.situation, failure.detail, trace: failure.trace)
    }
}

import Store

/// When a store does an operation: vital ones first, those of callers who have proved nothing last.
package enum Urgency: Hashable, Sendable {
    /// An installation stops without it: readiness, the record of a pair of gateways, and revocations.
    case vital
    case other
    /// A request asks for it whose caller has not proved who it is (``Store/RequestSubject``).
    case unproven(listener: String)

    private static let vitalOperations: Set = [
        "check", "read master keys", "count erasures", "read erased subscriptions", "read clock", "read pairs",
        "read pair's record", "claim pair", "record for pair", "release pair", "revoke credentials",
    ]

    /// Of an operation that the current task asks for. A caller who has proved nothing asks for nothing vital.
    ///
    /// - Parameter operation: its name, as in ``TableStore/write(_:locks:_:)``.
    package init(of operation: String) {
        if let subject = RequestSubject.current, !subject.isProven {
            self = .unproven(listener: subject.listener)
        } else {
            self = Self.vitalOperations.contains(operation) ? .vital : .other
        }
    }
}

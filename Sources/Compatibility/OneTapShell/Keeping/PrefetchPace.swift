import BenjiProtocol

/// When to ask for a prefetch again, so that a valid one is there whenever a person may log in.
struct PrefetchPace: Hashable, Sendable {
    private static let shortest = Duration.seconds(5)
    private static let longest = Duration.seconds(600)

    private var failures = 0

    /// How long to wait after a prefetch; `nil` when asking again cannot help.
    ///
    /// After a success as long as it is valid. After a failure twice as long each time, because a phone without mobile
    /// data may be without it for hours.
    mutating func pause(after situation: Situation, validFor: Duration) -> Duration? {
        switch situation {
        case .success:
            failures = 0
            return max(validFor, Self.shortest)
        case .notConfigured, .invalidArgument, .appUnknown, .appSuspended, .appNotAllowed, .appKeyWrong,
            .bundleMismatch,
            .capabilityMissing, .carrierUnsupported, .subscriberUnsupported:
            return nil
        default:
            failures += 1
            return min(Self.shortest * (1 << min(failures - 1, 10)), Self.longest)
        }
    }
}

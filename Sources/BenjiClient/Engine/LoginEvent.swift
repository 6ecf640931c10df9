public import BenjiProtocol

/// One step of a call, for traces and for showing progress. Carries no number and no credential (decision 14).
public struct LoginEvent: Hashable, Sendable {
    /// An open set: switch with a `default`.
    public struct Step: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public var description: String { rawValue }

        public static let started = Step(rawValue: "started")
        /// The prefetch was answered from memory.
        public static let remembered = Step(rawValue: "remembered")
        public static let prefetching = Step(rawValue: "prefetching")
        public static let prefetched = Step(rawValue: "prefetched")
        public static let presenting = Step(rawValue: "presenting")
        public static let consented = Step(rawValue: "consented")
        public static let authorizing = Step(rawValue: "authorizing")
        public static let authorized = Step(rawValue: "authorized")
        /// A server refused; ``LoginEvent/situation`` says why.
        public static let refused = Step(rawValue: "refused")
        /// The phone's clock is wrong, and the server's is used from now on.
        public static let clockCorrected = Step(rawValue: "clock_corrected")
        /// The scrip in memory was given up.
        public static let scripDropped = Step(rawValue: "scrip_dropped")
        public static let forgetting = Step(rawValue: "forgetting")
        /// The call is over; ``LoginEvent/situation`` says how.
        public static let finished = Step(rawValue: "finished")
    }

    /// The engine's action, or the event that it received.
    public var step: Step
    /// How it ended, for steps that end something.
    public var situation: Situation?
    /// The login that this belongs to, as soon as a server has named it.
    public var trace: TraceID?
    /// By the phone's own clock.
    public var time: Timestamp

    public init(step: Step, situation: Situation?, trace: TraceID?, time: Timestamp) {
        self.step = step
        self.situation = situation
        self.trace = trace
        self.time = time
    }
}

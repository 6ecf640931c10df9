public import BenjiProtocol

/// A step of a face session, for an app that is being put together.
public enum FaceEvent: Hashable, Sendable {
    case step(String)
    /// A request was answered: with `success`, or a refusal.
    case answered(String, Situation)
    /// A session or a call is over.
    case ended(Situation)
}

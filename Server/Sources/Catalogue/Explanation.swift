/// What a code says to a developer, in one language.
public struct Explanation: Sendable, Hashable, Codable {
    /// What happened, as one phrase without a full stop.
    public var meaning: String
    /// How it came about.
    public var cause: String
    /// What the developer or the operator does next.
    public var remedy: String

    public init(meaning: String, cause: String, remedy: String) {
        self.meaning = meaning
        self.cause = cause
        self.remedy = remedy
    }
}

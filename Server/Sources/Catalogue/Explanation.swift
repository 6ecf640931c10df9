/// What a code says to a developer, in one language.
package struct Explanation: Sendable, Hashable {
    /// What happened, as one phrase without a full stop.
    package var meaning: String
    /// How it came about.
    package var cause: String
    /// What the developer or the operator does next.
    package var remedy: String

    package init(meaning: String, cause: String, remedy: String) {
        self.meaning = meaning
        self.cause = cause
        self.remedy = remedy
    }
}

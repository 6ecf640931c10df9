/// The explanation of a code for a developer, in one language.
package struct Explanation: Sendable, Hashable {
    /// The event, as one phrase without a full stop.
    package var meaning: String
    /// How it came about.
    package var cause: String
    /// The next action of the developer or the operator.
    package var remedy: String

    package init(meaning: String, cause: String, remedy: String) {
        self.meaning = meaning
        self.cause = cause
        self.remedy = remedy
    }
}

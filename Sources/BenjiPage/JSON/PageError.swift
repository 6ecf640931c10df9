/// Why a page description is refused: where, and what was wrong with it.
///
/// The text of the description is not repeated, so that an error can go to a log whatever somebody pasted into a title.
public struct PageError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The path of the field, such as `$.terms.items[1].url`. `$` is the description itself.
    public var place: String
    /// What was wrong, and what would be right.
    public var problem: String

    public init(place: String, problem: String) {
        self.place = place
        self.problem = problem
    }

    public var description: String { place + ": " + problem }
}

/// Why a page description is refused: the place and the problem.
///
/// The text of the description is not repeated, so that an error can go to a log whatever a title contains.
public struct PageError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The path of the field, such as `$.terms.items[1].url`. `$` is the description itself.
    public var place: String
    /// The problem, and the expected form.
    public var problem: String

    public init(place: String, problem: String) {
        self.place = place
        self.problem = problem
    }

    public var description: String { place + ": " + problem }
}

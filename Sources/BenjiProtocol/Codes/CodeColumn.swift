/// A column of the table *situation → code*: what one SDK or server answers for each situation (decision 15).
///
/// Every answer is made from a column. Benji's own is ``device``. A facade's column is in a module next to the
/// facade's, the column of a server's interface with its endpoints. So an app ships only codes that it can receive.
public struct CodeColumn: Sendable {
    /// A code, and whether the document has a code for exactly this situation.
    public struct Code: Hashable, Sendable {
        public var code: String
        /// Why this code stands in when the column has none of its own for the situation.
        public var note: String?

        public init(_ code: String, note: String? = nil) {
            self.code = code
            self.note = note
        }
    }

    /// The app's request that ended. Some columns count the same failure twice, once for each request.
    public enum Step: String, Hashable, Sendable, CaseIterable {
        /// Who is this phone? Ends with a masked number.
        case prefetch
        /// A token that releases the number, after the page.
        case authorize
        /// A token that can only answer whether a number is this phone's; there is no page.
        case verify
    }

    private let find: @Sendable (Situation, Carrier?, Step?) -> Code?

    public init(find: @escaping @Sendable (Situation, Carrier?, Step?) -> Code?) {
        self.find = find
    }

    /// The code for `situation`, or `nil` where the situation cannot come up.
    ///
    /// - Parameters:
    ///   - carrier: some codes of the carriers differ by the carrier behind the phone.
    ///   - step: some codes differ by the request; `nil` when nothing had begun yet.
    public func code(for situation: Situation, carrier: Carrier? = nil, step: Step? = nil) -> Code? {
        find(situation, carrier, step)
    }

    /// Benji's own codes: words, not numbers.
    public static let device = CodeColumn { situation, _, _ in exact(situation.rawValue) }

    /// The document's own code for the situation.
    public static func exact(_ code: String) -> Code { Code(code) }

    /// The code that comes nearest, and why the document has no better one.
    public static func near(_ code: String, _ note: String) -> Code { Code(code, note: note) }
}

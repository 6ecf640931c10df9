/// A failure of PostgreSQL or of its connection. It has the code alone, because a message may carry values.
struct ServerFailure: Error {
    /// The SQLSTATE; `nil` where the connection itself failed.
    var state: String?
    /// In plain words, without values.
    var words: String

    static func lost(_ words: String) -> ServerFailure { ServerFailure(state: nil, words: words) }

    init(state: String?, words: String? = nil) {
        self.state = state
        self.words = words ?? Self.words(state ?? "")
    }

    /// The connection is gone, or of no more use. Whether a commit that was sent before took place is not known, unless
    /// ``isReadOnly``.
    var isLost: Bool {
        state == nil || state == "57P01" || state == "57P02" || state == "57P03" || state == "25P03" || state == "57P05"
            || isOfClass("08") || isReadOnly
    }
    /// Nothing can be written over this connection: its PostgreSQL is a standby, or was made one. Nothing was.
    var isReadOnly: Bool { state == "25006" }
    /// Nothing was written, and the same may succeed now: two transactions waited for each other, or saw each other.
    var mayBeRepeated: Bool { state == "40001" || state == "40P01" || state == Self.overtaken }
    /// One of several operations was in the way of others, or took too long: nothing was written, and the rest may
    /// succeed without it.
    var maybeOfOne: Bool { state == "55P03" || state == "57014" || isOfClass("40") }
    /// Another client made the very row between a look and its insertion. No code of PostgreSQL's.
    static let overtaken = "BJ001"

    func isOfClass(_ name: String) -> Bool { state?.hasPrefix(name) ?? false }

    private static func words(_ state: String) -> String {
        switch state {
        case "23505": "exists already"
        case "40P01", "40001": "in the way of others again and again"
        case "55P03": "locked by another client for too long"
        case "57014": "took too long and was ended"
        case "57P01", "57P02", "57P03": "PostgreSQL is starting or stopping"
        case "53100": "PostgreSQL's disk is full"
        case "53200": "PostgreSQL is out of memory"
        case "53300": "PostgreSQL has too many connections"
        case "22021": "a text has a character that PostgreSQL does not take, such as U+0000"
        case "25006": "PostgreSQL is read-only, as a standby is"
        case "28P01", "28000": "PostgreSQL does not let this user in"
        case "3D000": "there is no such database"
        case "42501": "PostgreSQL does not permit it to this user"
        case "42P01", "42703": "the schema is another one"
        case _ where state.hasPrefix("58"): "PostgreSQL's system failed"
        case _ where state.hasPrefix("23"): "against the rules of the schema"
        default: "failed"
        }
    }
}

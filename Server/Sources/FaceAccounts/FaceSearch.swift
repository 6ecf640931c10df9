import Authority
import BenjiProtocol

/// What a session that looks for a face knows.
struct FaceSearch: Sendable {
    var group: String
    /// One search for one challenge.
    var isOver = false
    /// Who it may be. It takes a second factor to become a login.
    var candidate: Candidate?

    struct Candidate: Sendable {
        var account: Int64
        var openID: String
    }
}

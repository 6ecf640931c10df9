import Authority
import BenjiProtocol

/// The state of a session that searches for a face.
struct FaceSearch: Sendable {
    var group: String
    /// One search for one challenge.
    var isOver = false
    /// The account that was found. It takes a second factor to become a login.
    var candidate: Candidate?

    struct Candidate: Sendable {
        var account: Int64
        var openID: String
    }
}

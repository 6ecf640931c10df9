/// The reason why a login failed.
enum LoginFailure: Error, Hashable, Sendable {
    /// The person turned back, or chose another way.
    case cancelled
    /// The attempt is unknown, too old or of another browser.
    case stale
    /// Benji did not answer, or not so that it could be understood.
    case unreachable(String)
    /// Benji said no: its code, and what it says about it.
    case refused(String, String)
    /// Benji's answer is not to be believed.
    case mistrusted(String)
    /// This way of logging in is not set up.
    case notOffered

    /// For the log: no number, no credential.
    var detail: String {
        switch self {
        case .cancelled: "cancelled by the person"
        case .stale: "unknown or old attempt"
        case .unreachable(let detail): "unreachable: \(detail)"
        case .refused(let code, let detail): "refused: \(code) \(detail)"
        case .mistrusted(let detail): "mistrusted: \(detail)"
        case .notOffered: "not set up"
        }
    }
}

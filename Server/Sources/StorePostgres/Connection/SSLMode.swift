/// libpq's `sslmode`, from the weakest to the strongest (PostgreSQL's documentation, "SSL Support").
enum SSLMode: String {
    case disable, allow, prefer, require
    case verifyCA = "verify-ca"
    case verifyFull = "verify-full"

    /// Encryption and verification in this mode, for people.
    var meaning: String {
        switch self {
        case .disable: "no TLS"
        case .allow, .prefer: "TLS only if the server asks for it or offers it"
        case .require: "TLS, and the server's certificate need not be verified"
        case .verifyCA: "TLS, and the server's certificate may name another host"
        case .verifyFull: "TLS, and the server's certificate is verified and names the host"
        }
    }
}

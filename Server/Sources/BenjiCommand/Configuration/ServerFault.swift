import AsyncHTTPClient
import Glibc
import NIOCore
import NIOPosix
import NIOSSL

/// Why a server that was named with `--server` brought no answer.
enum ServerFault: Hashable {
    /// Nothing listens there.
    case refused
    case nameUnknown
    /// In the system's words.
    case unreachable(String)
    case connectTimeout
    case answerTimeout
    case speaksPlainHTTP
    case speaksTLS
    case speaksOtherwise
    case certificateNotTrusted
    case certificateOfAnotherName
    case clientCertificateRefused
    /// The connection ended before the answer.
    case lost

    /// - Parameter error: what the HTTP client threw.
    init(_ error: any Error) {
        switch error {
        case let error as NIOConnectionError:
            // One address of several is enough to tell that the name is known.
            let refusals = error.connectionErrors.map { ServerFault($0.error) }
            self = refusals.first { $0 != .refused } ?? refusals.first ?? .nameUnknown
        case let error as IOError: self.init(code: error.errnoCode)
        case is SocketAddressError: self = .nameUnknown
        case ChannelError.connectTimeout: self = .connectTimeout
        case let error as HTTPClientError: self.init(error)
        case let error as NIOSSLExtraError where error == .failedToValidateHostname: self = .certificateOfAnotherName
        // Only the names in its stack distinguish one failure of a handshake from another.
        case is NIOSSLError, is BoringSSLError: self.init(handshake: "\(error)")
        default: self = "\(type(of: error))" == "HTTPParserError" ? .speaksOtherwise : .lost
        }
    }

    private init(code: CInt) {
        switch code {
        case ECONNREFUSED: self = .refused
        case ETIMEDOUT: self = .connectTimeout
        case ECONNRESET, EPIPE: self = .lost
        default: self = .unreachable(String(cString: strerror(code)).lowercased())
        }
    }

    private init(_ error: HTTPClientError) {
        switch error {
        case .connectTimeout, .tlsHandshakeTimeout, .getConnectionFromPoolTimeout: self = .connectTimeout
        case .deadlineExceeded, .readTimeout: self = .answerTimeout
        default: self = .lost
        }
    }

    private init(handshake text: String) {
        if text.contains("CERTIFICATE_VERIFY_FAILED") || text.contains("unableToValidateCertificate") {
            self = .certificateNotTrusted
        } else if text.contains("ALERT_CERTIFICATE") || text.contains("ALERT_UNKNOWN_CA")
            || text.contains("BAD_CERTIFICATE")
        {
            self = .clientCertificateRefused
        } else if text.contains("WRONG_VERSION_NUMBER") || text.contains("HTTP_REQUEST") {
            self = .speaksPlainHTTP
        } else {
            self = .lost
        }
    }

    /// Describes the fault, its place, and the remedy.
    /// - Parameters:
    ///   - server: the address that was named, and its host.
    ///   - authority: the file of `--server-authority`.
    ///   - seconds: how long was waited for the connection.
    func problem(_ server: String, host: String, authority: String?, seconds: Int) -> String {
        let place = "what comes after https:// or http://"
        return switch self {
        case .refused:
            "\(server): nothing listens there (connection refused). Is benji serve running on that machine, and is "
                + "listen.administration set to this port in its configuration?"
        case .nameUnknown:
            "\(server): this machine finds no address for the name \(host). Check the spelling, or name the server's "
                + "address; "
                + "getent hosts \(host) asks the same"
        case .unreachable(let words):
            "\(server) cannot be reached from this machine: \(words). Check \(place), and the network"
        case .connectTimeout:
            "\(server): no connection within \(seconds) second\(seconds == 1 ? "" : "s"). Check \(place), and whether "
                + "a firewall lets this machine through; "
                + "--connect-timeout waits longer"
        case .answerTimeout:
            "\(server) took the connection and did not answer within "
                + "\(RemoteAdministration.answerTimeout.nanoseconds / 60_000_000_000) "
                + "minutes. Look at its log"
        case .speaksPlainHTTP:
            "\(server) answers in plain HTTP and not in TLS. Is this the port of listen.administration? Beyond its own "
                + "machine it needs "
                + "tls.certificate and tls.key; on its own machine write http://"
        case .speaksTLS: "\(server) speaks TLS: write https:// instead of http://"
        case .speaksOtherwise:
            "\(server): something listens there that does not speak HTTP. Name the port of listen.administration"
        case .certificateNotTrusted:
            "the certificate of \(server) is not trusted: it is not signed by "
                + (authority.map { "an authority in \($0) (--server-authority)" } ?? "one of the system's authorities")
                + ", or it does not count today. "
                + (authority == nil
                    ? "Name the file of who signed it with --server-authority, or renew it"
                    : "Name the right file, or renew it")
                + " (tls.certificate there)"
        case .certificateOfAnotherName:
            "the certificate of \(server) is for another name than \(host): call the server by a name that is in it, "
                + "or put one with "
                + "this name in its place (tls.certificate there)"
        case .clientCertificateRefused:
            "\(server) refuses the client certificate, or asks for one. It must be signed by "
                + "administration.client-authority "
                + "there (--client-certificate, --client-key). If this is the port of listen.gateways, name that of "
                + "listen.administration"
        case .lost: "\(server) took the connection and closed it without an answer. Look at its log"
        }
    }
}

import NIOCore
import NIOPosix
import NIOSSL

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Why a connection could not be made or ended, in an operator's words.
package enum ConnectionFault {
    package static func words(_ error: any Error) -> String {
        switch error {
        case let error as NIOConnectionError:
            // One address of several is enough to tell that the name is known.
            error.connectionErrors.first.map { words($0.error) } ?? "this machine finds no address for its name"
        case let error as IOError: "cannot be reached: " + String(cString: strerror(error.errnoCode)).lowercased()
        case is SocketAddressError: "this machine finds no address for its name"
        case ChannelError.connectTimeout: "cannot be reached: no connection within the time"
        case let error as NIOSSLExtraError where error == .failedToValidateHostname:
            "its certificate is for another name"
        case is NIOSSLError, is BoringSSLError:
            "\(error)".contains("CERTIFICATE_VERIFY_FAILED") || "\(error)".contains("unableToValidateCertificate")
                ? "its certificate is not trusted" : "it does not speak TLS as expected"
        default: "the connection was lost"
        }
    }
}

import BenjiClient
import CCurl

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

extension CurlTransfer {
    /// The transport error of a libcurl result. libcurl's own fixed text is kept for the developer; it holds nothing of
    /// the request.
    func failure(_ code: CURLcode, _ easy: UnsafeMutableRawPointer) -> TransportError {
        let text = "libcurl: " + String(cString: curl_easy_strerror(code))
        func error(_ code: TransportError.Code, _ detail: String) -> TransportError {
            TransportError(code, at: request.url.origin, "\(detail) (\(text))")
        }
        if bindFailure != 0 { return DeviceBinding.failure(bindFailure, configuration.egress) }
        switch code {
        case CURLE_INTERFACE_FAILED: return DeviceBinding.failure(ENODEV, configuration.egress)
        case CURLE_COULDNT_RESOLVE_HOST:
            return error(.nameNotResolved, "the host has no address that the resolver knows")
        case CURLE_COULDNT_CONNECT:
            var number = 0
            _ = benji_curl_get_long(easy, CURLINFO_OS_ERRNO, &number)
            return LocalRoute.failure(Int32(truncatingIfNeeded: number), towards: request.url, by: configuration.egress)
        case CURLE_OPERATION_TIMEDOUT: return error(.timedOut, "no complete answer came in the time given")
        case CURLE_SSL_CACERT_BADFILE: return error(.tlsFailed, "the file of trusted authorities cannot be read")
        case CURLE_PEER_FAILED_VERIFICATION:
            return error(.tlsFailed, "the server's certificate is not trusted, has expired or names another host")
        case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER, CURLE_USE_SSL_FAILED,
            CURLE_SSL_ENGINE_NOTFOUND, CURLE_SSL_ENGINE_SETFAILED, CURLE_SSL_ENGINE_INITFAILED, CURLE_SSL_CRL_BADFILE,
            CURLE_SSL_ISSUER_ERROR, CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_INVALIDCERTSTATUS,
            CURLE_SSL_SHUTDOWN_FAILED:
            return error(.tlsFailed, "no TLS connection came about")
        case CURLE_GOT_NOTHING, CURLE_PARTIAL_FILE, CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_SEND_FAIL_REWIND:
            return error(.connectionLost, "the connection ended before the answer was complete")
        // libcurl's word for an answer without a status line is "unsupported protocol" (HTTP/0.9).
        case CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL, CURLE_BAD_CONTENT_ENCODING, CURLE_HTTP2:
            return error(.malformedResponse, "the answer is not HTTP/1.1 as this transport accepts it")
        default: return error(.internalFailure, "the exchange failed")
        }
    }
}

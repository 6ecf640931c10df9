import BenjiClient
import BenjiProtocol
import CCurl

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// One exchange; made and used on its own thread, but for its cancellation.
final class CurlTransfer {
    let request: TransportRequest
    let configuration: CurlTransport.Configuration
    private let deadline: ContinuousClock.Instant
    private let cancellation: CurlCancellation
    private var parser: HTTP1ResponseParser
    /// Why the answer was refused while libcurl was still reading it.
    private var refusal: HTTP1Error?
    /// `errno` of binding a socket to the device, when that failed.
    var bindFailure: Int32 = 0
    /// How much of the content libcurl has taken.
    private var sentContent = 0

    init(
        _ request: TransportRequest, _ configuration: CurlTransport.Configuration, deadline: ContinuousClock.Instant,
        cancellation: CurlCancellation
    ) {
        self.request = request
        self.configuration = configuration
        self.deadline = deadline
        self.cancellation = cancellation
        parser = HTTP1ResponseParser(
            method: request.method, limits: HTTP1Limits(bodyBytes: configuration.maximumBody))
    }

    /// A transfer that is given up has its reply before the clean-up: taking it out of libcurl during a name look-up
    /// waits for the resolver. Any other has it afterwards, so that a kept connection is there for the next exchange.
    func run(in channels: CurlChannelPool, _ reply: BlockingCall.Reply<TransportResponse>) {
        let place = request.url.origin
        guard var channel = channels.take() else {
            reply.give(.failure(TransportError(.internalFailure, at: place, "libcurl could not start")))
            return
        }
        let outcome = Result { () throws(TransportError) in
            guard let easy = curl_easy_init() else {
                throw TransportError(.internalFailure, at: place, "libcurl could not start")
            }
            var headers: UnsafeMutablePointer<curl_slist>?
            defer {
                cancellation.wakes(nil)
                curl_multi_remove_handle(channel.multi, easy)
                curl_easy_cleanup(easy)
                curl_slist_free_all(headers)
            }
            guard configure(easy, &headers), curl_multi_add_handle(channel.multi, easy) == CURLM_OK else {
                throw TransportError(.internalFailure, at: place, "libcurl refused an option")
            }
            cancellation.wakes(channel.multi)
            do throws(TransportError) {
                let response = try exchange(channel.multi, easy)
                channel.localAddress = response.localAddress
                return response
            } catch {
                reply.give(.failure(error))
                throw error
            }
        }
        channels.give(channel)
        reply.give(outcome)
    }

    private func exchange(
        _ channel: UnsafeMutableRawPointer, _ easy: UnsafeMutableRawPointer
    ) throws(TransportError) -> TransportResponse {
        let place = request.url.origin
        if case .sourceAddress(let address) = configuration.egress, !SocketAddress(address, port: 0).isOurs {
            throw DeviceBinding.failure(EADDRNOTAVAIL, configuration.egress)
        }
        while true {
            var running: Int32 = 0
            guard curl_multi_perform(channel, &running) == CURLM_OK else {
                throw TransportError(.internalFailure, at: place, "libcurl could not go on")
            }
            let ended = benji_curl_ended(channel)
            if ended >= 0 { return try response(CURLcode(rawValue: UInt32(ended)), easy) }
            if cancellation.isCancelled { throw TransportError(.cancelled, at: place, "the task was cancelled") }
            let left = deadline - ContinuousClock.now
            guard left > .zero else {
                throw TransportError(.timedOut, at: place, "no complete answer came in the time given")
            }
            // Rounded up, or the last millisecond would be spent turning in circles; at most a minute, as curl counts
            // in Int32.
            let milliseconds = min(left, .seconds(60)) / .milliseconds(1)
            curl_multi_poll(channel, nil, 0, Int32(milliseconds.rounded(.up)), nil)
        }
    }

    private func response(
        _ code: CURLcode, _ easy: UnsafeMutableRawPointer
    ) throws(TransportError) -> TransportResponse {
        if let refusal { throw TransportError(refusal, from: request.url) }
        if code == CURLE_OK {
            do throws(HTTP1Error) { try parser.finish() } catch { throw TransportError(error, from: request.url) }
        }
        // libcurl may object to what follows a complete answer; the answer stands.
        guard var response = parser.response else { throw failure(code, easy) }
        var text: UnsafePointer<CChar>?
        if benji_curl_get_string(easy, CURLINFO_LOCAL_IP, &text) == CURLE_OK, let text {
            response.localAddress = InternetAddress(String(cString: text))
        }
        return response
    }

    /// Copies the next piece of the content; how much it was.
    func readContent(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let piece = request.body[sentContent...].prefix(buffer.count)
        buffer.copyBytes(from: piece)
        sentContent += piece.count
        return piece.count
    }

    /// Whether libcurl should go on.
    func receive(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        do throws(HTTP1Error) {
            try parser.consume(Array(bytes))
            return true
        } catch {
            refusal = error
            return false
        }
    }

    #if os(Linux)
    /// libcurl goes on with the source address alone when binding to the device fails; we do not.
    func bindToDevice(_ socket: curl_socket_t) -> Bool {
        guard case .interface(let name) = configuration.egress else { return true }
        if DeviceBinding.bind(socket, to: name) { return true }
        bindFailure = errno
        return false
    }
    #endif
}

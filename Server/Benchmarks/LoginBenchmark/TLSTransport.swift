import BenchmarkSupport
import BenjiClient
import BenjiProtocol
import CBenchmarkCurl
import Foundation
import Synchronization

/// A caller's way to the server over TLS, which keeps its connections or does not, as the benchmark says.
///
/// Sound: `handle` is used by one exchange at a time, as ``send(_:timeout:)`` is called by one caller that waits for
/// it.
final class TLSTransport: Transport, @unchecked Sendable {
    /// How a request reaches the server.
    enum Use: String, CaseIterable, Sendable {
        /// On a connection of its own, with a full handshake.
        case new = "new connections"
        /// On a connection of its own, which goes on with an earlier one's session.
        case resumed = "resumed connections"
        /// On the connection of the request before.
        case kept = "kept connections"
    }

    /// Requests so far, and their connections.
    struct Count: Equatable {
        var requests = 0
        var connected = 0
        var resumed = 0
    }

    private let handle: OpaquePointer
    private let source: InternetAddress
    private let counted = Mutex(Count())

    /// - Parameter authority: a PEM file with the certificate to trust.
    init(_ use: Use, from source: InternetAddress, authority: String) throws {
        // A kept connection may end during a write, and the write then fails.
        signal(SIGPIPE, SIG_IGN)
        let kind =
            switch use {
            case .new: BENCHMARK_TRANSPORT_NEW
            case .resumed: BENCHMARK_TRANSPORT_RESUMED
            case .kept: BENCHMARK_TRANSPORT_KEPT
            }
        guard let handle = benchmark_transport_make(source.description, authority, kind) else {
            throw BenchmarkFailure("libcurl could not start")
        }
        (self.handle, self.source) = (handle, source)
    }

    deinit { benchmark_transport_free(handle) }

    var count: Count { counted.withLock { $0 } }

    func localAddress(towards server: ServerURL) async throws(TransportError) -> InternetAddress? { source }

    func send(
        _ request: TransportRequest, timeout: Duration
    ) async throws(TransportError) -> TransportResponse {
        let outcome = await withCheckedContinuation { continuation in
            // It blocks, so it has a thread of its own, as the SDK's exchanges have.
            Thread.detachNewThread { [self] in continuation.resume(returning: exchange(request)) }
        }
        return try outcome.get()
    }

    private func exchange(_ request: TransportRequest) -> Result<TransportResponse, TransportError> {
        let lines = request.headers.fields.map { strdup("\($0.name): \($0.value)") }
        defer { for line in lines { free(line) } }
        var answer = benchmark_answer()
        defer { free(answer.bytes) }
        let problem = benchmark_transport_post(
            handle, request.url.text, lines.map { UnsafePointer($0) } + [nil], request.body, request.body.count, &answer
        )
        if let problem {
            return .failure(TransportError(.tlsFailed, at: request.url.origin, String(cString: problem)))
        }
        counted.withLock { count in
            count.requests += 1
            count.connected += Int(answer.connected)
            count.resumed += Int(answer.resumed)
        }
        let bytes = UnsafeRawBufferPointer(start: answer.bytes, count: answer.length)
        return .success(
            TransportResponse(
                status: answer.status, headers: ["Content-Type": "application/json"], body: Array(bytes),
                localAddress: source))
    }
}

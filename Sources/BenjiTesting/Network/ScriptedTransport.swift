public import BenjiClient
public import BenjiProtocol

/// A transport without a network: records the requests and answers by a script.
public actor ScriptedTransport: Transport {
    /// The outcome of one request.
    public enum Answer: Sendable {
        case response(TransportResponse)
        case failure(TransportError)
        /// No answer until the request is cancelled.
        case silence
        /// Whatever the test wants.
        case handler(@Sendable (TransportRequest) async throws(TransportError) -> TransportResponse)

        /// An answer of the device dialect.
        public static func json(_ json: JSON, status: Int = 200) -> Answer {
            .response(
                TransportResponse(status: status, headers: ["Content-Type": "application/json"], body: json.serialized))
        }

        /// A refusal of the device dialect.
        public static func refusal(_ failure: DeviceFailure, status: Int = 400) -> Answer {
            json(failure.json, status: status)
        }
    }

    /// The sent requests, in order.
    public private(set) var requests: [TransportRequest] = []
    /// The time that each request was given.
    public private(set) var timeouts: [Duration] = []
    private var script: [Answer]
    private var localAddress: Result<InternetAddress?, TransportError>
    private var watchers: [(count: Int, continuation: AsyncStream<Void>.Continuation)] = []

    /// - Parameters:
    ///   - script: the answers in order. A request beyond the last one fails with
    ///     ``BenjiClient/TransportError/Code/connectionRefused``.
    ///   - localAddress: what the phone sees as its own.
    public init(_ script: [Answer] = [], localAddress: Result<InternetAddress?, TransportError> = .success(nil)) {
        self.script = script
        self.localAddress = localAddress
    }

    /// Adds answers after those that are left.
    public func append(_ answers: Answer...) { script += answers }

    public func setLocalAddress(_ result: Result<InternetAddress?, TransportError>) { localAddress = result }

    public func localAddress(towards server: ServerURL) async throws(TransportError) -> InternetAddress? {
        try localAddress.get()
    }

    public func send(_ request: TransportRequest, timeout: Duration) async throws(TransportError) -> TransportResponse {
        requests.append(request)
        timeouts.append(timeout)
        for watcher in watchers where watcher.count <= requests.count { watcher.continuation.finish() }
        watchers.removeAll { $0.count <= requests.count }
        guard !script.isEmpty else {
            throw TransportError(.connectionRefused, at: request.url.origin, "the script has no answer left")
        }
        switch script.removeFirst() {
        case .response(let response): return response
        case .failure(let error): throw error
        case .handler(let answer): return try await answer(request)
        case .silence:
            let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
            for await _ in stream {}
            continuation.finish()
            throw TransportError(.cancelled, at: request.url.origin, "the calling task was cancelled")
        }
    }

    /// Returns once `count` requests have been sent in all.
    public func sent(_ count: Int) async {
        guard requests.count < count else { return }
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        watchers.append((count, continuation))
        for await _ in stream {}
    }
}

#if canImport(Network)
import BenjiProtocol
import Dispatch
import Foundation
import Network

/// Holds one `NWConnection` and does what an ``HTTP1Exchange`` says.
///
/// `@unchecked Sendable`: every stored property that changes is read and written only on `queue`. The connection and
/// the timers report on `queue` as well. The other properties never change.
final class HTTP1Connection: @unchecked Sendable {
    private let server: ServerURL
    private let connection: NWConnection
    private let queue = DispatchQueue(label: "benji.connection")
    private var exchange: HTTP1Exchange
    private var continuation: CheckedContinuation<Result<TransportResponse, TransportError>, Never>?
    /// An outcome that came before anyone waited for it.
    private var outcome: Result<TransportResponse, TransportError>?
    private var timers: [DispatchWorkItem] = []

    init(_ server: ServerURL, _ exchange: HTTP1Exchange, using parameters: NWParameters) {
        self.server = server
        self.exchange = exchange
        connection = NWConnection(to: server, using: parameters)
    }

    /// Sends one request over a connection of its own.
    ///
    /// - Parameter maximumBody: content larger than this is refused.
    static func send(
        _ request: TransportRequest, maximumBody: Int, timeout: Duration, using parameters: NWParameters
    ) async throws(TransportError) -> TransportResponse {
        let exchange = try HTTP1Exchange(request, limits: HTTP1Limits(bodyBytes: maximumBody))
        guard timeout > .zero else {
            throw TransportError(.timedOut, at: request.url.origin, "no time was left to send the request")
        }
        return try await HTTP1Connection(request.url, exchange, using: parameters).run(timeout: timeout).get()
    }

    /// Called once.
    private func run(timeout: Duration) async -> Result<TransportResponse, TransportError> {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                queue.async { self.start(continuation, timeout) }
            }
        } onCancel: {
            queue.async { self.take(.cancelled) }
        }
    }

    private func start(
        _ continuation: CheckedContinuation<Result<TransportResponse, TransportError>, Never>, _ timeout: Duration
    ) {
        if let outcome {
            continuation.resume(returning: outcome)
            return
        }
        self.continuation = continuation
        startTimer(timeout, .timedOut)
        connection.stateUpdateHandler = { [weak self] state in self?.connectionChanged(to: state) }
        connection.start(queue: queue)
    }

    private func connectionChanged(to state: NWConnection.State) {
        switch state {
        case .ready: take(.ready)
        case .waiting(let error):
            let error = TransportError(error, at: server, on: connection.currentPath)
            // Network.framework waits even after a refusal, for a better network that we would not use.
            guard error.isNetworkMissing else { return take(.failed(error)) }
            take(.waiting(error))
            guard error.code == .cellularDenied else { return }
            NetworkPermission.whenUndecided(on: queue) { [weak self] in self?.take(.undecided) }
        case .failed(let error): take(.failed(TransportError(error, at: server)))
        case .cancelled: take(.ended)
        case .setup, .preparing: break
        @unknown default: break
        }
    }

    private func take(_ event: HTTP1Exchange.Event) {
        for action in exchange.handle(event) {
            switch action {
            case .send(let bytes):
                // A failed write shows itself to the reader, after what the server may still have said.
                connection.send(content: Data(bytes), completion: .contentProcessed { _ in })
            case .receive: receive()
            case .startGrace: startTimer(HTTP1Exchange.grace, .graceEnded)
            case .finish(let outcome): finish(outcome)
            }
        }
    }

    private func receive() {
        connection.receive(minimumIncompleteLength: 1, maximumLength: 16 * 1024) { [weak self] data, _, isEnd, error in
            guard let self else { return }
            if let data, !data.isEmpty { take(.received(Array(data))) }
            if isEnd { take(.ended) }
            if let error { take(.failed(TransportError(error, at: server))) }
        }
    }

    private func startTimer(_ duration: Duration, _ event: HTTP1Exchange.Event) {
        let timer = DispatchWorkItem { [weak self] in self?.take(event) }
        timers.append(timer)
        let nanoseconds = min(duration, .seconds(86_400)) / .nanoseconds(1)
        queue.asyncAfter(deadline: .now() + .nanoseconds(Int(nanoseconds)), execute: timer)
    }

    private func finish(_ outcome: Result<TransportResponse, TransportError>) {
        let localAddress = connection.localAddress
        let outcome = outcome.map { response in
            var response = response
            response.localAddress = localAddress
            return response
        }
        for timer in timers { timer.cancel() }
        timers = []
        connection.stateUpdateHandler = nil
        connection.cancel()
        if let continuation {
            self.continuation = nil
            continuation.resume(returning: outcome)
        } else {
            self.outcome = outcome
        }
    }
}
#endif

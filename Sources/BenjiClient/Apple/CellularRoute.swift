#if canImport(Network)
import BenjiProtocol
import Dispatch
import Network

/// Asks Network.framework which address a connection over mobile data would leave by.
///
/// A datagram connection that is never written to does the name look-up and the choice of path of the real one that
/// follows. It sends nothing to the server.
///
/// `@unchecked Sendable`: `continuation` and `outcome` are read and written only on `queue`; the rest never changes.
final class CellularRoute: @unchecked Sendable {
    private let server: ServerURL
    private let connection: NWConnection
    private let queue = DispatchQueue(label: "benji.cellular-route")
    private var continuation: CheckedContinuation<Result<InternetAddress?, TransportError>, Never>?
    private var outcome: Result<InternetAddress?, TransportError>?
    private var isUndecided = false

    init(_ server: ServerURL) {
        self.server = server
        connection = NWConnection(to: server, using: .cellularDatagrams)
    }

    /// Called once.
    func localAddress() async -> Result<InternetAddress?, TransportError> {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                queue.async { self.start(continuation) }
            }
        } onCancel: {
            queue.async { self.fail(.cancelled, "the task was cancelled") }
        }
    }

    private func start(_ continuation: CheckedContinuation<Result<InternetAddress?, TransportError>, Never>) {
        if let outcome {
            continuation.resume(returning: outcome)
            return
        }
        self.continuation = continuation
        connection.stateUpdateHandler = { [weak self] state in self?.take(state) }
        connection.start(queue: queue)
        queue.asyncAfter(deadline: .now() + .seconds(5)) { [weak self] in
            guard self?.isUndecided == false else { return }
            self?.fail(.timedOut, "no path over mobile data was found in 5 seconds")
        }
    }

    private func take(_ state: NWConnection.State) {
        switch state {
        case .ready: finish(.success(connection.localAddress))
        case .waiting(let error):
            let error = TransportError(error, at: server, on: connection.currentPath)
            guard error.isNetworkMissing else { return finish(.failure(error)) }
            queue.asyncAfter(deadline: .now() + .seconds(2)) { [weak self] in
                if self?.isUndecided == false { self?.finish(.failure(error)) }
            }
            guard error.code == .cellularDenied else { return }
            NetworkPermission.whenUndecided(on: queue) { [weak self] in self?.waitForThePerson(error) }
        case .failed(let error): finish(.failure(TransportError(error, at: server)))
        case .setup, .preparing, .cancelled: break
        @unknown default: break
        }
    }

    /// The caller's own time limit usually comes first.
    private func waitForThePerson(_ error: TransportError) {
        isUndecided = true
        queue.asyncAfter(deadline: .now() + .seconds(60)) { [weak self] in self?.finish(.failure(error)) }
    }

    private func fail(_ code: TransportError.Code, _ detail: String) {
        finish(.failure(TransportError(code, at: server.origin, detail)))
    }

    private func finish(_ outcome: Result<InternetAddress?, TransportError>) {
        guard self.outcome == nil else { return }
        self.outcome = outcome
        connection.stateUpdateHandler = nil
        connection.cancel()
        continuation?.resume(returning: outcome)
        continuation = nil
    }
}
#endif

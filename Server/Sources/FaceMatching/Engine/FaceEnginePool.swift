import Dispatch
import Synchronization

/// Engines that take turns. A call waits for one in the order of arrival; beyond a limit it is turned away.
///
/// The networks compute for tens of milliseconds, so they run on threads of their own and not on those of Swift's
/// tasks.
final class FaceEnginePool: Sendable {
    private struct State {
        var idle: [FaceEngine] = []
        /// Turns that are taken: at most `size`, so never more engines exist.
        var taken = 0
        var queue: [(id: Int, continuation: CheckedContinuation<Turn, Never>)] = []
        var nextID = 0
    }

    private enum Turn { case mine, crowded, givenUp }

    private let models: FaceModelFolder
    private let size: Int
    private let waiting: Int
    private let threads = DispatchQueue(label: "benji.face", attributes: .concurrent)
    private let state = Mutex(State())

    init(models: FaceModelFolder, size: Int, waiting: Int) {
        self.models = models
        self.size = max(size, 1)
        self.waiting = max(waiting, 0)
    }

    /// Runs `body` with an engine, which is made if none is idle.
    /// - Throws: what `body` throws; `busy` if too many wait or the task was cancelled while it waited; `unavailable`.
    func run<Result: Sendable>(
        _ body: @escaping @Sendable (FaceEngine) throws(FaceError) -> Result
    ) async throws(FaceError) -> Result {
        switch await takeTurn() {
        case .mine: break
        case .crowded: throw FaceError(.busy, "\(waiting) pictures wait already")
        case .givenUp: throw FaceError(.busy, "nobody waits for the answer any more")
        }
        let result = await withCheckedContinuation { continuation in
            threads.async { continuation.resume(returning: self.perform(body)) }
        }
        endTurn()
        return try result.get()
    }

    /// How many engines are idle.
    var idle: Int { state.withLock { $0.idle.count } }

    /// In a turn, on a thread of our own.
    private func perform<Result>(
        _ body: (FaceEngine) throws(FaceError) -> Result
    ) -> Swift.Result<Result, FaceError> {
        Swift.Result { () throws(FaceError) in
            let engine =
                if let engine = state.withLock({ $0.idle.popLast() }) { engine } else { try FaceEngine(models) }
            defer { state.withLock { $0.idle.append(engine) } }
            return try body(engine)
        }
    }

    private func takeTurn() async -> Turn {
        let id = state.withLock {
            $0.nextID += 1
            return $0.nextID
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let turn: Turn? = state.withLock {
                    if $0.taken < size {
                        $0.taken += 1
                        return .mine
                    }
                    guard $0.queue.count < waiting else { return .crowded }
                    // Asked under the lock: a task that is cancelled later is found in the queue.
                    guard !Task.isCancelled else { return .givenUp }
                    $0.queue.append((id, continuation))
                    return nil
                }
                if let turn { continuation.resume(returning: turn) }
            }
        } onCancel: {
            let left = state.withLock { state in
                state.queue.firstIndex { $0.id == id }.map { state.queue.remove(at: $0).continuation }
            }
            left?.resume(returning: .givenUp)
        }
    }

    private func endTurn() {
        let next: CheckedContinuation<Turn, Never>? = state.withLock {
            guard $0.queue.isEmpty else { return $0.queue.removeFirst().continuation }
            $0.taken -= 1
            return nil
        }
        // The turn passes on; `taken` stays.
        next?.resume(returning: .mine)
    }
}

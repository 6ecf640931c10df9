internal import Dispatch

/// Engines that take turns. A call waits for one in the order of arrival; beyond a limit it is turned away.
///
/// The networks compute for tens of milliseconds, so they run on threads of their own and not on those of Swift's tasks.
actor FaceEnginePool {
    private let models: FaceModelFolder
    private let size: Int
    private let waiting: Int
    private let threads = DispatchQueue(label: "benji.face", attributes: .concurrent)

    private var idle: [FaceEngine] = []
    /// Turns that are taken: at most `size`, so never more engines exist.
    private var taken = 0
    private var queue: [(id: Int, continuation: CheckedContinuation<Bool, Never>)] = []
    private var nextID = 0

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
        try await takeTurn()
        let engine = idle.popLast()
        let models = models
        let (used, result) = await withCheckedContinuation {
            (continuation: CheckedContinuation<(FaceEngine?, Swift.Result<Result, FaceError>), Never>) in
            threads.async {
                var used = engine
                let result = Swift.Result { () throws(FaceError) in
                    let engine = if let engine { engine } else { try FaceEngine(models) }
                    used = engine
                    return try body(engine)
                }
                continuation.resume(returning: (used, result))
            }
        }
        if let used { idle.append(used) }
        endTurn()
        return try result.get()
    }

    /// How many engines exist.
    var engines: Int { idle.count }

    private func takeTurn() async throws(FaceError) {
        guard taken >= size else {
            taken += 1
            return
        }
        guard queue.count < waiting else { throw FaceError(.busy, "\(queue.count) pictures wait already") }
        nextID += 1
        let id = nextID
        let isMine = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if Task.isCancelled {
                    continuation.resume(returning: false)
                } else {
                    queue.append((id, continuation))
                }
            }
        } onCancel: {
            Task { await self.leave(id) }
        }
        guard isMine else { throw FaceError(.busy, "nobody waits for the answer any more") }
    }

    private func endTurn() {
        if queue.isEmpty {
            taken -= 1
        } else {
            // The turn passes on; `taken` stays.
            queue.removeFirst().continuation.resume(returning: true)
        }
    }

    private func leave(_ id: Int) {
        guard let index = queue.firstIndex(where: { $0.id == id }) else { return }
        queue.remove(at: index).continuation.resume(returning: false)
    }
}

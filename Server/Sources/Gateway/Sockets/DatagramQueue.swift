import BenjiProtocol
import NIOConcurrencyHelpers

/// Packets between the sockets and their processing: bounded, many writers, one reader that takes many at once.
final class DatagramQueue: Sendable {
    private struct State {
        /// Each full but the last.
        var waiting: [DatagramBatch] = []
        var count = 0
        var isWoken = false
        var isFinished = false
        var reader: CheckedContinuation<Void, Never>?
    }

    private let state = NIOLockedValueBox(State())
    private let limit: Int
    /// Packets that one journal commit carries at most.
    private static let maximumBatch = 1024

    init(limit: Int) { self.limit = limit }

    /// Appends packets. Returns the sources of those for which there is no room.
    func offer(_ burst: DatagramBatch) -> [InternetAddress] {
        var rest = burst
        let reader = state.withLockedValue { state -> CheckedContinuation<Void, Never>? in
            guard !state.isFinished else { return nil }
            while !rest.isEmpty, state.count < limit {
                if state.waiting.last.map({ $0.count >= Self.maximumBatch }) ?? true {
                    state.waiting.append(DatagramBatch())
                }
                let end = state.waiting.count - 1
                let room = min(Self.maximumBatch, state.waiting[end].count + limit - state.count)
                let taken = state.waiting[end].append(rest, upTo: room)
                state.count += taken
                rest.removeFirst(taken)
            }
            return state.reader.take()
        }
        reader?.resume()
        return rest.envelopes.map(\.source)
    }

    /// Lets ``next()`` return though nothing waits: time for upkeep.
    func wake() {
        state.withLockedValue { state -> CheckedContinuation<Void, Never>? in
            state.isWoken = true
            return state.reader.take()
        }?.resume()
    }

    /// After this ``next()`` gives what waits, then `nil`.
    func finish() {
        state.withLockedValue { state -> CheckedContinuation<Void, Never>? in
            state.isFinished = true
            return state.reader.take()
        }?.resume()
    }

    /// The packets that wait, perhaps none after ``wake()``; `nil` at the end. For one reader only.
    func next() async -> DatagramBatch? {
        while true {
            switch take() {
            case .batch(let batch): return batch
            case .end: return nil
            case .empty: break
            }
            await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    let isReady = state.withLockedValue { state -> Bool in
                        if !state.waiting.isEmpty || state.isWoken || state.isFinished { return true }
                        state.reader = continuation
                        return false
                    }
                    if isReady { continuation.resume() }
                }
            } onCancel: {
                finish()
            }
        }
    }

    private enum Dequeued {
        case batch(DatagramBatch)
        case empty, end
    }

    private func take() -> Dequeued {
        state.withLockedValue { state in
            if state.waiting.isEmpty, !state.isWoken { return state.isFinished ? .end : .empty }
            state.isWoken = false
            let batch = state.waiting.isEmpty ? DatagramBatch() : state.waiting.removeFirst()
            state.count -= batch.count
            return .batch(batch)
        }
    }
}

import BenjiProtocol
import NIOConcurrencyHelpers

/// One packet as it came in.
struct Datagram: Sendable {
    let bytes: [UInt8]
    let source: InternetAddress
    let port: UInt16
    /// Which of the listeners' sockets it came through.
    let socket: Int

    init(bytes: [UInt8], source: InternetAddress, port: UInt16, socket: Int = 0) {
        self.bytes = bytes
        self.source = source
        self.port = port
        self.socket = socket
    }
}

/// Packets between the sockets and their processing: bounded, many writers, one reader that takes all that waits at
/// once.
final class DatagramQueue: Sendable {
    private struct State {
        var waiting: [Datagram] = []
        var isWoken = false
        var isFinished = false
        var reader: CheckedContinuation<Void, Never>?
    }

    private let state = NIOLockedValueBox(State())
    private let limit: Int
    /// Packets that one journal commit carries at most.
    private static let maximumBatch = 1024

    init(limit: Int) { self.limit = limit }

    /// Appends packets. Returns those for which there is no room.
    func offer(_ burst: [Datagram]) -> [Datagram] {
        let (shed, reader) = state.withLockedValue { state -> ([Datagram], CheckedContinuation<Void, Never>?) in
            guard !state.isFinished else { return (burst, nil) }
            let room = max(limit - state.waiting.count, 0)
            state.waiting += burst.prefix(room)
            return (Array(burst.dropFirst(room)), state.reader.take())
        }
        reader?.resume()
        return shed
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
    func next() async -> [Datagram]? {
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

    private enum Taken {
        case batch([Datagram])
        case empty, end
    }

    private func take() -> Taken {
        state.withLockedValue { state in
            if state.waiting.isEmpty, !state.isWoken { return state.isFinished ? .end : .empty }
            state.isWoken = false
            let batch = Array(state.waiting.prefix(Self.maximumBatch))
            state.waiting.removeFirst(batch.count)
            return .batch(batch)
        }
    }
}

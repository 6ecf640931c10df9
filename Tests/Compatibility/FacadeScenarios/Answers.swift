import BenjiClient
import Dispatch
import OneTapShell
import Testing

/// Hands out blocks, and keeps what they are called with.
final class Answers: Sendable {
    private struct State {
        var heard: [ResultFields?] = []
        var calls = 0
        var watchers: [(missing: Int, continuation: AsyncStream<Void>.Continuation)] = []
        /// How many blocks the SDK holds.
        var held = 0
        var releases: [CheckedContinuation<Void, Never>] = []

        var missing: Int { heard.count { $0 == nil } }
    }

    /// Lives as long as a block does.
    private final class Hold: Sendable {
        private let end: @Sendable () -> Void
        init(_ end: @escaping @Sendable () -> Void) { self.end = end }
        deinit { end() }
    }

    /// Marks the main queue, once: to mark it again frees the mark that a block may be reading.
    private static let mainQueue: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()
    private let state = Locked(State())

    /// How often blocks were called in all.
    var calls: Int { state.withLock { $0.calls } }
    var heard: [ResultFields] { state.withLock { $0.heard.compactMap { $0 } } }

    /// A block for the next call.
    func next() -> FacadeColumn.Answer {
        let index = state.withLock {
            $0.heard.append(nil)
            $0.held += 1
            return $0.heard.count - 1
        }
        let hold = Hold { [self] in letGo() }
        return { [self] dictionary in
            defer { withExtendedLifetime(hold) {} }
            #expect(DispatchQueue.getSpecific(key: Self.mainQueue) == true, "a block is called on the main thread")
            let fields = ResultFields(dictionary)
            #expect(fields != nil, "a dictionary holds texts, numbers and dictionaries only")
            state.withLock {
                $0.calls += 1
                $0.heard[index] = fields ?? [:]
                let missing = $0.missing
                for watcher in $0.watchers where missing <= watcher.missing { watcher.continuation.finish() }
                $0.watchers.removeAll { missing <= $0.missing }
            }
        }
    }

    private func letGo() {
        let released = state.withLock { state in
            state.held -= 1
            guard state.held == 0 else { return [] as [CheckedContinuation<Void, Never>] }
            defer { state.releases = [] }
            return state.releases
        }
        for continuation in released { continuation.resume() }
    }

    /// Returns once the SDK holds no block any more.
    func release() async {
        await withCheckedContinuation { continuation in
            let isReleased = state.withLock {
                if $0.held > 0 { $0.releases.append(continuation) }
                return $0.held == 0
            }
            if isReleased { continuation.resume() }
        }
    }

    /// Returns once all blocks but `missing` have been called.
    func complete(but missing: Int = 0) async {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        let isComplete = state.withLock {
            guard $0.missing > missing else { return true }
            $0.watchers.append((missing, continuation))
            return false
        }
        guard !isComplete else { return }
        for await _ in stream {}
    }
}

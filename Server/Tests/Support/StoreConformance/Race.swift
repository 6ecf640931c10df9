import Synchronization

/// Runs `body` `count` times at once and returns the results, in the order of the positions.
///
/// All wait at one line until the last has arrived: tasks that merely start one after the other are hardly ever a race.
func race<Value: Sendable>(
    _ count: Int, _ body: @escaping @Sendable (_ position: Int) async throws -> Value
) async throws -> [Value] {
    let (start, gap) = (StartLine(count), StartLine(count))
    return try await withThrowingTaskGroup(of: (Int, Value).self) { group in
        for position in 0..<count {
            group.addTask {
                await start.arrive()
                let contender = Contender(gap)
                let result: Result<Value, any Error>
                do {
                    result = .success(try await Contender.$current.withValue(contender) { try await body(position) })
                } catch { result = .failure(error) }
                await contender.leave()
                return (position, try result.get())
            }
        }
        var values: [Int: Value] = [:]
        for try await (position, value) in group { values[position] = value }
        return (0..<count).compactMap { values[$0] }
    }
}

/// One of those that race. A flawed double waits for the others between its check and its write, so that each race
/// shows the flaw.
package final class Contender: Sendable {
    @TaskLocal package static var current: Contender?

    private let gap: StartLine
    private let hasMet = Mutex(false)

    fileprivate init(_ gap: StartLine) { self.gap = gap }

    /// Whether it is the first time.
    private func meets() -> Bool {
        hasMet.withLock { hasMet in
            defer { hasMet = true }
            return !hasMet
        }
    }

    /// Waits until each other contender waits here too or has ended. Later calls return at once.
    package func meetOthers() async { if meets() { await gap.arrive() } }

    fileprivate func leave() async { if meets() { await gap.pass() } }
}

/// Holds everyone until as many have arrived as were announced.
private actor StartLine {
    private var missing: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(_ count: Int) { missing = count }

    func arrive() async {
        pass()
        if missing > 0 { await withCheckedContinuation { waiting.append($0) } }
    }

    /// Arrives and does not wait.
    func pass() {
        missing -= 1
        guard missing == 0 else { return }
        for runner in waiting { runner.resume() }
        waiting = []
    }
}

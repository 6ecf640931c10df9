/// Runs `body` `count` times at once and returns the results, in the order of the positions.
///
/// All wait at one line until the last has arrived: tasks that merely start one after the other are hardly ever a race.
func race<Value: Sendable>(
    _ count: Int, _ body: @escaping @Sendable (_ position: Int) async throws -> Value
) async throws -> [Value] {
    let start = StartLine(count)
    return try await withThrowingTaskGroup(of: (Int, Value).self) { group in
        for position in 0..<count {
            group.addTask {
                await start.arrive()
                return (position, try await body(position))
            }
        }
        var values: [Int: Value] = [:]
        for try await (position, value) in group { values[position] = value }
        return (0..<count).compactMap { values[$0] }
    }
}

/// Holds everyone until as many have arrived as were announced.
private actor StartLine {
    private var missing: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(_ count: Int) { missing = count }

    func arrive() async {
        missing -= 1
        if missing > 0 { return await withCheckedContinuation { waiting.append($0) } }
        for runner in waiting { runner.resume() }
        waiting = []
    }
}

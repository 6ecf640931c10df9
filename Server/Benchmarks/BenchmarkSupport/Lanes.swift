/// Runs `body` for each index below `count`, at most `lanes` at a time, and waits for all.
///
/// A lane takes every `lanes`th index, so that each has its own connections and nothing is shared.
package func inLanes(
    _ lanes: Int, count: Int, _ body: @escaping @Sendable (_ index: Int, _ lane: Int) async throws -> Void
) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
        for lane in 0..<lanes {
            group.addTask { for index in stride(from: lane, to: count, by: lanes) { try await body(index, lane) } }
        }
        try await group.waitForAll()
    }
}

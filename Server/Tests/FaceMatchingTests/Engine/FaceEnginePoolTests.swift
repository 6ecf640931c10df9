import Testing

@testable import FaceMatching

/// Turns of the engines: never more engines than the pool may have, nobody is lost, nobody waits for ever.
@Suite struct FaceEnginePoolTests {
    @Test func `Sixty-four pictures at once are all looked at by two engines`() async throws {
        let pool = FaceEnginePool(models: Face.models, size: 2, waiting: 62)
        let bytes = try Portrait.astronaut.bytes
        let found = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<64 {
                group.addTask {
                    try await pool.run { engine throws(FaceError) in
                        try engine.detect(try FaceImage(bytes), score: 0.6).count
                    }
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(found == 64)
        #expect(pool.idle <= 2)
    }

    @Test func `Who comes when too many wait is told that it is busy`() async throws {
        let pool = FaceEnginePool(models: Face.models, size: 1, waiting: 0)
        try await pool.run { _ in }
        let results = await withTaskGroup(of: FaceError.Code?.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    do throws(FaceError) {
                        try await pool.run { _ in for _ in 0..<200_000 {} }
                        return nil
                    } catch { return error.code }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(results.contains(nil))
        #expect(results.allSatisfy { $0 == nil || $0 == .busy })
        try await pool.run { _ in }
    }

    @Test func `A caller who gives up while he waits leaves the queue, and the next one has his turn`() async throws {
        let pool = FaceEnginePool(models: Face.models, size: 1, waiting: 1)
        try await pool.run { _ in }
        let gave = Task { () -> FaceError.Code? in
            do throws(FaceError) {
                try await pool.run { _ in }
                return nil
            } catch { return error.code }
        }
        gave.cancel()
        let code = await gave.value
        #expect(code == nil || code == .busy)
        // Were the turn lost, this would never end.
        try await pool.run { _ in }
        try await pool.run { _ in }
    }

    @Test func `A pool without models fails every caller and keeps no turn`() async {
        let pool = FaceEnginePool(models: FaceModelFolder("/nonexistent"), size: 1, waiting: 4)
        for _ in 0..<3 {
            await #expect(throws: FaceError(.unavailable, "")) { try await pool.run { _ in } }
        }
        #expect(pool.idle == 0)
    }
}

import Dispatch
import Testing

@testable import FaceMatching

/// Turns of the engines: the pool never exceeds its size, loses no caller, and keeps no caller waiting for ever.
@Suite struct EnginePoolRealFaceTests {
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

    /// A pool of one engine that is held until `release` is signalled.
    private func held(waiting: Int, _ body: (FaceEnginePool) async throws -> Void) async throws {
        let pool = FaceEnginePool(models: Face.models, size: 1, waiting: waiting)
        let (started, start) = AsyncStream<Void>.makeStream()
        let release = DispatchSemaphore(value: 0)
        async let holder: Void = pool.run { _ in
            start.yield()
            release.wait()
        }
        for await _ in started { break }
        defer { release.signal() }
        try await body(pool)
        release.signal()
        try await holder
        // Were a turn lost, this would never end.
        try await pool.run { _ in }
    }

    @Test func `Who comes when too many wait is told that it is busy`() async throws {
        try await held(waiting: 0) { pool in
            await #expect(throws: FaceError(.busy, "")) { try await pool.run { _ in } }
        }
    }

    @Test
    func `A caller who gives up while he waits leaves the queue at once and makes room in it`() async throws {
        try await held(waiting: 1) { pool in
            for _ in 0..<3 {
                let waiter = Task { () -> FaceError.Code? in
                    do throws(FaceError) {
                        try await pool.run { _ in }
                        return nil
                    } catch { return error.code }
                }
                waiter.cancel()
                // The engine is held: only leaving the queue answers.
                #expect(await waiter.value == .busy)
            }
        }
    }
}

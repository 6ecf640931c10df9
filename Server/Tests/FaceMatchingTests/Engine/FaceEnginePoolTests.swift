import Testing

@testable import FaceMatching

@Suite struct FaceEnginePoolTests {
    @Test func `A pool without models fails every caller and keeps no turn`() async {
        let pool = FaceEnginePool(models: FaceModelFolder("/nonexistent"), size: 1, waiting: 4)
        for _ in 0..<3 {
            await #expect(throws: FaceError(.unavailable, "")) { try await pool.run { _ in } }
        }
        #expect(pool.idle == 0)
    }
}

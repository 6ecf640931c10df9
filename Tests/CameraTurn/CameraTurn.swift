#if canImport(UIKit)
import AVFoundation
public import Testing

/// For suites that use the one camera that there is: their tests wait for each other's end, across test targets too.
public struct CameraTurn: SuiteTrait, TestTrait, TestScoping {
    public var isRecursive: Bool { true }

    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        // A suite's own scope holds nothing: its tests take their turns.
        guard testCase != nil else { return try await function() }
        await StandInCamera.turn.take()
        do { try await function() } catch {
            await StandInCamera.turn.leave()
            throw error
        }
        await StandInCamera.turn.leave()
    }
}

extension Trait where Self == CameraTurn {
    public static var camera: CameraTurn { CameraTurn() }
}
#endif

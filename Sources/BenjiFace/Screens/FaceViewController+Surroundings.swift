#if canImport(UIKit) && canImport(AVFoundation) && canImport(CoreImage)
package import BenjiProtocol
import Foundation

extension FaceViewController {
    /// Everything outside of the screens. A test's in a test.
    package struct Surroundings: Sendable {
        package var now: @MainActor @Sendable () -> Timestamp
        package var elapsed: @Sendable () -> Duration
        /// Waits for a time limit.
        package var sleep: @Sendable (Duration) async throws -> Void
        package var languages: [String]
        /// Whether the property list says what the camera is for.
        package var declaresCamera: @MainActor @Sendable () -> Bool

        package init(
            now: @escaping @MainActor @Sendable () -> Timestamp, elapsed: @escaping @Sendable () -> Duration,
            sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
            languages: [String], declaresCamera: @escaping @MainActor @Sendable () -> Bool
        ) {
            self.now = now
            self.elapsed = elapsed
            self.sleep = sleep
            self.languages = languages
            self.declaresCamera = declaresCamera
        }

        /// The phone's own, unless a test has put others in their place.
        @MainActor package static var current: Surroundings { scoped ?? standard }
        @TaskLocal package static var scoped: Surroundings?

        @MainActor private static var standard: Surroundings {
            let start = ContinuousClock.now
            return Surroundings(
                now: { SystemWallClock().now }, elapsed: { start.duration(to: .now) },
                languages: Locale.preferredLanguages,
                declaresCamera: { Bundle.main.object(forInfoDictionaryKey: "NSCameraUsageDescription") != nil })
        }
    }
}
#endif

#if canImport(UIKit)
import Foundation

/// The time, passed in so that tests need not wait.
@MainActor public struct PageClock {
    /// Milliseconds since 1970.
    public var now: @MainActor () -> Int64
    /// Calls back after some seconds.
    public var after: @MainActor (_ seconds: Double, _ action: @escaping @MainActor () -> Void) -> Void

    public init(
        now: @escaping @MainActor () -> Int64,
        after: @escaping @MainActor (_ seconds: Double, _ action: @escaping @MainActor () -> Void) -> Void
    ) {
        self.now = now
        self.after = after
    }

    /// The device's own.
    public static var system: PageClock {
        PageClock(
            now: { Int64(Date().timeIntervalSince1970 * 1000) },
            after: { seconds, action in
                Task {
                    try? await Task.sleep(for: .seconds(seconds))
                    action()
                }
            })
    }
}
#endif

#if canImport(UIKit)
/// Pictures between the camera and their sender. None is left out, up to a bound that only a dead network reaches.
@MainActor final class FaceReel {
    private static let greatest = 64

    private var frames: [FaceFrame] = []
    private var waiting: (count: Int, continuation: CheckedContinuation<[FaceFrame]?, Never>)?
    private var isClosed = false
    private var count = 0

    /// - Parameter count: the camera's count to which the picture belongs. A picture of an earlier count is dropped:
    ///   its time is the earlier challenge's.
    func add(_ frame: FaceFrame, of count: Int) {
        guard !isClosed, count == self.count else { return }
        if frames.count < Self.greatest { frames.append(frame) }
        if let waiting { hand(take(waiting.count)) }
    }

    /// Takes the pictures of this count, and no others.
    func begin(_ count: Int) { (frames, self.count) = ([], count) }

    /// Starts again after ``close()``.
    func open() { (isClosed, frames) = (false, []) }

    /// The person has left: there will be no more.
    func close() {
        isClosed = true
        hand(nil)
    }

    /// Waits until there is one. `nil` once the reel is closed, and when the calling task is cancelled.
    func next(atMost count: Int) async -> [FaceFrame]? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<[FaceFrame]?, Never>) in
                guard !isClosed, !Task.isCancelled else { return continuation.resume(returning: nil) }
                guard frames.isEmpty else { return continuation.resume(returning: take(count)) }
                waiting = (count, continuation)
            }
        } onCancel: {
            Task { @MainActor in self.hand(nil) }
        }
    }

    private func take(_ count: Int) -> [FaceFrame] {
        let batch = Array(frames.prefix(max(count, 1)))
        frames.removeFirst(batch.count)
        return batch
    }

    private func hand(_ batch: [FaceFrame]?) {
        waiting?.continuation.resume(returning: batch)
        waiting = nil
    }
}
#endif

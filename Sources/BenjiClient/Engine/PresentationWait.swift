/// A login's wait for what the person does with a page: the first outcome counts, and so does the end of the waiting
/// task.
@MainActor package final class PresentationWait {
    private var waiting: CheckedContinuation<PresentationOutcome, Never>?

    package init() {}

    /// Whether somebody waits.
    package var isOpen: Bool { waiting != nil }

    /// Opens a page and waits for how it ends.
    ///
    /// - Parameter open: shows the page; answers at once when there is none to wait for.
    package func outcome(opening open: () -> PresentationOutcome?) async -> PresentationOutcome {
        await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<PresentationOutcome, Never>) in
                guard waiting == nil else {
                    return continuation.resume(returning: .failed("this presenter is showing a page already"))
                }
                guard !Task.isCancelled else { return continuation.resume(returning: .cancelled) }
                waiting = continuation
                if let outcome = open() { finish(outcome) }
            }
        } onCancel: {
            Task { @MainActor in self.finish(.cancelled) }
        }
    }

    package func finish(_ outcome: PresentationOutcome) {
        waiting?.resume(returning: outcome)
        waiting = nil
    }
}

/// Reports when its page is released, so that no login waits for a discarded page.
package final class PageEnding: Sendable {
    private let action: @MainActor @Sendable () -> Void

    package init(_ action: @escaping @MainActor @Sendable () -> Void) { self.action = action }

    deinit {
        let action = action
        Task { @MainActor in action() }
    }
}

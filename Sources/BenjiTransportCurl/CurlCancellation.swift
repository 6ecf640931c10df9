import BenjiClient
import CCurl

/// Lets any thread end a transfer that waits in another.
final class CurlCancellation: Sendable {
    private struct State {
        var isCancelled = false
        /// The multi handle that the transfer waits in. Set only while it may be woken.
        var channel: UnsafeMutableRawPointer?
    }

    private let state = Locked(State())

    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    func cancel() {
        state.withLock { state in
            state.isCancelled = true
            if let channel = state.channel { curl_multi_wakeup(channel) }
        }
    }

    /// `nil` before the transfer gives the handle back: a wake-up must never reach a handle that is gone.
    func wakes(_ channel: UnsafeMutableRawPointer?) { state.withLock { $0.channel = channel } }
}

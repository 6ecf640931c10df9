import CCurl

/// Multi handles, each with its own connections, lent to one transfer at a time.
///
/// libcurl cannot share connections between threads safely, but a handle may move from one thread to another; so a
/// transfer takes a whole handle and gives it back.
final class CurlChannelPool: Sendable {
    private let idle = Locked<[UnsafeMutableRawPointer]>([])
    private let greatestIdle: Int

    init(greatestIdle: Int) {
        self.greatestIdle = greatestIdle
        _ = Self.libraryIsReady
    }

    deinit { for channel in idle.withLock({ $0 }) { curl_multi_cleanup(channel) } }

    /// `nil` when there is no memory.
    func take() -> UnsafeMutableRawPointer? {
        guard Self.libraryIsReady else { return nil }
        return idle.withLock { $0.popLast() } ?? curl_multi_init()
    }

    /// Takes a channel back; no transfer may be in it.
    func give(_ channel: UnsafeMutableRawPointer) {
        let kept = idle.withLock { idle in
            guard idle.count < greatestIdle else { return false }
            idle.append(channel)
            return true
        }
        if !kept { curl_multi_cleanup(channel) }
    }

    /// Once a process, before any handle is made.
    private static let libraryIsReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK
}

import BenjiClient
import BenjiProtocol
import CCurl

/// A multi handle with its connections.
struct CurlChannel {
    let multi: UnsafeMutableRawPointer
    /// The address that its kept connection left by; `nil` when it has none yet.
    var localAddress: InternetAddress?

    /// Whether the kept connection can still carry an exchange. Once its address is gone from the machine, bytes sent
    /// over it are lost, and only a time-out would show that.
    var isUsable: Bool { localAddress.map { SocketAddress($0, port: 0).isOurs } ?? true }
}

/// Multi handles, each with its own connections, lent to one transfer at a time.
///
/// libcurl cannot share connections between threads safely, but a handle may move from one thread to another. So a
/// transfer takes a whole handle and gives it back.
///
/// `CurlChannel` is not `Sendable` by itself: its handle belongs to the transfer that took it, and to none while idle.
final class CurlChannelPool: Sendable {
    private let idle = Locked<[CurlChannel]>([])
    private let maximumIdle: Int

    init(maximumIdle: Int) {
        self.maximumIdle = maximumIdle
        _ = Self.libraryIsReady
    }

    deinit { for channel in idle.withLock({ $0 }) { curl_multi_cleanup(channel.multi) } }

    /// One whose connections are of use, or a new one; `nil` when there is no memory.
    func take() -> CurlChannel? {
        guard Self.libraryIsReady else { return nil }
        while let channel = idle.withLock({ $0.popLast() }) {
            if channel.isUsable { return channel }
            curl_multi_cleanup(channel.multi)
        }
        return curl_multi_init().map { CurlChannel(multi: $0) }
    }

    /// Takes a channel back; no transfer may be in it.
    func give(_ channel: CurlChannel) {
        let kept = idle.withLock { idle in
            guard idle.count < maximumIdle else { return false }
            idle.append(channel)
            return true
        }
        if !kept { curl_multi_cleanup(channel.multi) }
    }

    /// Once a process, before any handle is made.
    private static let libraryIsReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK
}

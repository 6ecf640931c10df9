import Foundation
import Glibc
import Processes
import Synchronization

/// A connection to the datagram socket of a syslog daemon of this machine. A daemon that starts again makes another
/// socket, and the messages that it had not read are lost; ``state`` reports that. No call waits.
final class SyslogSocket: Sendable {
    /// The longest path that a socket can have, in bytes.
    static let maximumPath = 107
    /// The request for the number of sent bytes that the receiver has not read (`SIOCOUTQ`).
    private static let unreadBytes: UInt = 0x5411

    let path: String
    private let connection = Mutex<Connection?>(nil)

    private struct Connection {
        var descriptor: Int32
        /// Of the socket that it leads to.
        var file: FileVersion
    }

    init(path: String) { self.path = path }

    deinit { connection.withLock { if let descriptor = $0?.descriptor { close(descriptor) } } }

    /// Why nothing takes messages here; `nil` if something does.
    var problem: String? { send([]).problem }

    /// The state of all messages that were sent.
    enum State {
        case read
        /// The daemon has not read all of it.
        case unread
        /// The daemon's socket is gone, or nothing was sent. Perhaps not all of it was read.
        case lost
    }

    var state: State {
        connection.withLock { connection in
            guard let now = connection else { return .lost }
            var count: Int32 = 0
            // If the system does not support the request, all bytes count as read.
            let isUnread = ioctl(now.descriptor, Self.unreadBytes, &count) == 0 && count > 0
            // Examined last: unread bytes disappear with their socket, and then look as if they were read.
            guard isThere(now) else {
                close(now.descriptor)
                connection = nil
                return .lost
            }
            return isUnread ? .unread : .read
        }
    }

    /// Whether the socket of a connection still exists. Another socket at the same path does not count.
    private func isThere(_ connection: Connection) -> Bool {
        guard FileVersion(path) == connection.file, let probe = open() else { return false }
        defer { close(probe) }
        return connect(probe) == 0
    }

    /// How many messages are done with, and why not all.
    struct Outcome: Sendable {
        /// Messages that the socket has taken, or that were passed over.
        var count = 0
        /// The places of messages that were passed over, because the socket takes none of their size.
        var tooLong: [Int] = []
        /// `nil` too if the daemon has taken some, and has no room for more yet.
        var problem: String?
    }

    /// Sends messages in their order, up to the first that is not taken. Connects if it is not connected.
    func send(_ messages: [[UInt8]]) -> Outcome {
        connection.withLock { connection in
            var outcome = Outcome()
            if connection == nil {
                // Read before connecting, so that a socket that replaces this one meanwhile counts as another one.
                guard let file = FileVersion(path), let descriptor = open() else {
                    outcome.problem = Self.reason(errno)
                    return outcome
                }
                guard connect(descriptor) == 0 else {
                    outcome.problem = Self.reason(errno)
                    close(descriptor)
                    return outcome
                }
                connection = Connection(descriptor: descriptor, file: file)
            }
            guard let descriptor = connection?.descriptor else { return outcome }
            for message in messages {
                if Glibc.send(descriptor, message, message.count, 0) != message.count {
                    let code = errno
                    guard code == EMSGSIZE else {
                        if code != EAGAIN || outcome.count == 0 { outcome.problem = Self.reason(code) }
                        if code != EAGAIN {
                            close(descriptor)
                            connection = nil
                        }
                        return outcome
                    }
                    outcome.tooLong.append(outcome.count)
                }
                outcome.count += 1
            }
            return outcome
        }
    }

    private func open() -> Int32? {
        let kind = Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        let descriptor = socket(AF_UNIX, kind, 0)
        return descriptor < 0 ? nil : descriptor
    }

    private func connect(_ descriptor: Int32) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8.prefix(Self.maximumPath))
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }

    private static func reason(_ code: Int32) -> String {
        code == EAGAIN ? "the daemon does not read its socket" : String(cString: strerror(code)).lowercased()
    }
}

import Foundation

/// The destination of the log's bytes. No write waits for the reader, unless ``mayBlock`` is set.
package struct LogSink: Sendable {
    /// Writes as much as is taken at once. Returns the count, 0 if nothing is taken now, or ``lost`` without a reader.
    package var write: @Sendable (UnsafeRawBufferPointer) -> Int
    /// Waits until something may be taken again, and no longer than so.
    package var wait: @Sendable (Duration) -> Void
    /// Whether a write may wait all the same. Then no thread with other work writes.
    package var mayBlock = false

    package static let lost = -1
}

extension LogSink {
    package static let standardError = LogSink(descriptor: STDERR_FILENO)

    package init(descriptor: Int32) {
        var status = stat()
        let kind = fstat(descriptor, &status) == 0 ? status.st_mode & S_IFMT : 0
        switch kind {
        case S_IFSOCK:
            self.init(
                write: { bytes in
                    Self.taken(bytes.count) { send(descriptor, bytes.baseAddress, bytes.count, Self.flags) }
                },
                wait: { Self.poll(descriptor, $0) })
        case S_IFREG, S_IFBLK:
            // A full disk takes nothing, and is not told when it does.
            self.init(
                write: { bytes in
                    Self.taken(bytes.count) { Foundation.write(descriptor, bytes.baseAddress, bytes.count) }
                },
                wait: { usleep(UInt32($0 / .microseconds(1))) })
        default:
            // The flag that keeps a write from waiting belongs to the description, which other processes have too. So
            // this one is opened once more.
            let own = open("/proc/self/fd/\(descriptor)", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
            if own >= 0 {
                self.init(
                    write: { bytes in Self.taken(bytes.count) { Foundation.write(own, bytes.baseAddress, bytes.count) }
                    },
                    wait: { Self.poll(own, $0) })
            } else {
                self.init(blocking: descriptor)
            }
        }
    }

    /// For a pipe or terminal that other processes share. A write of one page waits only if another process fills it in
    /// between.
    package init(blocking descriptor: Int32) {
        self.init(
            write: { bytes in
                guard Self.isReady(descriptor, 0) else { return 0 }
                return Self.taken(bytes.count) {
                    Foundation.write(descriptor, bytes.baseAddress, min(bytes.count, 4096))
                }
            }, wait: { Self.poll(descriptor, $0) }, mayBlock: true)
    }

    #if canImport(Darwin)
    private static let flags = MSG_DONTWAIT
    #else
    private static let flags = Int32(MSG_DONTWAIT | MSG_NOSIGNAL)
    #endif

    /// Returns the result of a system call that writes so many bytes.
    private static func taken(_ count: Int, _ write: () -> Int) -> Int {
        while true {
            let written = write()
            if written >= 0 { return written }
            switch errno {
            case EINTR: continue
            case EAGAIN, ENOBUFS, ENOSPC, EDQUOT: return 0
            // There is no log.
            case EBADF: return count
            // A log without a reader stops nothing. It may have a reader again: a named pipe can be opened again.
            default: return lost
            }
        }
    }

    private static func isReady(_ descriptor: Int32, _ milliseconds: Int32) -> Bool {
        var asked = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        return Foundation.poll(&asked, 1, milliseconds) > 0
    }

    private static func poll(_ descriptor: Int32, _ patience: Duration) {
        // Also if it is reported as ready and takes nothing.
        usleep(2000)
        _ = isReady(descriptor, Int32(patience / .milliseconds(1)))
    }
}

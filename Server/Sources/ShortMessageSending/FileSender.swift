@_spi(Server) package import BenjiProtocol
package import ShortMessages

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Writes messages into a file instead of sending them, for a sandbox and for trying: a line of JSON for each, with
/// number and text. Only its owner may read the file, and a line is on the disk before the message counts as accepted.
package actor FileSender: ShortMessageSender {
    package nonisolated let name: String
    private let path: String
    private let clock: any WallClock
    private let random: any RandomSource
    private var fault: String?

    package init(name: String, path: String, clock: any WallClock, random: any RandomSource) {
        self.name = name
        self.path = path
        self.clock = clock
        self.random = random
    }

    package func trouble() async -> String? { fault.map { "\(name): \($0)" } }

    package func send(_ message: ShortMessage, before deadline: ContinuousClock.Instant) async -> SubmissionOutcome {
        let reference = Hexadecimal.encode(random.bytes(12))
        let line = JSON.object([
            "at": .integer(clock.now.milliseconds), "to": .string("+" + message.to.e164),
            "from": message.from.map { .string($0) }, "text": .string(message.text),
            "expiresAt": .integer(message.expiresAt.milliseconds), "reference": .string(reference),
        ])
        // Not through a link, and for its owner only, also if it was there before.
        let file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { return failed("cannot be opened") }
        defer { close(file) }
        // A device, such as /dev/null, would get these rights too.
        var about = stat()
        guard fstat(file, &about) == 0, about.st_mode & S_IFMT == S_IFREG else {
            fault = "\(path) is no regular file"
            return .notTaken(reason: .unavailable)
        }
        guard fchmod(file, 0o600) == 0 else { return failed("belongs to somebody else") }
        let bytes = Array(line.serialized) + [0x0a]
        let count = bytes.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
        guard count > 0 else { return failed("cannot be written") }
        guard count == bytes.count, fsync(file) == 0 else {
            _ = failed("cannot be written to the disk")
            return .unknown(by: name)
        }
        fault = nil
        return .accepted(by: name, reference: reference)
    }

    private func failed(_ words: String) -> SubmissionOutcome {
        fault = "\(path) \(words): \(String(cString: strerror(errno)).lowercased())"
        return .notTaken(reason: .unavailable)
    }
}

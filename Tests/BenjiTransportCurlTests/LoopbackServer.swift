import BenjiClient
import Foundation

/// A server on 127.0.0.1 that sends each connection the same bytes, however wrong, and notes what it saw.
///
/// `@unchecked Sendable`: `recorded` and `waiters` are used only under `lock`; the rest does not change after `init`.
final class LoopbackServer: @unchecked Sendable {
    enum Behaviour: Sendable {
        /// Reads one request, then sends these bytes and closes.
        case answer(String)
        /// Reads requests and answers each on the same connection, until the peer closes.
        case answerAndStay(String)
        /// Answers the first request with these bytes, reads a second one on the same connection and hangs up.
        case answerOnceThenHangUp(String)
        /// Reads one request, sends these bytes and then nothing more, until the peer closes.
        case stall(String)
        /// Sends these bytes without waiting for a request, and closes.
        case speakFirst(String)
        /// Keeps its port and does not listen.
        case refuse
    }

    struct Connection: Sendable {
        /// The peer's address and port, as accepted.
        var peer: String
        var request: String
        /// Set when the peer has closed its end.
        var isClosed = false
        /// Set when the server has closed its end.
        var hasSaidAll = false
    }

    private struct Waiter {
        let condition: @Sendable ([Connection]) -> Bool
        let continuation: CheckedContinuation<Void, Never>
    }

    let port: UInt16
    private let listener: Int32
    private let behaviour: Behaviour
    private let lock = NSLock()
    private var recorded: [Connection] = []
    private var waiters: [Waiter] = []

    init(_ behaviour: Behaviour) throws {
        self.behaviour = behaviour
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = listener
        let listens = if case .refuse = behaviour { false } else { true }
        let bound = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(descriptor, pointer, length) == 0 && (!listens || listen(descriptor, 16) == 0)
                    && getsockname(descriptor, pointer, &length) == 0
            }
        }
        guard bound else { throw POSIXError(.EADDRINUSE) }
        port = UInt16(bigEndian: address.sin_port)
        if listens { Thread { [self] in acceptAll() }.start() }
    }

    /// Ends the accepting thread; connections end with their peers.
    func stop() {
        if case .refuse = behaviour { close(listener) } else { shutdown(listener, Int32(SHUT_RDWR)) }
    }

    var url: ServerURL {
        get throws { try ServerURL("http://127.0.0.1:\(port)/device?x=1") }
    }

    var connections: [Connection] { lock.withLock { recorded } }

    /// Returns once `condition` holds.
    func wait(until condition: @escaping @Sendable ([Connection]) -> Bool) async {
        await withCheckedContinuation { continuation in
            let holds = lock.withLock {
                if condition(recorded) { return true }
                waiters.append(Waiter(condition: condition, continuation: continuation))
                return false
            }
            if holds { continuation.resume() }
        }
    }

    /// Records an event, and resumes the waits that it ends.
    private func record<Result>(_ event: (inout [Connection]) -> Result) -> Result {
        let (result, due) = lock.withLock {
            let result = event(&recorded)
            let due = waiters.filter { $0.condition(recorded) }
            waiters.removeAll { $0.condition(recorded) }
            return (result, due)
        }
        for waiter in due { waiter.continuation.resume() }
        return result
    }

    private func acceptAll() {
        while true {
            var address = sockaddr_in()
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let connection = withUnsafeMutablePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { accept(listener, $0, &length) }
            }
            guard connection >= 0 else {
                close(listener)
                return
            }
            let octets = withUnsafeBytes(of: address.sin_addr.s_addr) { $0.map(String.init).joined(separator: ".") }
            let index = record {
                $0.append(Connection(peer: octets, request: ""))
                return $0.count - 1
            }
            Thread { [self] in serve(connection, index) }.start()
        }
    }

    private func serve(_ connection: Int32, _ index: Int) {
        defer { close(connection) }
        if case .speakFirst(let text) = behaviour {
            write(text, to: connection)
            return
        }
        var count = 0
        while let request = readRequest(connection) {
            record { $0[index].request += request }
            count += 1
            switch behaviour {
            case .answer(let text):
                write(text, to: connection)
                shutdown(connection, Int32(SHUT_WR))
                record { $0[index].hasSaidAll = true }
            case .answerOnceThenHangUp(let text):
                if count > 1 { return }
                write(text, to: connection)
            case .answerAndStay(let text), .stall(let text): write(text, to: connection)
            case .speakFirst, .refuse: break
            }
        }
        record { $0[index].isClosed = true }
    }

    /// A head and the content that its length announces; `nil` when the peer has closed.
    private func readRequest(_ connection: Int32) -> String? {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 4096)
        while true {
            let text = String(decoding: bytes, as: UTF8.self)
            if let head = text.range(of: "\r\n\r\n") {
                let marker = text.range(of: "Content-Length: ")
                let digits = marker.map { text[$0.upperBound...].prefix { $0.isNumber } } ?? "0"
                if text[head.upperBound...].utf8.count >= Int(digits) ?? 0 { return text }
            }
            let count = recv(connection, &piece, piece.count, 0)
            guard count > 0 else { return nil }
            bytes += piece[..<count]
        }
    }

    private func write(_ text: String, to connection: Int32) {
        let bytes = Array(text.utf8)
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            sent += count
        }
    }
}

import BenchmarkSupport
import Foundation
import Synchronization

/// Sends requests over many connections, each of which waits for its answer, and remembers which were answered as
/// hoped. It needs more processor time than wrk, but knows the outcome of each request.
struct Witness {
    var port: UInt16
    var path: String
    var type = "application/json"
    /// A text that only the answer to an accepted request holds.
    var marker: String
    var connections: Int
    var core: Int

    private final class Tally: Sendable {
        let state = Mutex((next: 0, accepted: [Int](), running: 0, isKilled: false))
    }

    /// - Parameter kill: Called once half of the requests are accepted, before the connection with the last of them
    ///   goes on. So the load is not over then, however late other threads run.
    /// - Returns: the positions of those that were accepted, and the seconds that all took.
    func run(_ bodies: [String], kill: (() -> Void)? = nil) throws -> (accepted: [Int], seconds: Double) {
        let tally = Tally()
        let lanes = min(connections, bodies.count)
        tally.state.withLock { $0.running = lanes }
        let requests = bodies.map(request)
        // Called by one thread, while this one waits.
        nonisolated(unsafe) let kill = kill
        let start = ContinuousClock.now
        try Cores.pinned(to: core) { () throws(BenchmarkFailure) in
            // All of them connect before one sends: none comes after the kill.
            let connections = try (0..<lanes).map { _ throws(BenchmarkFailure) in try HTTPConnection(port: port) }
            for connection in connections {
                Thread { [marker] in
                    while true {
                        let index = tally.state.withLock { state in
                            defer { state.next += 1 }
                            return state.next
                        }
                        guard index < requests.count, let answer = connection.exchange(requests[index]) else { break }
                        guard answer.contains(marker) else { continue }
                        let isHalf = tally.state.withLock { state in
                            state.accepted.append(index)
                            guard !state.isKilled, state.accepted.count * 2 >= requests.count else { return false }
                            state.isKilled = true
                            return true
                        }
                        if isHalf { kill?() }
                    }
                    tally.state.withLock { $0.running -= 1 }
                }.start()
            }
        }
        while tally.state.withLock({ $0.running }) > 0 { usleep(500) }
        return (tally.state.withLock { $0.accepted }, (ContinuousClock.now - start).inSeconds)
    }

    private func request(_ body: String) -> [UInt8] {
        let head = "POST \(path) HTTP/1.1\r\nHost: localhost\r\nContent-Type: \(type)\r\n"
        return Array((head + "Content-Length: \(body.utf8.count)\r\n\r\n" + body).utf8)
    }
}

/// A connection that stays open, on which one request at a time waits for its answer.
final class HTTPConnection: @unchecked Sendable {  // one thread has it at a time
    private let socket: Int32
    private var piece = [UInt8](repeating: 0, count: 65_536)

    init(port: UInt16) throws(BenchmarkFailure) {
        socket = try Loopback.connect(.stream, port: port)
        var patience = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(socket) }

    /// The answer, head and content; `nil` if the connection ended before all of it was there.
    func exchange(_ request: [UInt8]) -> String? {
        guard send(socket, request, request.count, Int32(MSG_NOSIGNAL)) == request.count else { return nil }
        var answer: [UInt8] = []
        while true {
            let count = recv(socket, &piece, piece.count, 0)
            guard count > 0 else { return nil }
            answer += piece[..<count]
            let text = String(decoding: answer, as: UTF8.self)
            guard let head = text.range(of: "\r\n\r\n") else { continue }
            let lines = text[..<head.lowerBound].lowercased().split(separator: "\r\n")
            let length = lines.first { $0.hasPrefix("content-length:") }.flatMap {
                Int($0.dropFirst(15).drop { $0 == " " })
            }
            if text[head.upperBound...].utf8.count >= length ?? 0 { return text }
        }
    }
}

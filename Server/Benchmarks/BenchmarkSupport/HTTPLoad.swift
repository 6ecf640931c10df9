package import BenjiProtocol
import Glibc

/// Sends requests that were made before, so many at the same time, each when its connection has its last answer.
///
/// One thread waits for all connections, and reads nothing of an answer before all have come. So the server never waits
/// for this side's work.
package final class HTTPLoad {
    package struct Request {
        var bytes: [UInt8]
        /// Where a phone sends it from, on a connection of its own; `nil` for the kept connection of a server.
        var source: InternetAddress?

        /// - Parameter headers: lines without their ends.
        package init(_ path: String, headers: [String] = [], body: [UInt8], source: InternetAddress? = nil) {
            var lines = ["\(body.isEmpty ? "GET" : "POST") \(path) HTTP/1.1", "Host: 127.0.0.1"] + headers
            if !body.isEmpty { lines += ["Content-Type: application/json", "Content-Length: \(body.count)"] }
            if source != nil { lines.append("Connection: close") }
            bytes = Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body
            self.source = source
        }
    }

    private struct Lane {
        var socket: Int32 = -1
        /// The request whose answer it waits for.
        var request: Int?
        var answer: [UInt8] = []
    }

    private let ports: [UInt16]
    private var lanes: [Lane]
    private var piece = [UInt8](repeating: 0, count: 65_536)

    package convenience init(port: UInt16, connections: Int) { self.init(ports: [port], connections: connections) }

    /// - Parameter ports: servers among which the connections are divided, one after the other, as a balancer gives
    ///   them.
    package init(ports: [UInt16], connections: Int) {
        self.ports = ports
        lanes = Array(repeating: Lane(), count: max(connections, ports.count))
    }

    deinit { for lane in lanes where lane.socket >= 0 { close(lane.socket) } }

    /// Connects and awaits one answer, of any kind, on each connection, so that the load measures no connecting.
    package func open() throws { _ = try exchange(lanes.map { _ in Request("/", body: []) }, accepting: "http/1.1 ") }

    /// Sends all and returns the contents of the answers, in the requests' order.
    /// - Parameters:
    ///   - beginning: how each answer must begin, in small letters.
    ///   - rate: how many are sent a second, if a connection is free then; `nil` for as many as are answered.
    /// - Throws: ``BenchmarkFailure`` for any other answer, and if nothing comes for ten seconds.
    package func exchange(
        _ requests: [Request], accepting beginning: String = "http/1.1 200", perSecond rate: Double? = nil
    ) throws -> [[UInt8]] {
        var contents = [[UInt8]](repeating: [], count: requests.count)
        var (next, answered) = (0, 0)
        let start = ContinuousClock.now
        var lastAnswer = start
        /// Seconds until the next one is to be sent.
        func untilDue() -> Double { rate.map { Double(next) / $0 - (ContinuousClock.now - start).inSeconds } ?? 0 }
        while answered < requests.count {
            // From another connection each time, so that all are used where few would do.
            let first = next
            for lane in lanes.indices.map({ (first + $0) % lanes.count }) where lanes[lane].request == nil {
                guard next < requests.count, untilDue() <= 0 else { break }
                try send(requests[next], next, in: lane)
                next += 1
            }
            var waiting = lanes.map {
                pollfd(fd: $0.request == nil ? -1 : $0.socket, events: Int16(POLLIN), revents: 0)
            }
            let isIdle = next < requests.count && lanes.contains { $0.request == nil }
            let patience = isIdle ? Int32(max(untilDue(), 0) * 1000) + 1 : 10_000
            guard poll(&waiting, nfds_t(waiting.count), patience) > 0 else {
                if isIdle, ContinuousClock.now - lastAnswer < .seconds(10) { continue }
                throw BenchmarkFailure("\(requests.count - answered) of \(requests.count) requests have no answer")
            }
            lastAnswer = .now
            for lane in lanes.indices where waiting[lane].revents != 0 {
                guard let content = try receive(in: lane, beginning), let request = lanes[lane].request else {
                    continue
                }
                contents[request] = content
                answered += 1
                lanes[lane].request = nil
                lanes[lane].answer.removeAll(keepingCapacity: true)
                if requests[request].source != nil { disconnect(lane) }
            }
        }
        return contents
    }

    private func disconnect(_ lane: Int) {
        close(lanes[lane].socket)
        lanes[lane].socket = -1
    }

    private func send(_ request: Request, _ number: Int, in lane: Int) throws {
        if lanes[lane].socket < 0 {
            let source = request.source.map { $0.bytes.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } }
            lanes[lane].socket = try Loopback.connect(.stream, port: ports[lane % ports.count], from: source)
            var yes: Int32 = 1
            setsockopt(lanes[lane].socket, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
        }
        // A request is smaller than the socket's buffer, so it leaves whole.
        let sent = Glibc.send(lanes[lane].socket, request.bytes, request.bytes.count, Int32(MSG_NOSIGNAL))
        guard sent == request.bytes.count else { throw BenchmarkFailure("a connection was lost before a request") }
        lanes[lane].request = number
    }

    /// Reads the available bytes; returns the answer's content when it is complete.
    private func receive(in lane: Int, _ beginning: String) throws -> [UInt8]? {
        let count = recv(lanes[lane].socket, &piece, piece.count, 0)
        guard count > 0 else {
            let reason = count == 0 ? "closed" : String(cString: strerror(errno))
            throw BenchmarkFailure("a connection ended before its answer (\(reason))")
        }
        lanes[lane].answer += piece[..<count]
        let answer = lanes[lane].answer
        guard let end = Self.end(ofHeadIn: answer) else { return nil }
        let head = String(decoding: answer[..<end], as: UTF8.self).lowercased()
        let length = head.split(separator: "\r\n").first { $0.hasPrefix("content-length:") }?.dropFirst(15)
        guard let length = length.flatMap({ Int($0.filter { $0 != " " }) }) else {
            throw BenchmarkFailure("an answer does not say how long it is")
        }
        guard answer.count >= end + length else { return nil }
        guard head.hasPrefix(beginning) else {
            throw BenchmarkFailure(
                "a request is refused: \(String(decoding: answer[end...].prefix(300), as: UTF8.self))")
        }
        return Array(answer[end...])
    }

    private static func end(ofHeadIn answer: [UInt8]) -> Int? {
        guard answer.count > 3 else { return nil }
        return (3..<answer.count).first { answer[($0 - 3)...$0].elementsEqual([13, 10, 13, 10]) }.map { $0 + 1 }
    }
}

import CBenchmarkSystem
import Glibc

/// Sends requests as fast as they are answered, with a bound on those that wait for their answer.
///
/// Many packets go with one system call. When there is nothing to do, it sleeps for a moment instead of waiting for the
/// next packet. So no contestant pays for waking it.
package final class PacketSender {
    package struct Exchange {
        package var seconds: Double
        /// Packets that were sent again because no answer came within a second.
        package var repeated: Int
    }

    /// One socket, and which request waits under which identifier.
    private struct Lane {
        let socket: Int32
        var waiting = [Int](repeating: -1, count: 256)
        var underWay = 0
        /// The next request of this lane, counted in the lane.
        var next = 0
    }

    private var lanes: [Lane] = []
    private let window: Int
    private static let burst = 64
    private static let room = 4096
    private let arrivals = UnsafeMutableRawPointer.allocate(byteCount: burst * room, alignment: 8)
    private var datagrams = [benchmark_datagram](repeating: .init(bytes: nil, length: 0), count: burst)

    /// - Parameter window: packets under way, over all sockets; at most 256 a socket.
    package init(port: UInt16, sockets: Int, window: Int) throws {
        self.window = min(max(window / sockets, 1), 256)
        for _ in 0..<sockets {
            let socket = try Loopback.connect(.datagram, port: port)
            var size: Int32 = 4 << 20
            setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
            lanes.append(Lane(socket: socket))
        }
    }

    deinit {
        for lane in lanes { close(lane.socket) }
        arrivals.deallocate()
    }

    /// Sends all and returns when each has its right answer.
    /// - Throws: ``BenchmarkFailure`` for an answer that is not right, and for a request that gets none though it is
    ///   repeated.
    package func exchange(_ packets: Packets) throws -> Exchange {
        begin(packets)
        var (answered, repeated, patience) = (0, 0, 5)
        let start = ContinuousClock.now
        var lastArrival = start
        while answered < packets.count {
            var moved = 0
            for lane in lanes.indices {
                moved += try packets.withRequests { try send(packets, at: $0, lane) }
                let arrived = try receive(packets, lane)
                answered += arrived.answered
                moved += arrived.count
                if arrived.answered > 0 { (lastArrival, patience) = (ContinuousClock.now, 5) }
            }
            guard moved == 0 else { continue }
            usleep(20)
            guard ContinuousClock.now - lastArrival > .seconds(1) else { continue }
            patience -= 1
            guard patience > 0 else {
                throw BenchmarkFailure("\(packets.count - answered) of \(packets.count) packets are not answered")
            }
            for lane in lanes.indices { repeated += try packets.withRequests { try sendAgain(packets, at: $0, lane) } }
            lastArrival = ContinuousClock.now
        }
        let seconds = (ContinuousClock.now - start).inSeconds
        if repeated > 0 { try drain(packets) }
        return Exchange(seconds: seconds, repeated: repeated)
    }

    /// Sends packets and calls `kill` when half of them are answered. Nothing can be sent afterwards.
    /// - Returns: those that have their right answer.
    package func exchange(_ packets: Packets, killing kill: () -> Void) throws -> [Int] {
        begin(packets)
        var (answered, isKilled, lastArrival) = (0, false, ContinuousClock.now)
        while answered < packets.count, ContinuousClock.now - lastArrival < .seconds(isKilled ? 0.2 : 5) {
            for lane in lanes.indices {
                if !isKilled { _ = try packets.withRequests { try send(packets, at: $0, lane) } }
                // The receiver may be gone. Answers on their way still count.
                guard let arrived = try? receive(packets, lane), arrived.count > 0 else { continue }
                answered += arrived.answered
                lastArrival = ContinuousClock.now
            }
            if !isKilled, answered * 2 >= packets.count {
                kill()
                (isKilled, lastArrival) = (true, ContinuousClock.now)
            }
        }
        let waiting = Set(lanes.flatMap(\.waiting))
        return (0..<packets.count).filter { index in
            index / lanes.count < lanes[index % lanes.count].next && !waiting.contains(index)
        }
    }

    private func begin(_ packets: Packets) {
        precondition(packets.sockets == lanes.count)
        for index in lanes.indices {
            lanes[index].next = 0
            lanes[index].waiting = [Int](repeating: -1, count: 256)
        }
    }

    /// Lets second answers to packets that were sent twice come and go, before identifiers are used again.
    private func drain(_ packets: Packets) throws {
        usleep(1_200_000)
        for lane in lanes.indices { while try receive(packets, lane).count > 0 {} }
    }

    private func send(_ packets: Packets, at requests: UnsafeMutableRawPointer, _ number: Int) throws -> Int {
        var count = 0
        while count < min(Self.burst, window - lanes[number].underWay) {
            let position = lanes[number].next + count
            let index = position * lanes.count + number
            guard index < packets.count, lanes[number].waiting[position & 255] < 0 else { break }
            let range = packets.range(of: index)
            datagrams[count] = benchmark_datagram(bytes: requests + range.lowerBound, length: range.count)
            count += 1
        }
        guard count > 0 else { return 0 }
        let sent = Int(benchmark_send(lanes[number].socket, datagrams, Int32(count)))
        if sent < 0 {
            guard [EAGAIN, ENOBUFS].contains(Int32(-sent)) else { throw Self.failure(-sent) }
            return 0
        }
        for position in lanes[number].next..<(lanes[number].next + sent) {
            lanes[number].waiting[position & 255] = position * lanes.count + number
        }
        lanes[number].next += sent
        lanes[number].underWay += sent
        return sent
    }

    private func receive(_ packets: Packets, _ number: Int) throws -> (count: Int, answered: Int) {
        for index in 0..<Self.burst {
            datagrams[index] = benchmark_datagram(bytes: arrivals + index * Self.room, length: Self.room)
        }
        let count = Int(benchmark_receive(lanes[number].socket, &datagrams, Int32(Self.burst)))
        if count < 0 {
            guard Int32(-count) == EAGAIN else { throw Self.failure(-count) }
            return (0, 0)
        }
        var answered = 0
        for index in 0..<count {
            let bytes = UnsafeRawBufferPointer(start: arrivals + index * Self.room, count: datagrams[index].length)
            guard bytes.count >= Packets.answerLength else { throw BenchmarkFailure("an answer is too short") }
            let identifier = Int(bytes[1])
            let request = lanes[number].waiting[identifier]
            // A second answer to a packet that was sent twice.
            guard request >= 0 else { continue }
            guard packets.isAnswer(bytes, to: request) else {
                throw BenchmarkFailure("an answer is not signed as it must be")
            }
            lanes[number].waiting[identifier] = -1
            lanes[number].underWay -= 1
            answered += 1
        }
        return (count, answered)
    }

    private func sendAgain(_ packets: Packets, at requests: UnsafeMutableRawPointer, _ number: Int) throws -> Int {
        let waiting = lanes[number].waiting.filter { $0 >= 0 }
        for index in waiting {
            let range = packets.range(of: index)
            var datagram = benchmark_datagram(bytes: requests + range.lowerBound, length: range.count)
            let sent = Int(benchmark_send(lanes[number].socket, &datagram, 1))
            guard sent >= 0 || Int32(-sent) == EAGAIN else { throw Self.failure(-sent) }
        }
        return waiting.count
    }

    private static func failure(_ code: Int) -> BenchmarkFailure {
        BenchmarkFailure("the contestant's socket: \(String(cString: strerror(Int32(code))))")
    }
}

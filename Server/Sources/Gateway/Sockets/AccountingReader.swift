@_spi(Server) import BenjiProtocol
import CDatagrams
import Glibc
import NIOConcurrencyHelpers
import NIOCore

/// Reads the accounting sockets on a thread of its own, and puts packets into the queue.
final class AccountingReader: Sendable {
    private let sockets: [AccountingSocket]
    private let queue: DatagramQueue
    private let observer: AccountingListener.Observer
    /// A pipe that wakes the thread: its end to read and its end to write.
    private let alarm: (heard: Int32, rung: Int32)
    private let isStopped = NIOLockedValueBox(false)

    /// Reads of one socket before the others have their turn.
    private static let turn = 16

    init(
        _ sockets: [AccountingSocket], queue: DatagramQueue, observer: AccountingListener.Observer
    ) throws {
        (self.sockets, self.queue, self.observer) = (sockets, queue, observer)
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw IOError(errnoCode: errno, reason: "pipe") }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        alarm = (ends[0], ends[1])
    }

    /// Asks the kernel what it dropped, soon.
    func look() { ring() }

    /// Lets ``run()`` end soon.
    func stop() {
        isStopped.withLockedValue { $0 = true }
        ring()
    }

    private func ring() {
        // A full pipe wakes it as well.
        _ = write(alarm.rung, [1], 1)
    }

    /// After ``run()`` has ended.
    func close() {
        Glibc.close(alarm.heard)
        Glibc.close(alarm.rung)
    }

    /// Reads until ``stop()``.
    func run() {
        var lanes = sockets.map { Lane($0) }
        var events = sockets.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
        events.append(pollfd(fd: alarm.heard, events: Int16(POLLIN), revents: 0))
        let room = UnsafeMutableRawBufferPointer.allocate(
            byteCount: Int(DATAGRAMS_MOST_READ) * Int(DATAGRAMS_ROOM), alignment: 64)
        defer { room.deallocate() }
        while true {
            guard poll(&events, nfds_t(events.count), -1) >= 0 else { continue }
            if events[sockets.count].revents != 0 {
                var rings = [UInt8](repeating: 0, count: 64)
                _ = read(alarm.heard, &rings, rings.count)
                if isStopped.withLockedValue({ $0 }) { return }
                for index in lanes.indices { look(&lanes[index]) }
            }
            for index in lanes.indices where events[index].revents != 0 {
                for _ in 0..<Self.turn {
                    guard receive(&lanes[index], number: index, room) == Int(DATAGRAMS_MOST_READ) else { break }
                }
            }
        }
    }

    /// A socket, and what its reader knows.
    private struct Lane {
        let socket: AccountingSocket
        var watch: DropWatch
        /// The buffer memory of packets read since the kernel was last asked. It assumes more than any network driver
        /// takes for a packet.
        var read = 0
        var arrivals = [datagrams_arrival](repeating: .init(), count: Int(DATAGRAMS_MOST_READ))
        /// The source that was asked about last, and whether it is known.
        var last: (source: InternetAddress, isKnown: Bool)?

        init(_ socket: AccountingSocket) {
            self.socket = socket
            // Read first, so that nothing which is dropped meanwhile is missed.
            let errors = AccountingSocket.systemErrors()
            watch = DropWatch(hasFilter: socket.filterProblem == nil, drops: 0, errors: errors)
        }
    }

    private static let maximumOverhead = 8192

    private func look(_ lane: inout Lane) {
        guard let state = lane.socket.state else { return }
        let seen = lane.watch.look(state, read: lane.read, readErrors: AccountingSocket.systemErrors)
        lane.read = 0
        if seen != DropWatch.Look() { observer.dropped(seen) }
    }

    /// Reads what waits, as much as one call brings. Answers how many packets came.
    private func receive(_ lane: inout Lane, number: Int, _ room: UnsafeMutableRawBufferPointer) -> Int {
        let start = room.baseAddress?.assumingMemoryBound(to: UInt8.self)
        let count = Int(datagrams_receive(lane.socket.descriptor, start, &lane.arrivals))
        // Earlier answers that could not be delivered (ICMP) are told here. The socket stays open.
        guard count > 0 else { return 0 }
        var burst = DatagramBatch()
        for index in 0..<count {
            let arrival = lane.arrivals[index]
            lane.read += Self.maximumOverhead + 2 * Int(arrival.length)
            guard let source = InternetAddress(arrival.peer) else { continue }
            // An unknown sender's flood must not fill the queue. Each of its packets is counted.
            if lane.last?.source != source || lane.last?.isKnown == false {
                lane.last = (source, observer.isKnown(source))
            }
            guard lane.last?.isKnown == true else { continue }
            let place = Int(arrival.offset)..<(Int(arrival.offset) + Int(arrival.length))
            burst.append(
                UnsafeRawBufferPointer(rebasing: room[place]), from: source, port: arrival.peer.port, socket: number)
        }
        // Before the queue has the packets: none that came after a loss may count as heard before it.
        look(&lane)
        guard !burst.isEmpty else { return count }
        let shed = queue.offer(burst)
        if !shed.isEmpty { observer.shed(shed) }
        return count
    }
}

extension InternetAddress {
    fileprivate init?(_ peer: datagrams_peer) {
        let bytes = peer.address
        guard peer.is_v6 != 0 else {
            self.init(
                v4Value: UInt32(bytes.0) << 24 | UInt32(bytes.1) << 16 | UInt32(bytes.2) << 8 | UInt32(bytes.3))
            return
        }
        self.init(bytes: withUnsafeBytes(of: bytes) { Array($0) })
    }
}

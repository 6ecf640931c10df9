@_spi(Server) import BenjiProtocol
import NIOCore
import Testing

@testable import Gateway

/// Packets between a socket and their processing.
struct DatagramTests {
    /// Packets of these numbers, each of its own source, port and length.
    private func packets(_ numbers: Range<Int>, connection: DatagramBatch.Connection? = nil) -> DatagramBatch {
        var batch = DatagramBatch()
        for number in numbers {
            let bytes = [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: number % 3)
            bytes.withUnsafeBytes {
                batch.append(
                    $0, from: InternetAddress(v4Value: UInt32(number)), port: UInt16(truncatingIfNeeded: number + 1),
                    socket: number + 2, connection: connection)
            }
        }
        return batch
    }

    /// The datagrams of a batch as text.
    private func words(_ batch: DatagramBatch?) -> [String]? {
        batch.map { batch in
            zip(batch.envelopes, batch.all).map { envelope, bytes in
                let way = envelope.connection.map { "\($0.number)/\($0.nas)" } ?? "-"
                return "\(envelope.source) \(envelope.port) \(envelope.socket) \(way) \(bytes)"
            }
        }
    }

    @Test(
        "a batch takes the first of another one's packets, as many as there is room for, with all that belongs to them")
    func appending() {
        let connection = DatagramBatch.Connection(number: 8, nas: 1)
        for held in [0, 1, 4] {
            for limit in 0...9 {
                var batch = packets(0..<held)
                let taken = min(max(limit - held, 0), 3)
                #expect(batch.append(packets(10..<13, connection: connection), upTo: limit) == taken)
                #expect(
                    words(batch)
                        == words(packets(0..<held))! + words(packets(10..<(10 + taken), connection: connection))!)
                #expect(batch.count == held + taken && batch.isEmpty == (held + taken == 0))
            }
        }
        var batch = packets(0..<2)
        #expect(batch.append(DatagramBatch(), upTo: 5) == 0 && batch.count == 2)
    }

    @Test("the first packets of a batch can be taken away, and the others stay as they are", arguments: 0...5)
    func removing(count: Int) {
        var batch = packets(0..<5, connection: .init(number: 8, nas: 1))
        batch.removeFirst(count)
        #expect(words(batch) == words(packets(count..<5, connection: .init(number: 8, nas: 1))))
    }

    @Test("a queue gives 1,024 packets at once at most, fills its last batch, and has room for what has been taken")
    func batches() async {
        let queue = DatagramQueue(limit: 3000)
        #expect(queue.offer(packets(0..<1000)).isEmpty)
        #expect(queue.offer(packets(1000..<2500)).isEmpty)
        let refused = queue.offer(packets(2500..<3002))
        #expect(refused == [3000, 3001].map { InternetAddress(v4Value: $0) })
        #expect(words(await queue.next()) == words(packets(0..<1024)))
        #expect(queue.offer(packets(3000..<4025)) == [InternetAddress(v4Value: 4024)])
        #expect(words(await queue.next()) == words(packets(1024..<2048)))
        #expect(words(await queue.next()) == words(packets(2048..<3072)))
        #expect(words(await queue.next()) == words(packets(3072..<4024)))
        #expect(queue.offer(packets(0..<1)).isEmpty)
        #expect(words(await queue.next()) == words(packets(0..<1)))
    }

    @Test("a queue that is woken gives nothing once, and a queue that has ended takes nothing and gives what it has")
    func ends() async {
        let queue = DatagramQueue(limit: 10)
        queue.wake()
        queue.wake()
        #expect(words(await queue.next()) == [])
        #expect(queue.offer(packets(0..<2)).isEmpty)
        queue.wake()
        #expect(words(await queue.next()) == words(packets(0..<2)), "what waits wakes as well")
        #expect(queue.offer(packets(0..<2)).isEmpty)
        queue.finish()
        #expect(queue.offer(packets(5..<7)) == [5, 6].map { InternetAddress(v4Value: $0) })
        #expect(words(await queue.next()) == words(packets(0..<2)))
        #expect(await queue.next() == nil)
        #expect(await queue.next() == nil)
    }

    /// The events that end the wait of a reader.
    enum Event: CaseIterable { case packets, wake, finish, cancel }

    @Test("a reader that waits goes on with whatever happens first", arguments: Event.allCases)
    func waiting(event: Event) async {
        let queue = DatagramQueue(limit: 10)
        let reader = Task { await queue.next() }
        // It may wait by now or not: both must end.
        await Task.yield()
        switch event {
        case .packets: #expect(queue.offer(packets(0..<1)).isEmpty)
        case .wake: queue.wake()
        case .finish: queue.finish()
        case .cancel: reader.cancel()
        }
        let expected: [String]? =
            switch event {
            case .packets: words(packets(0..<1))
            case .wake: []
            case .finish, .cancel: nil
            }
        #expect(words(await reader.value) == expected)
    }

    @Test("answers are counted by whatever they leave, and of a connection each packet has its reply, answered or not")
    func replies() {
        let datagram = packets(0..<1).envelopes[0]
        let through = packets(0..<1, connection: .init(number: 8, nas: 1)).envelopes[0]
        var answers = AnswerBatch()
        #expect(answers.count == 0 && !answers.hasDatagrams && answers.replies.isEmpty && answers.all.isEmpty)
        answers.bytes += [1, 2]
        answers.end(from: 0, to: through)
        answers.refuse(datagram, closes: true)
        answers.refuse(through, closes: true)
        answers.refuse(through, closes: false)
        #expect(answers.count == 1 && !answers.hasDatagrams)
        #expect(
            answers.replies == [
                .init(connection: 8, range: 0..<2, closes: false), .init(connection: 8, range: 0..<0, closes: true),
                .init(connection: 8, range: 0..<0, closes: false),
            ])
        answers.bytes += [3]
        answers.end(from: 2, to: datagram)
        #expect(answers.count == 2 && answers.hasDatagrams && answers.replies.count == 3)
        #expect(answers.all == [[3], [1, 2]])
        let burst = AnswerBatch.Burst(
            destination: .init(socket: 2, address: InternetAddress(v4Value: 0), port: 1), range: 0..<1, segment: 1)
        #expect(answers.ordered(limit: 64).bytes == [3] && answers.ordered(limit: 64).bursts == [burst])
        var sum = RadSecAnswers()
        #expect(sum.packets == 0 && !sum.closes && sum.bytes.readableBytes == 0)
        for (reply, closes) in zip(answers.replies, [false, true, true]) {
            sum.take(reply, of: answers.bytes)
            #expect(sum.closes == closes)
        }
        #expect(sum.packets == 3 && Array(sum.bytes.readableBytesView) == [1, 2])
    }
}

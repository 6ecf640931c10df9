import BenjiProtocol

/// Answers on their way out, one behind another in one piece of memory.
struct AnswerBatch: Sendable {
    struct Destination: Hashable, Sendable {
        /// Which of the listeners' sockets.
        let socket: Int
        let address: InternetAddress
        let port: UInt16
    }

    /// Answers of equal length to one destination, which can leave as one segmented datagram.
    struct Burst: Hashable, Sendable {
        let destination: Destination
        /// Where they lie in ``ordered()``'s bytes.
        var range: Range<Int>
        /// Bytes of each.
        let segment: Int
    }

    private struct Answer: Sendable {
        let destination: Destination
        let range: Range<Int>
    }

    /// The outcome of a packet that came through a connection.
    struct Reply: Hashable, Sendable {
        let connection: Int
        /// Where its answer lies in ``bytes``; empty if it gets none.
        let range: Range<Int>
        /// Whether the connection ends with it, so that the NAS sends unanswered packets through another one.
        let closes: Bool
    }

    /// The bytes of all answers. Append an answer, then call ``end(from:to:)``.
    var bytes: [UInt8] = []
    private var answers: [Answer] = []

    private(set) var replies: [Reply] = []

    /// Answers, by whatever they leave.
    private(set) var count = 0
    var hasDatagrams: Bool { !answers.isEmpty }

    /// Ends an answer that was written behind `start`.
    mutating func end(from start: Int, to envelope: DatagramBatch.Envelope) {
        count += 1
        if let connection = envelope.connection {
            replies.append(Reply(connection: connection.number, range: start..<bytes.count, closes: false))
            return
        }
        answers.append(
            Answer(
                destination: Destination(socket: envelope.socket, address: envelope.source, port: envelope.port),
                range: start..<bytes.count))
    }

    /// A packet gets no answer. Its connection, if it came through one, need not wait for it.
    mutating func refuse(_ envelope: DatagramBatch.Envelope, closes: Bool) {
        guard let connection = envelope.connection else { return }
        replies.append(Reply(connection: connection.number, range: 0..<0, closes: closes))
    }

    /// Each answer's bytes.
    var all: [[UInt8]] {
        (answers.map(\.range) + replies.map(\.range).filter { !$0.isEmpty }).map { Array(bytes[$0]) }
    }

    /// The answers in an order in which those that can leave together lie together.
    ///
    /// - Parameter limit: answers of one burst at most.
    func ordered(limit: Int) -> (bytes: [UInt8], bursts: [Burst]) {
        // Which answers go where; few destinations, mostly the one of the answer before.
        var places: [Group: Int] = [:]
        var groups: [(group: Group, count: Int)] = []
        var groupOf: [Int] = []
        groupOf.reserveCapacity(answers.count)
        for answer in answers {
            let group = Group(destination: answer.destination, segment: answer.range.count)
            if let last = groupOf.last, groups[last].group == group {
                groups[last].count += 1
                groupOf.append(last)
                continue
            }
            let place = places[group] ?? groups.count
            if place == groups.count {
                places[group] = place
                groups.append((group, 0))
            }
            groups[place].count += 1
            groupOf.append(place)
        }
        var starts: [Int] = []
        var end = 0
        var bursts: [Burst] = []
        for (group, count) in groups {
            starts.append(end)
            for first in stride(from: 0, to: count, by: limit) {
                let length = min(limit, count - first) * group.segment
                bursts.append(
                    Burst(destination: group.destination, range: end..<(end + length), segment: group.segment))
                end += length
            }
        }
        let ordered = [UInt8](unsafeUninitializedCapacity: end) { ordered, initialized in
            bytes.withUnsafeBufferPointer { bytes in
                for (answer, group) in zip(answers, groupOf) {
                    let place = starts[group]..<(starts[group] + answer.range.count)
                    _ = ordered.extracting(place).initialize(fromContentsOf: bytes.extracting(answer.range))
                    starts[group] = place.upperBound
                }
            }
            initialized = end
        }
        return (ordered, bursts)
    }

    private struct Group: Hashable {
        let destination: Destination
        let segment: Int
    }
}

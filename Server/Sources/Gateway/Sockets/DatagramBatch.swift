import BenjiProtocol

/// Packets as they came in, one behind another in one piece of memory.
struct DatagramBatch: Sendable {
    struct Envelope: Sendable {
        /// Where the packet lies in ``DatagramBatch/bytes``.
        let range: Range<Int>
        let source: InternetAddress
        let port: UInt16
        /// Which of the listeners' sockets it came through; of no meaning if it came through a connection.
        let socket: Int
        /// The connection that it came through; `nil` for a datagram.
        let connection: Connection?
    }

    /// A connection over TLS.
    struct Connection: Hashable, Sendable {
        /// No other connection of this process has it.
        let number: Int
        /// Index of the NAS that its certificate names.
        let nas: Int
    }

    private(set) var bytes: [UInt8] = []
    private(set) var envelopes: [Envelope] = []

    var count: Int { envelopes.count }
    var isEmpty: Bool { envelopes.isEmpty }

    mutating func append(
        _ packet: UnsafeRawBufferPointer, from source: InternetAddress, port: UInt16, socket: Int,
        connection: Connection? = nil
    ) {
        let start = bytes.count
        bytes.append(contentsOf: packet)
        envelopes.append(
            Envelope(range: start..<bytes.count, source: source, port: port, socket: socket, connection: connection))
    }

    /// Appends the first packets of another batch, as many as there is room for. Answers how many those are.
    mutating func append(_ other: DatagramBatch, upTo limit: Int) -> Int {
        let taken = min(max(limit - count, 0), other.count)
        if isEmpty, taken == other.count {
            self = other
            return taken
        }
        guard let last = other.envelopes.prefix(taken).last else { return 0 }
        let start = bytes.count
        bytes.append(contentsOf: other.bytes[..<last.range.upperBound])
        for envelope in other.envelopes.prefix(taken) {
            let range = (envelope.range.lowerBound + start)..<(envelope.range.upperBound + start)
            envelopes.append(
                Envelope(
                    range: range, source: envelope.source, port: envelope.port, socket: envelope.socket,
                    connection: envelope.connection))
        }
        return taken
    }

    /// Takes the first packets away.
    mutating func removeFirst(_ count: Int) {
        guard count > 0 else { return }
        var rest = DatagramBatch()
        for envelope in envelopes.dropFirst(count) {
            bytes.withUnsafeBytes {
                rest.append(
                    UnsafeRawBufferPointer(rebasing: $0[envelope.range]), from: envelope.source, port: envelope.port,
                    socket: envelope.socket, connection: envelope.connection)
            }
        }
        self = rest
    }
}

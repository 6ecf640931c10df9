/// Takes packets out of a byte stream (RFC 6613 §2.6). They follow each other without gaps, in their headers' lengths.
///
/// Bytes arrive in pieces of any size. The stream keeps the rest: less than a packet, if every whole packet is taken.
package struct PacketStream: Sendable {
    private var bytes: [UInt8] = []
    /// The offset of the first byte that was not taken.
    private var start = 0

    package init() {}

    /// Bytes that have come and were not taken.
    package var count: Int { bytes.count - start }

    /// Appends what has come.
    package mutating func append(_ more: some Sequence<UInt8>) {
        if start > 0 {
            bytes.removeFirst(start)
            start = 0
        }
        bytes.append(contentsOf: more)
    }

    /// The next packet, if all of it has come.
    ///
    /// - Throws: ``PacketError`` as soon as a header says a length that no packet has, below 20 or above 4096. Where
    ///   the next packet begins is not known then, so nothing more is taken: each further call throws the same.
    package mutating func next() throws(PacketError) -> ArraySlice<UInt8>? {
        guard count >= 4 else { return nil }
        let length = Int(bytes[start + 2]) << 8 | Int(bytes[start + 3])
        guard (Packet.headerLength...Packet.maximumLength).contains(length) else {
            throw PacketError(.length, offset: 2)
        }
        guard count >= length else { return nil }
        defer { start += length }
        return bytes[start..<(start + length)]
    }
}

import Testing

@testable import RADIUS

struct PacketStreamTests {
    private func packet(_ identifier: UInt8, length: Int) -> [UInt8] {
        [4, identifier, UInt8(length >> 8), UInt8(length & 255)]
            + (4..<length).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ Int(identifier)) }
    }

    @Test(
        "packets come out whole and in order, however the stream is cut", arguments: [1, 3, 19, 20, 21, 4096, 100_000])
    func pieces(size: Int) throws {
        let packets = [20, 21, 4096, 20, 300, 4095].enumerated().map { packet(UInt8($0), length: $1) }
        let bytes: [UInt8] = packets.flatMap { $0 } + [4, 9, 0]
        var stream = PacketStream()
        var taken: [[UInt8]] = []
        for start in stride(from: 0, to: bytes.count, by: size) {
            stream.append(bytes[start..<min(start + size, bytes.count)])
            while let packet = try stream.next() { taken.append(Array(packet)) }
        }
        #expect(taken == packets)
        #expect(stream.count == 3)
    }

    @Test(
        "a length that no packet has is refused with its header, and so is all that follows",
        arguments: [0, 1, 19, 4097, 65535])
    func lengths(length: Int) throws {
        var stream = PacketStream()
        stream.append(packet(1, length: 20) + [4, 2, UInt8(length >> 8)])
        #expect(try stream.next()?.count == 20)
        #expect(try stream.next() == nil)
        stream.append([UInt8(length & 255)])
        #expect(throws: PacketError(.length, offset: 2)) { try stream.next() }
        stream.append(packet(3, length: 20))
        #expect(throws: PacketError(.length, offset: 2)) { try stream.next() }
    }
}

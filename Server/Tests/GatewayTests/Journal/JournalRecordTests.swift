@_spi(Server) import BenjiProtocol
import Testing

@testable import Gateway

/// The bytes of a journal, which a later version must read.
struct JournalRecordTests {
    private static let key = SessionKey(a: 7, b: 8, c: 0x0102_0304)
    private static let keyBytes = "070000000800000004030201"
    /// The encoded fields before the blocks of a session.
    private static let stateBytes =
        keyBytes + "0c00" + "7067770a69643a7067772d31" + "0900000000000000" + "01000000" + "02000000"
        + "fbffffffffffffff" + "0100000a" + "00000000b80d0120" + "40" + "64000000" + "c8000000" + "05"
        + "0100" + keyBytes

    private static func state(_ blocks: [DirectoryChange.Block]) -> JournalRecord {
        .change(
            .put(
                .init(
                    key: key, scope: "pgw\nid:pgw-1", subscription: 9, epoch: 1, simGeneration: 2, binding: -5,
                    address: 0x0a00_0001, prefix: 0x2001_0db8_0000_0000, prefixLength: 64, startedAt: 100,
                    heardAt: 200, flags: 5, aliases: [key], blocks: blocks)))
    }

    private static let records: [(record: JournalRecord, payload: String)] = [
        (.heartbeat(Timestamp(milliseconds: 5000)), "00" + "8813000000000000"),
        (state([]), "01" + stateBytes + "0000"),
        // As version 1 kept them: without who gave the block.
        (
            state([.init(address: 1, first: 1024, last: 2047, time: 150, scope: nil)]),
            "01" + stateBytes + "0100" + "01000000" + "0004" + "ff07" + "96000000"
        ),
        (
            state([
                .init(address: 1, first: 1024, last: 2047, time: 150, scope: ""),
                .init(address: 2, first: 2048, last: 4095, time: 151, scope: "nat"),
            ]),
            "06" + stateBytes + "0200" + "01000000" + "0004" + "ff07" + "96000000" + "0000" + "02000000" + "0008"
                + "ff0f" + "97000000" + "0300" + "6e6174"
        ),
        (.change(.removed(key, at: 300)), "02" + keyBytes + "2c010000"),
        (.change(.reset(scope: "pgw\n", at: 50)), "03" + "0400" + "7067770a" + "32000000"),
        (.change(.missed(domain: "cmnet", at: 70)), "04" + "0500" + "636d6e6574" + "46000000"),
        (.change(.missedScope("a", at: 90)), "05" + "0100" + "61" + "5a000000"),
        (.change(.named(scope: "a", restartedAt: 80)), "07" + "0100" + "61" + "50000000"),
    ]

    private static func littleEndian(_ number: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }

    private static func framed(_ payload: [UInt8]) -> [UInt8] {
        littleEndian(UInt32(payload.count)) + littleEndian(CRC32.checksum(payload.span)) + payload
    }

    @Test("each record has the bytes of the format, and is read back from them", arguments: records.indices)
    func format(number: Int) throws {
        let (record, text) = Self.records[number]
        let payload = try #require(Hexadecimal.decode(text))
        var bytes: [UInt8] = [1, 2, 3]
        JournalCoding.append(record, to: &bytes)
        #expect(bytes == [1, 2, 3] + Self.framed(payload), "it lies behind what was there")
        #expect(JournalCoding.decode(payload[...]) == record)
    }

    @Test("bytes that lack one of a record, or have one more, are no record", arguments: records.indices)
    func length(number: Int) throws {
        let payload = try #require(Hexadecimal.decode(Self.records[number].payload))
        for length in 0..<payload.count { #expect(JournalCoding.decode(payload[..<length]) == nil, "\(length)") }
        #expect(JournalCoding.decode((payload + [0])[...]) == nil)
    }

    @Test("an unknown kind, a session of no name, text that is none, and blocks that lack their giver are no record")
    func refused() throws {
        let none = "000000000000000000000000"
        let texts: [String] = [
            "08" + "0100" + "61" + "50000000", "ff", "02" + none + "2c010000", "03" + "0100" + "ff" + "32000000",
            "01" + none + String(Self.stateBytes.dropFirst(24)) + "0000",
            "01" + String(Self.stateBytes.dropLast(24)) + none + "0000",
            "06" + Self.stateBytes + "0000",
            "06" + Self.stateBytes + "0100" + "01000000" + "0004" + "ff07" + "96000000" + "0100" + "ff",
        ]
        for text in texts {
            #expect(JournalCoding.decode(try #require(Hexadecimal.decode(text))[...]) == nil, "\(text)")
        }
    }

    @Test("a length that no record has is damage as soon as it is read, and a shorter one is waited for")
    func limit() {
        #expect(JournalCoding.maximumPayload == 1_048_576)
        for (length, isDamaged) in [(1_048_576, false), (1_048_577, true)] as [(UInt32, Bool)] {
            var reader = JournalReader()
            reader.read(Array("BENJIGW3".utf8) + Self.littleEndian(length) + [0, 0, 0, 0]) { _ in
                Issue.record("a record was found")
            }
            #expect(reader.isDamaged == isDamaged && reader.goodLength == 8)
        }
    }

    @Test(
        "a journal is read alike in whatever pieces it comes, and nothing behind damage is", arguments: [1, 7, 8, 1000])
    func pieces(size: Int) throws {
        var bytes = Array("BENJIGW3".utf8)
        for each in Self.records { JournalCoding.append(each.record, to: &bytes) }
        let good = bytes.count
        bytes += Self.framed([8]) + Self.framed([0] + [UInt8](repeating: 0, count: 8))
        var reader = JournalReader()
        var found: [JournalRecord] = []
        for start in stride(from: 0, to: bytes.count, by: size) {
            reader.read(Array(bytes[start..<min(start + size, bytes.count)])) { found.append($0) }
        }
        #expect(found == Self.records.map(\.record))
        #expect(reader.goodLength == good && reader.isDamaged)
    }
}

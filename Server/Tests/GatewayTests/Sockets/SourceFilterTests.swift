@_spi(Server) import BenjiProtocol
import Testing

@testable import Gateway

struct SourceFilterTests {
    /// Returns the kernel's decision by a filter; `nil` if the kernel would not take the filter.
    private static func run(_ filter: SourceFilter, _ packet: [UInt8]) -> Bool? {
        var accumulator: UInt32 = 0
        var place = 0
        func load(_ operand: UInt32, _ count: Int) -> UInt32? {
            let start = Int(operand &- SourceFilter.Instruction.networkHeader)
            guard packet.indices.contains(start + count - 1) else { return nil }
            return packet[start..<(start + count)].reduce(0) { $0 << 8 | UInt32($1) }
        }
        while filter.instructions.indices.contains(place) {
            let instruction = filter.instructions[place]
            place += 1
            switch instruction.code {
            case 0x20:
                guard let word = load(instruction.operand, 4) else { return false }
                accumulator = word
            case 0x30:
                guard let byte = load(instruction.operand, 1) else { return false }
                accumulator = byte
            case 0x54: accumulator &= instruction.operand
            case 0x74: accumulator >>= instruction.operand
            case 0x05: place += Int(instruction.operand)
            case 0x15: place += Int(accumulator == instruction.operand ? instruction.ifTrue : instruction.ifFalse)
            case 0x06: return instruction.operand > 0
            default: return nil
            }
        }
        return nil
    }

    /// An IP header with this source, and nothing in it but what a filter may look at.
    private static func packet(from source: InternetAddress) -> [UInt8] {
        switch source.family {
        case .v4: [0x45] + [UInt8](repeating: 9, count: 11) + source.bytes + [192, 0, 2, 1]
        case .v6: [0x60] + [UInt8](repeating: 9, count: 7) + source.bytes + [UInt8](repeating: 1, count: 16)
        }
    }

    private static let sources = [
        "192.0.2.1", "10.0.0.0/9", "203.0.113.64/26", "2001:db8::1", "2001:db8:5::/48", "fd00::/7",
    ]
    .map { IPPrefix($0)! }

    @Test(
        "the filter hears who is listed and nobody else, in both versions of IP",
        arguments: [
            ("192.0.2.1", true), ("192.0.2.0", false), ("192.0.2.3", false), ("10.127.255.255", true),
            ("10.128.0.0", false), ("203.0.113.127", true), ("203.0.113.128", false), ("0.0.0.0", false),
            ("2001:db8::1", true), ("2001:db8::2", false), ("2001:db8:0:0:1::1", false), ("2001:db8:5:ffff::9", true),
            ("2001:db8:6::9", false), ("fc00::1", true), ("fe00::1", false), ("::", false),
        ])
    func listed(source: String, isHeard: Bool) throws {
        let filter = try #require(SourceFilter(Self.sources))
        #expect(Self.run(filter, Self.packet(from: InternetAddress(source)!)) == isHeard)
    }

    @Test("the filter agrees with the list for any prefixes and any sources")
    func random() throws {
        var generator = SeededGenerator(seed: 26)
        func address() -> InternetAddress {
            let count = Bool.random(using: &generator) ? 4 : 16
            // Few different bytes, so that addresses often share a beginning.
            let bytes = (0..<count).map { _ in UInt8([0, 1, 128, 255].randomElement(using: &generator)!) }
            return InternetAddress(bytes: bytes)!
        }
        var heard = 0
        for _ in 0..<300 {
            let sources = (0..<Int.random(in: 0...6, using: &generator)).map { _ -> IPPrefix in
                let address = address()
                return IPPrefix(
                    address: address, length: .random(in: 0...(address.bytes.count * 8), using: &generator))!
            }
            let filter = try #require(SourceFilter(sources))
            for _ in 0..<100 {
                let source = address()
                let isListed = sources.contains { $0.contains(source) }
                heard += isListed ? 1 : 0
                #expect(Self.run(filter, Self.packet(from: source)) == isListed, "\(sources) \(source)")
            }
        }
        #expect(heard > 1000 && heard < 29_000)
    }

    @Test("what is no IP packet, or is cut off before its source, is not heard")
    func malformed() throws {
        let filter = try #require(SourceFilter(Self.sources))
        #expect(Self.run(filter, []) == false)
        #expect(Self.run(filter, [0x55] + [UInt8](repeating: 0, count: 60)) == false)
        #expect(Self.run(filter, Array(Self.packet(from: InternetAddress("192.0.2.1")!).prefix(15))) == false)
        #expect(Self.run(filter, Array(Self.packet(from: InternetAddress("2001:db8::1")!).prefix(20))) == false)
    }

    @Test(
        "an address takes as few instructions as can be, and what is cut off a word one more",
        arguments: [
            ([], 8), (["192.0.2.1"], 11), (["192.0.2.0/31"], 12), (["128.0.0.0/1"], 12), (["0.0.0.0/0"], 9),
            (["2001:db8::1"], 17), (["2001:db8::/127"], 18), (["2001:db8::/32"], 11), (["2001:db8::/48"], 14),
            (["2001:db8::/33"], 14), (["::/0"], 9), (["192.0.2.1", "2001:db8::1"], 20),
        ] as [([String], Int)])
    func instructions(sources: [String], count: Int) throws {
        let filter = try #require(SourceFilter(sources.map { IPPrefix($0)! }))
        #expect(filter.instructions.count == count)
    }

    @Test("the longest program has as many instructions as the kernel takes")
    func longest() throws {
        #expect(SourceFilter.maximumLength == 4096)
        let blocks = (0..<1022).map { IPPrefix(address: InternetAddress(v4Value: UInt32($0) << 8), length: 24)! }
        #expect(SourceFilter(blocks)?.instructions.count == 4096)
        #expect(SourceFilter(blocks + [IPPrefix("::/0")!]) == nil)
    }

    @Test("more sources than the kernel's longest program can tell apart make no filter")
    func length() throws {
        let blocks = (0..<2000).map { IPPrefix(address: InternetAddress(v4Value: UInt32($0) << 8), length: 24)! }
        #expect(SourceFilter(blocks) == nil)
        let filter = try #require(SourceFilter(Array(blocks.prefix(1000))))
        #expect(filter.instructions.count <= SourceFilter.maximumLength)
        #expect(Self.run(filter, Self.packet(from: InternetAddress(v4Value: 999 << 8 | 7))) == true)
        #expect(Self.run(filter, Self.packet(from: InternetAddress(v4Value: 1000 << 8))) == false)
    }
}

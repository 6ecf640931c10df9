import BenjiProtocol

/// A program of the kernel's packet filter (classic BPF) that admits packets of listed sources only to a UDP socket.
///
/// The kernel runs it before a packet takes room in the socket's buffer. So a flood of other senders leaves room for
/// the packets of a NAS. It reads the addresses of the IP header, also on a socket for both IP versions.
struct SourceFilter: Hashable, Sendable {
    /// `struct sock_filter`.
    struct Instruction: Hashable, Sendable {
        let code: UInt16
        /// Instructions to skip when a comparison holds, and when it does not.
        let ifTrue: UInt8
        let ifFalse: UInt8
        let operand: UInt32
    }

    /// `BPF_MAXINSNS`: the kernel takes no longer program.
    static let maximumLength = 4096

    let instructions: [Instruction]

    /// `nil` for more sources than the kernel's longest program can tell apart, some 1,000 blocks of IPv4.
    init?(_ sources: [IPPrefix]) {
        var v4: [Instruction] = []
        var v6: [Instruction] = []
        for source in sources {
            switch source.address.family {
            case .v4: v4 += Self.accept(source, at: 12)
            case .v6: v6 += Self.accept(source, at: 8)
            }
        }
        v4.append(.refuse)
        v6.append(.refuse)
        instructions =
            [
                .loadByte(0), .shiftRight(4), .skipUnless(6, count: 1), .jump(v4.count + 2), .skipIf(4, count: 1),
                .refuse,
            ] + v4 + v6
        guard instructions.count <= Self.maximumLength else { return nil }
    }

    /// - Parameter place: where the source address lies in the IP header.
    private static func accept(_ source: IPPrefix, at place: Int) -> [Instruction] {
        var tests: [Instruction] = []
        var words: [[Instruction]] = []
        for (index, start) in stride(from: 0, to: source.address.bytes.count, by: 4).enumerated() {
            let bits = min(max(source.length - 32 * index, 0), 32)
            guard bits > 0 else { break }
            let mask = UInt32.max << UInt32(32 - bits)
            let value = source.address.bytes[start..<(start + 4)].reduce(0) { $0 << 8 | UInt32($1) }
            words.append(
                [.loadWord(place + start)] + (bits < 32 ? [.and(mask)] : []) + [.skipUnless(value & mask, count: 0)])
        }
        // Behind the last comparison comes the acceptance; each comparison that fails leads past it.
        var left = words.reduce(1) { $0 + $1.count }
        for word in words {
            left -= word.count
            tests += word.dropLast() + [.skipUnless(word[word.count - 1].operand, count: left)]
        }
        return tests + [.accept]
    }
}

extension SourceFilter.Instruction {
    /// `SKF_NET_OFF`: offsets from here on count from the IP header.
    static let networkHeader = UInt32(bitPattern: -0x10_0000)

    fileprivate init(_ code: UInt16, _ operand: UInt32, ifTrue: UInt8 = 0, ifFalse: UInt8 = 0) {
        self.init(code: code, ifTrue: ifTrue, ifFalse: ifFalse, operand: operand)
    }

    // The kernel's BPF_LD|BPF_B|BPF_ABS, BPF_LD|BPF_W|BPF_ABS, BPF_ALU|BPF_RSH|BPF_K, BPF_ALU|BPF_AND|BPF_K,
    // BPF_JMP|BPF_JEQ|BPF_K, BPF_JMP|BPF_JA and BPF_RET|BPF_K.
    fileprivate static func loadByte(_ offset: Int) -> Self { Self(0x30, networkHeader + UInt32(offset)) }
    fileprivate static func loadWord(_ offset: Int) -> Self { Self(0x20, networkHeader + UInt32(offset)) }
    fileprivate static func shiftRight(_ bits: UInt32) -> Self { Self(0x74, bits) }
    fileprivate static func and(_ mask: UInt32) -> Self { Self(0x54, mask) }
    fileprivate static func skipUnless(_ value: UInt32, count: Int) -> Self {
        Self(0x15, value, ifFalse: UInt8(count))
    }
    fileprivate static func skipIf(_ value: UInt32, count: Int) -> Self { Self(0x15, value, ifTrue: UInt8(count)) }
    fileprivate static func jump(_ count: Int) -> Self { Self(0x05, UInt32(count)) }
    /// The whole packet.
    fileprivate static var accept: Self { Self(0x06, .max) }
    fileprivate static var refuse: Self { Self(0x06, 0) }
}

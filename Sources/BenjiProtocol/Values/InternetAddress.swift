/// An IPv4 or IPv6 address as bytes; IPv4-mapped IPv6 (`::ffff:a.b.c.d`) is read as the IPv4 address that it means.
public struct InternetAddress: Hashable, Sendable {
    public enum Family: Sendable, Hashable { case v4, v6 }

    public let family: Family
    /// The first eight bytes of an IPv6 address as a number, most significant first; 0 for IPv4.
    @_spi(Server) public let upperHalf: UInt64
    /// The last eight bytes of an IPv6 address as a number; for IPv4 all four.
    @_spi(Server) public let lowerHalf: UInt64

    /// Four bytes for IPv4, sixteen for IPv6, in network order.
    public var bytes: [UInt8] {
        (0..<(family == .v4 ? 4 : 16)).reversed().map {
            UInt8(truncatingIfNeeded: ($0 < 8 ? lowerHalf : upperHalf) >> UInt64($0 % 8 * 8))
        }
    }

    // Numbers and no array: gateways compare, mask and hash addresses for every packet.
    fileprivate init(family: Family, upperHalf: UInt64, lowerHalf: UInt64) {
        (self.family, self.upperHalf, self.lowerHalf) = (family, upperHalf, lowerHalf)
    }

    /// Four or sixteen bytes in network order; `nil` for any other count.
    public init?(bytes: some Collection<UInt8>) {
        let count = bytes.count
        guard count == 4 || count == 16 else { return nil }
        let (upper, lower) = bytes.reduce((UInt64(0), UInt64(0))) { ($0.0 << 8 | $0.1 >> 56, $0.1 << 8 | UInt64($1)) }
        let isMapped = count == 16 && upper == 0 && lower >> 32 == 0xffff
        self.init(
            family: count == 4 || isMapped ? .v4 : .v6, upperHalf: upper,
            lowerHalf: isMapped ? lower & 0xffff_ffff : lower)
    }

    /// Whether it is one of the addresses that every device behind an IPv4 translator of its own gives itself
    /// (192.0.0.0/29, RFC 7335). It does not identify the caller.
    @_spi(Server) public var isOfTranslator: Bool { family == .v4 && lowerHalf >> 3 == 0xc000_0000 >> 3 }

    /// Whether only this machine has it (RFC 1122, section 3.2.1.3; RFC 4291, section 2.5.3).
    @_spi(Server) public var isLoopback: Bool {
        family == .v4 ? lowerHalf >> 24 == 127 : (upperHalf, lowerHalf) == (0, 1)
    }

    /// An IPv4 address as a number; the first four bytes of any other.
    @_spi(Server) public var v4Value: UInt32 {
        UInt32(truncatingIfNeeded: family == .v4 ? lowerHalf : upperHalf >> 32)
    }

    /// The IPv4 address of this number, most significant byte first.
    @_spi(Server) public init(v4Value: UInt32) { self.init(family: .v4, upperHalf: 0, lowerHalf: UInt64(v4Value)) }

    /// Reads dotted-quad IPv4 or RFC 4291 IPv6 text. No zone, no port, no octal or hexadecimal IPv4.
    public init?(_ text: some StringProtocol) {
        if text.utf8.contains(0x3a) {
            guard let bytes = Self.parseV6(Substring(text)) else { return nil }
            self.init(bytes: bytes)
        } else {
            guard let bytes = Self.parseV4(Substring(text)) else { return nil }
            self.init(bytes: bytes)
        }
    }

    private static func parseV4(_ text: Substring) -> [UInt8]? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        var bytes: [UInt8] = []
        for part in parts {
            guard (1...3).contains(part.utf8.count), part.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                part.utf8.count == 1 || part.utf8.first != 0x30, let byte = UInt8(part)
            else { return nil }
            bytes.append(byte)
        }
        return bytes
    }

    private static func parseV6(_ text: Substring) -> [UInt8]? {
        guard text.utf8.count <= 45 else { return nil }
        var head: [UInt8] = []
        var tail: [UInt8] = []
        var rest = text
        var compressed = false
        if rest.hasPrefix("::") {
            compressed = true
            rest = rest.dropFirst(2)
        }
        func append(_ part: Substring, last: Bool) -> Bool {
            let group: [UInt8]
            if last, part.utf8.contains(0x2e) {
                guard let four = parseV4(part) else { return false }
                group = four
            } else {
                // Digits only: `UInt16(_:radix:)` takes a sign, and "-0" for zero.
                guard (1...4).contains(part.utf8.count), part.utf8.allSatisfy(Hexadecimal.isDigit),
                    let value = UInt16(part, radix: 16)
                else { return false }
                group = [UInt8(value >> 8), UInt8(value & 0xff)]
            }
            if compressed { tail += group } else { head += group }
            return head.count + tail.count <= 16
        }
        while !rest.isEmpty {
            guard let colon = rest.firstIndex(of: ":") else {
                guard append(rest, last: true) else { return nil }
                rest = ""
                break
            }
            guard append(rest[..<colon], last: false) else { return nil }
            rest = rest[rest.index(after: colon)...]
            if rest.hasPrefix(":") {
                guard !compressed else { return nil }
                compressed = true
                rest = rest.dropFirst()
            } else if rest.isEmpty {
                return nil
            }
        }
        let filled = head.count + tail.count
        guard compressed ? filled <= 14 : filled == 16 else { return nil }
        return head + Array(repeating: 0, count: 16 - filled) + tail
    }
}

extension InternetAddress: CustomStringConvertible {
    /// The text of RFC 5952.
    public var description: String {
        if family == .v4 { return bytes.map(String.init).joined(separator: ".") }
        let groups = stride(from: 0, to: 16, by: 2).map { UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]) }
        var best = 0..<0
        var index = 0
        while index < 8 {
            var end = index
            while end < 8, groups[end] == 0 { end += 1 }
            if end - index > max(best.count, 1) { best = index..<end }
            index = max(end, index + 1)
        }
        func text(_ range: Range<Int>) -> String { range.map { String(groups[$0], radix: 16) }.joined(separator: ":") }
        return best.isEmpty ? text(0..<8) : text(0..<best.lowerBound) + "::" + text(best.upperBound..<8)
    }
}

/// A block of addresses in CIDR form (RFC 4632, RFC 4291).
public struct IPPrefix: Hashable, Sendable {
    /// The first address of the block; bits beyond ``length`` are zero.
    public let address: InternetAddress
    /// How many leading bits count: 0 to 32 for IPv4, 0 to 128 for IPv6.
    public let length: Int

    /// `nil` if `length` is more than the family has bits. Bits of `address` beyond `length` are cleared.
    public init?(address: InternetAddress, length: Int) {
        guard (0...Self.bits(address.family)).contains(length) else { return nil }
        self.address = Self.masked(address, to: length)
        self.length = length
    }

    private static func bits(_ family: InternetAddress.Family) -> Int { family == .v4 ? 32 : 128 }

    /// The address without the bits beyond `length`.
    private static func masked(_ address: InternetAddress, to length: Int) -> InternetAddress {
        func first(_ count: Int) -> UInt64 { count <= 0 ? 0 : ~UInt64(0) << UInt64(max(64 - count, 0)) }
        // The bits of an IPv4 address are the last 32 of 128.
        let count = length + (address.family == .v4 ? 96 : 0)
        return InternetAddress(
            family: address.family, upperHalf: address.upperHalf & first(count),
            lowerHalf: address.lowerHalf & first(count - 64))
    }

    /// Reads `10.0.0.0/8`, `2001:db8::/32`, or a single address.
    public init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let address = InternetAddress(parts[0]) else { return nil }
        guard parts.count == 2 else {
            self.init(address: address, length: Self.bits(address.family))
            return
        }
        guard (1...3).contains(parts[1].utf8.count), parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let length = Int(parts[1])
        else { return nil }
        self.init(address: address, length: length)
    }

    public func contains(_ candidate: InternetAddress) -> Bool {
        guard candidate.family == address.family else { return false }
        return Self.masked(candidate, to: length) == address
    }
}

extension IPPrefix: CustomStringConvertible {
    public var description: String { "\(address)/\(length)" }
}

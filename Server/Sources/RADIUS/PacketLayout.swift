/// Where the attributes of a packet lie: found in one pass over the bytes as they were received, without taking any
/// out.
///
/// A server keeps one and reads packet after packet with it, so that reading allocates nothing. What it says belongs to
/// the datagram that was read last, which must be given to its methods unchanged.
package struct PacketLayout: Sendable {
    package private(set) var code = PacketCode(rawValue: 0)
    /// The packet's own length; what a datagram has behind it is padding (RFC 2865 §3).
    package private(set) var length = 0
    /// How many Proxy-States there are, and the bytes that they take with type and length.
    package private(set) var proxyStates = (count: 0, bytes: 0)
    /// By type, where the first attribute with a value begins, and the second; 0 for none.
    private var firsts = [UInt16](repeating: 0, count: 256)
    private var seconds = [UInt16](repeating: 0, count: 256)

    package init() {}

    /// Reads a datagram. After an error nothing that the layout says is meant.
    package mutating func read(_ datagram: Span<UInt8>) throws(PacketError) {
        length = try Packet.length(of: datagram)
        code = PacketCode(rawValue: datagram[0])
        proxyStates = (0, 0)
        for type in 0..<256 { firsts[type] = 0 }
        for type in 0..<256 { seconds[type] = 0 }
        var offset = Packet.headerLength
        while offset < length {
            let end = try Packet.end(ofAttributeAt: offset, in: datagram, length: length)
            let type = Int(datagram[offset])
            // RFC 2865 §5: values have at least one byte, so an attribute without a value counts as absent. An empty
            // Message-Authenticator must still be refused.
            if end > offset + 2 || type == AttributeType.messageAuthenticator.rawValue {
                if firsts[type] == 0 {
                    firsts[type] = UInt16(truncatingIfNeeded: offset)
                } else if seconds[type] == 0 {
                    seconds[type] = UInt16(truncatingIfNeeded: offset)
                }
            }
            if type == AttributeType.proxyState.rawValue {
                proxyStates = (proxyStates.count + 1, proxyStates.bytes + end - offset)
            }
            offset = end
        }
    }

    /// Whether there is an attribute of a type that has a value; for Message-Authenticator, whether there is any.
    package func has(_ type: AttributeType) -> Bool { firsts[Int(type.rawValue)] != 0 }

    /// Whether an answer, which repeats the Proxy-States, is no longer than packets may be.
    package var hasRoomForAnswer: Bool {
        let messageAuthenticator = code == .statusServer ? 18 : 0
        return Packet.headerLength + proxyStates.bytes + messageAuthenticator <= Packet.maximumBuiltLength
    }

    /// Where the first attribute of a type begins; ``length`` if there is none.
    func first(_ type: AttributeType) -> Int {
        let first = Int(firsts[Int(type.rawValue)])
        return first == 0 ? length : first
    }

    /// Where the second attribute of a type begins; ``length`` if there is none.
    func second(_ type: AttributeType) -> Int {
        let second = Int(seconds[Int(type.rawValue)])
        return second == 0 ? length : second
    }

    /// Where the value of the first attribute of a type lies; `nil` if there is none.
    func firstValue(_ type: AttributeType, in datagram: Span<UInt8>) -> Range<Int>? {
        let first = Int(firsts[Int(type.rawValue)])
        return first == 0 ? nil : (first + 2)..<(first + Int(datagram[first + 1]))
    }

    /// Where the value of an attribute lies that may have one value; `nil` if it is absent. The same value may be
    /// repeated.
    ///
    /// - Throws: ``PacketError`` for two values: they could name two subscribers.
    func single(_ type: AttributeType, in datagram: Span<UInt8>) throws(PacketError) -> Range<Int>? {
        guard let first = firstValue(type, in: datagram) else { return nil }
        var offset = second(type)
        while offset < length {
            let end = offset + Int(datagram[offset + 1])
            if datagram[offset] == type.rawValue, end > offset + 2, !datagram.areEqual(first, (offset + 2)..<end) {
                throw PacketError(.repeated, attribute: type, offset: offset)
            }
            offset = end
        }
        return first
    }
}

extension Packet {
    /// The length that a datagram's header states, if the datagram is that long.
    package static func length(of datagram: Span<UInt8>) throws(PacketError) -> Int {
        guard datagram.count >= headerLength else { throw PacketError(.tooShort, offset: datagram.count) }
        let length = Int(datagram[2]) << 8 | Int(datagram[3])
        guard (headerLength...maximumLength).contains(length), length <= datagram.count else {
            throw PacketError(.length, offset: 2)
        }
        return length
    }

    /// Where the attribute ends that begins at `offset` of a packet of this length.
    static func end(
        ofAttributeAt offset: Int, in datagram: Span<UInt8>, length: Int
    ) throws(PacketError) -> Int {
        guard offset + 2 <= length else {
            throw PacketError(.attributeLength, attribute: AttributeType(rawValue: datagram[offset]), offset: offset)
        }
        let end = offset + Int(datagram[offset + 1])
        guard end >= offset + 2, end <= length else {
            throw PacketError(.attributeLength, attribute: AttributeType(rawValue: datagram[offset]), offset: offset)
        }
        return end
    }
}

extension Span<UInt8> {
    /// The four bytes of a value as an integer, most significant first; `nil` for any other count.
    func integer(_ value: Range<Int>) -> UInt32? {
        guard value.count == 4 else { return nil }
        let start = value.lowerBound
        return UInt32(self[start]) << 24 | UInt32(self[start + 1]) << 16 | UInt32(self[start + 2]) << 8
            | UInt32(self[start + 3])
    }

    /// The bytes of a value as UTF-8 text.
    func text(_ value: Range<Int>) -> String? {
        // Not `String(validating:)`, which is generic and takes ten times as long.
        guard let text = try? UTF8Span(validating: extracting(value)) else { return nil }
        return String(copying: text)
    }

    func areEqual(_ first: Range<Int>, _ second: Range<Int>) -> Bool {
        guard first.count == second.count else { return false }
        for distance in 0..<first.count where self[first.lowerBound + distance] != self[second.lowerBound + distance] {
            return false
        }
        return true
    }

    func array(_ value: Range<Int>) -> [UInt8] { extracting(value).withUnsafeBufferPointer { Array($0) } }
}

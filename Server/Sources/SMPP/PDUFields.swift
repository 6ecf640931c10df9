/// Takes the fields of a PDU off one after the other.
struct PDUFields {
    private let bytes: [UInt8]
    private(set) var offset: Int

    init(_ bytes: [UInt8], at offset: Int) {
        self.bytes = bytes
        self.offset = offset
    }

    var isAtEnd: Bool { offset == bytes.count }

    mutating func octet() throws(PDUError) -> UInt8 {
        guard offset < bytes.count else { throw PDUError(.tooShort, offset: offset) }
        defer { offset += 1 }
        return bytes[offset]
    }

    mutating func octets(_ count: Int) throws(PDUError) -> [UInt8] {
        guard bytes.count - offset >= count else { throw PDUError(.tooShort, offset: offset) }
        defer { offset += count }
        return Array(bytes[offset..<(offset + count)])
    }

    /// A text that ends with a zero.
    /// - Parameter most: the standard's size, the zero counted.
    mutating func string(_ most: Int) throws(PDUError) -> String {
        let end = min(offset + most, bytes.count)
        guard let zero = bytes[offset..<end].firstIndex(of: 0) else { throw PDUError(.stringLength, offset: offset) }
        let text = bytes[offset..<zero]
        guard text.allSatisfy({ $0 < 0x80 }) else { throw PDUError(.text, offset: offset) }
        offset = zero + 1
        return String(decoding: text, as: UTF8.self)
    }

    /// A time: nothing, or 16 characters (§7.1.1).
    mutating func time() throws(PDUError) -> String {
        let start = offset
        let text = try string(17)
        guard text.isEmpty || text.utf8.count == 16 else { throw PDUError(.time, offset: start) }
        return text
    }

    /// All that is left, which must be optional parameters.
    mutating func parameters() throws(PDUError) -> [OptionalParameter] {
        var parameters: [OptionalParameter] = []
        while !isAtEnd {
            guard bytes.count - offset >= 4 else { throw PDUError(.parameter, offset: offset) }
            let tag = UInt16(bytes[offset]) << 8 | UInt16(bytes[offset + 1])
            let length = Int(bytes[offset + 2]) << 8 | Int(bytes[offset + 3])
            guard bytes.count - offset - 4 >= length else { throw PDUError(.parameter, offset: offset) }
            parameters.append(
                OptionalParameter(.init(rawValue: tag), Array(bytes[(offset + 4)..<(offset + 4 + length)])))
            offset += 4 + length
        }
        return parameters
    }

    /// Fails unless everything was taken.
    func end() throws(PDUError) { if !isAtEnd { throw PDUError(.surplus, offset: offset) } }
}

extension [UInt8] {
    mutating func append(integer: UInt32) {
        for shift in [24, 16, 8, 0] as [UInt32] { append(UInt8(truncatingIfNeeded: integer >> shift)) }
    }

    mutating func append(string: String, most: Int) throws(PDUError) {
        guard string.utf8.count < most, !string.utf8.contains(0) else { throw PDUError(.stringLength, offset: count) }
        guard string.utf8.allSatisfy({ $0 < 0x80 }) else { throw PDUError(.text, offset: count) }
        self += string.utf8
        append(0)
    }

    mutating func append(time: String) throws(PDUError) {
        guard time.isEmpty || time.utf8.count == 16 else { throw PDUError(.time, offset: count) }
        try append(string: time, most: 17)
    }

    mutating func append(parameters: [OptionalParameter]) throws(PDUError) {
        for parameter in parameters {
            guard let length = UInt16(exactly: parameter.value.count) else { throw PDUError(.parameter, offset: count) }
            self += [
                UInt8(parameter.tag.rawValue >> 8), UInt8(parameter.tag.rawValue & 0xff), UInt8(length >> 8),
                UInt8(length & 0xff),
            ]
            self += parameter.value
        }
    }
}

/// Takes the fields of a PDU off one after the other.
///
/// Vendors leave out the zero of a text, write longer texts than the standard's tables allow and append octets.
/// command_length alone says where a PDU ends, so none of this affects the next PDU. A missing mandatory field is an
/// error.
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

    /// A C-octet string, up to its zero or the PDU's end. Octets above 127 are read as Latin-1.
    mutating func string() -> String {
        let end = bytes[offset...].firstIndex(of: 0) ?? bytes.count
        defer { offset = min(end + 1, bytes.count) }
        return String(String.UnicodeScalarView(bytes[offset..<end].map { Unicode.Scalar($0) }))
    }

    /// The optional parameters up to the PDU's end, or up to octets that are none.
    mutating func parameters() -> [OptionalParameter] {
        var parameters: [OptionalParameter] = []
        while bytes.count - offset >= 4 {
            let tag = UInt16(bytes[offset]) << 8 | UInt16(bytes[offset + 1])
            let length = Int(bytes[offset + 2]) << 8 | Int(bytes[offset + 3])
            if bytes.count - offset - 4 >= length {
                parameters.append(
                    OptionalParameter(.init(rawValue: tag), Array(bytes[(offset + 4)..<(offset + 4 + length)])))
                offset += 4 + length
            } else if bytes[offset] == 0 {
                // Some vendors end short_message with a zero that sm_length does not count.
                offset += 1
            } else {
                break
            }
        }
        return parameters
    }
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

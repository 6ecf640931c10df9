extension JSON {
    /// The value as compact JSON text in UTF-8, members in their order.
    public var serialized: [UInt8] {
        var text: [UInt8] = []
        write(into: &text)
        return text
    }

    /// ``serialized`` as a string.
    public var text: String { String(decoding: serialized, as: UTF8.self) }

    private func write(into text: inout [UInt8]) {
        switch self {
        case .null: text += Array("null".utf8)
        case .bool(let value): text += Array((value ? "true" : "false").utf8)
        case .number(let number): text += Array(number.utf8)
        case .string(let string): Self.write(string, into: &text)
        case .array(let values):
            text.append(0x5b)
            for (index, value) in values.enumerated() {
                if index > 0 { text.append(0x2c) }
                value.write(into: &text)
            }
            text.append(0x5d)
        case .object(let members):
            text.append(0x7b)
            for (index, member) in members.enumerated() {
                if index > 0 { text.append(0x2c) }
                Self.write(member.name, into: &text)
                text.append(0x3a)
                member.value.write(into: &text)
            }
            text.append(0x7d)
        }
    }

    private static func write(_ string: String, into text: inout [UInt8]) {
        var string = string
        text.append(0x22)
        string.withUTF8 { bytes in
            // The bytes between two that must be escaped go as one piece.
            var start = 0
            for index in bytes.indices {
                let byte = bytes[index]
                guard byte < 0x20 || byte == 0x22 || byte == 0x5c || byte == 0x7f else { continue }
                text.append(contentsOf: bytes[start..<index])
                start = index + 1
                switch byte {
                case 0x22, 0x5c: text += [0x5c, byte]
                case 0x0a: text += [0x5c, 0x6e]
                case 0x0d: text += [0x5c, 0x72]
                case 0x09: text += [0x5c, 0x74]
                default: text += Array("\\u00\(Hexadecimal.encode([byte]))".utf8)
                }
            }
            text.append(contentsOf: bytes[start...])
        }
        text.append(0x22)
    }
}

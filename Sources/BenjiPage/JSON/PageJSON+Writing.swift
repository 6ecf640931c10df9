extension PageJSON {
    /// The value as compact JSON in UTF-8, members in their order. Equal values give equal bytes on every platform: the
    /// canonical form, which is digested outside.
    public var bytes: [UInt8] {
        var text: [UInt8] = []
        write(into: &text)
        return text
    }

    /// ``bytes`` as a string.
    public var text: String { String(decoding: bytes, as: UTF8.self) }

    private func write(into text: inout [UInt8]) {
        switch self {
        case .null: text += "null".utf8
        case .bool(let value): text += (value ? "true" : "false").utf8
        case .number(let thousandths): Self.write(thousandths, into: &text)
        case .string(let string): Self.write(string, into: &text)
        case .array(let values):
            text.append(UInt8(ascii: "["))
            for index in values.indices {
                if index > 0 { text.append(UInt8(ascii: ",")) }
                values[index].write(into: &text)
            }
            text.append(UInt8(ascii: "]"))
        case .object(let members):
            text.append(UInt8(ascii: "{"))
            for index in members.indices {
                if index > 0 { text.append(UInt8(ascii: ",")) }
                Self.write(members[index].name, into: &text)
                text.append(UInt8(ascii: ":"))
                members[index].value.write(into: &text)
            }
            text.append(UInt8(ascii: "}"))
        }
    }

    /// No exponent, no trailing zero, no minus before zero.
    private static func write(_ thousandths: Int64, into text: inout [UInt8]) {
        if thousandths < 0 { text.append(UInt8(ascii: "-")) }
        let magnitude = thousandths.magnitude
        text += String(magnitude / 1000).utf8
        var rest = magnitude % 1000
        guard rest > 0 else { return }
        text.append(UInt8(ascii: "."))
        while rest > 0 {
            text.append(UInt8(ascii: "0") + UInt8(rest / 100))
            rest = rest % 100 * 10
        }
    }

    private static func write(_ string: String, into text: inout [UInt8]) {
        text.append(UInt8(ascii: "\""))
        for byte in string.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): text += [UInt8(ascii: "\\"), byte]
            case 0x0a: text += "\\n".utf8
            case 0x0d: text += "\\r".utf8
            case 0x09: text += "\\t".utf8
            case 0..<0x20, 0x7f:
                text += "\\u00".utf8
                text += [hexadecimal(byte >> 4), hexadecimal(byte & 15)]
            default: text.append(byte)
            }
        }
        text.append(UInt8(ascii: "\""))
    }

    /// The lower-case digit of a value below 16.
    static func hexadecimal(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}

/// Bytes as hexadecimal text (RFC 4648 §8).
public enum Hexadecimal {
    static func isLowercaseDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte) }

    static func isDigit(_ byte: UInt8) -> Bool { isLowercaseDigit(byte) || (0x41...0x46).contains(byte) }

    /// Lower-case unless asked otherwise: China Mobile's documents print signs in upper case.
    public static func encode(_ bytes: some Sequence<UInt8>, uppercase: Bool = false) -> String {
        let digits = Array((uppercase ? "0123456789ABCDEF" : "0123456789abcdef").utf8)
        let bytes = Array(bytes)
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count * 2)
        for byte in bytes {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The value of a digit in either case; `nil` for any other character.
    public static func value(ofDigit character: UInt8) -> UInt8? {
        switch character {
        case 0x30...0x39: character - 0x30
        case 0x41...0x46: character - 0x37
        case 0x61...0x66: character - 0x57
        default: nil
        }
    }

    /// The bytes of hexadecimal text in either case; `nil` for an odd length or any other character.
    public static func decode(_ text: some StringProtocol) -> [UInt8]? {
        let characters = Array(text.utf8)
        guard characters.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(characters.count / 2)
        for index in stride(from: 0, to: characters.count, by: 2) {
            guard let high = value(ofDigit: characters[index]), let low = value(ofDigit: characters[index + 1]) else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        return bytes
    }
}

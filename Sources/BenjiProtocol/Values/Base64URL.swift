/// Bytes as base64url without padding (RFC 4648 §5, RFC 7515 §2). Decoding is strict: one text for one value.
public enum Base64URL {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 0xff, count: 256)
        for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
        return values
    }()

    public static func encode(_ bytes: some Collection<UInt8>) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count * 4 + 2) / 3)
        var buffer: UInt32 = 0
        var bits = 0
        for byte in bytes {
            buffer = buffer << 8 | UInt32(byte)
            bits += 8
            while bits >= 6 {
                bits -= 6
                text.append(alphabet[Int(buffer >> bits) & 63])
            }
        }
        if bits > 0 { text.append(alphabet[Int(buffer << (6 - bits)) & 63]) }
        return String(decoding: text, as: UTF8.self)
    }

    /// `nil` for padding, other alphabets, impossible lengths, and left-over bits that are not zero.
    public static func decode(_ text: some StringProtocol) -> [UInt8]? { decode(utf8: text.utf8) }

    static func decode(utf8 text: some Collection<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count * 3 / 4)
        var buffer: UInt32 = 0
        var bits = 0
        var count = 0
        for character in text {
            let value = values[Int(character)]
            guard value != 0xff else { return nil }
            count += 1
            buffer = buffer << 6 | UInt32(value)
            bits += 6
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: buffer >> bits))
                buffer &= (1 << bits) - 1
            }
        }
        guard count % 4 != 1, buffer == 0 else { return nil }
        return bytes
    }
}

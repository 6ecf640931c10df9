/// Bytes as base64url without padding (RFC 4648 §5, RFC 7515 §2). Decoding is strict: one text for one value.
public enum Base64URL {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 0xff, count: 256)
        for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
        return values
    }()

    public static func encode(_ bytes: some Collection<UInt8>) -> String {
        // Arrays, and written in place: a login has kilobytes of it.
        let (bytes, alphabet) = (Array(bytes), alphabet)
        let text = [UInt8](unsafeUninitializedCapacity: (bytes.count * 4 + 2) / 3) { text, count in
            var buffer: UInt32 = 0
            var bits = 0
            for byte in bytes {
                buffer = buffer << 8 | UInt32(byte)
                bits += 8
                while bits >= 6 {
                    bits -= 6
                    text[count] = alphabet[Int(buffer >> bits) & 63]
                    count += 1
                }
            }
            guard bits > 0 else { return }
            text[count] = alphabet[Int(buffer << (6 - bits)) & 63]
            count += 1
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// `nil` for padding, other alphabets, impossible lengths, and left-over bits that are not zero.
    public static func decode(_ text: some StringProtocol) -> [UInt8]? { decode(utf8: text.utf8) }

    static func decode(utf8 text: some Collection<UInt8>) -> [UInt8]? {
        let (text, values) = (Array(text), values)
        var isValid = text.count % 4 != 1
        let bytes = [UInt8](unsafeUninitializedCapacity: text.count * 3 / 4) { bytes, count in
            var buffer: UInt32 = 0
            var bits = 0
            var all: UInt8 = 0
            for character in text {
                let value = values[Int(character)]
                all |= value
                buffer = buffer << 6 | UInt32(value)
                bits += 6
                if bits >= 8 {
                    bits -= 8
                    bytes[count] = UInt8(truncatingIfNeeded: buffer >> bits)
                    count += 1
                    buffer &= (1 << bits) - 1
                }
            }
            // Only a byte outside of the alphabet has more than six bits.
            isValid = isValid && all < 64 && buffer == 0
        }
        return isValid ? bytes : nil
    }
}

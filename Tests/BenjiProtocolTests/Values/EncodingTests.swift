import BenjiProtocol
import Testing

@Suite struct Base64URLTests {
    @Test(
        "The vectors of RFC 4648 §10, without padding",
        arguments: [
            ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("fooba", "Zm9vYmE"),
            ("foobar", "Zm9vYmFy"),
        ])
    func vectors(plain: String, encoded: String) {
        #expect(Base64URL.encode(Array(plain.utf8)) == encoded)
        #expect(Base64URL.decode(encoded) == Array(plain.utf8))
    }

    @Test(
        "One value has one text: padding, spaces, the other alphabet and left-over bits are refused",
        arguments: [
            "Zg==", "Zm8=", "Zm9v=", "Z", "Zm9vY", "Zh", "Zm9", "Zm9vYmF", "+_8", "a/8", "Zm 9v", "Zm9v\n", "Zm9é", "=",
        ])
    func strictness(text: String) {
        #expect(Base64URL.decode(text) == nil)
    }

    @Test("Whatever decodes encodes to the same text")
    func canonical() {
        var generator = SplitMix(state: 7)
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        for _ in 0..<5000 {
            let text = String(
                (0..<Int.random(in: 0...12, using: &generator)).map { _ in alphabet.randomElement(using: &generator)! })
            if let bytes = Base64URL.decode(text) { #expect(Base64URL.encode(bytes) == text) }
            let bytes = (0..<Int.random(in: 0...40, using: &generator)).map { _ in
                UInt8.random(in: .min ... .max, using: &generator)
            }
            #expect(Base64URL.decode(Base64URL.encode(bytes)) == bytes)
        }
    }
}

@Suite struct HexadecimalTests {
    @Test("Both cases are read, one is written")
    func vectors() {
        #expect(Hexadecimal.encode([0x00, 0x0f, 0xab]) == "000fab")
        #expect(Hexadecimal.encode([0xab], uppercase: true) == "AB")
        #expect(Hexadecimal.decode("000FaB") == [0x00, 0x0f, 0xab])
        for text in ["0", "0g", "0x00", "é", " 0", "-1"] { #expect(Hexadecimal.decode(text) == nil) }
    }
}

@Suite struct LengthPrefixedTests {
    @Test("No two lists of fields give the same bytes, where bare concatenation does")
    func injective() {
        func joined(_ domain: String, _ fields: String?...) -> [UInt8] {
            var bytes = LengthPrefixed(domain: domain)
            for field in fields { bytes.append(field) }
            return bytes.bytes
        }
        // The naive double: what the old dialects sign.
        #expect("ab" + "c" == "a" + "bc")
        #expect(joined("d", "ab", "c") != joined("d", "a", "bc"))
        #expect(joined("d", "a", "") != joined("d", "a"))
        #expect(joined("d", nil) != joined("d", ""))
        #expect(joined("d", "x") != joined("dx"))
    }

    @Test("The bytes are a four-byte length and the field, each time")
    func form() {
        var bytes = LengthPrefixed(domain: "d")
        bytes.append("中")
        #expect(bytes.bytes == [0, 0, 0, 1, 0x64, 0, 0, 0, 3, 0xe4, 0xb8, 0xad])
    }
}

@Suite struct TimestampTests {
    @Test(
        "Seconds are rounded down, before 1970 and at the ends of time too",
        arguments: [
            (0, 0), (999, 0), (1000, 1), (-1, -1), (-1000, -1), (-1001, -2), (Int64.max, Int64.max / 1000),
            (.min, .min / 1000 - 1),
        ] as [(Int64, Int64)])
    func seconds(milliseconds: Int64, seconds: Int64) {
        #expect(Timestamp(milliseconds: milliseconds).seconds == seconds)
    }

    @Test("Arithmetic saturates instead of trapping")
    func saturation() {
        #expect(Timestamp(milliseconds: .max) + .seconds(1) == Timestamp(milliseconds: .max))
        #expect(Timestamp(milliseconds: .min) - .seconds(1) == Timestamp(milliseconds: .min))
        #expect(Timestamp(milliseconds: .max) - Timestamp(milliseconds: .min) == .milliseconds(Int64.max))
        #expect(Timestamp(milliseconds: .min) - Timestamp(milliseconds: .max) == .milliseconds(Int64.min))
        #expect(Timestamp(seconds: .max) == Timestamp(milliseconds: .max))
        #expect(Timestamp(seconds: .min) == Timestamp(milliseconds: .min))
        #expect(Timestamp(milliseconds: 1500) + .milliseconds(-500) == Timestamp(seconds: 1))
    }
}

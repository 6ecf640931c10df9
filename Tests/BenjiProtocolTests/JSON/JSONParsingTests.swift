import BenjiProtocol
import Testing

@Suite struct JSONParsingTests {
    @Test(
        "Every kind of value is read",
        arguments: [
            ("null", JSON.null), ("true", true), ("false", false), ("0", 0), ("-0", .number("-0")),
            ("1.50e+10", .number("1.50e+10")), ("12345678901234567890123", .number("12345678901234567890123")),
            (#""""#, ""), (#""中国移动""#, "中国移动"), ("[]", .array([])), ("{}", .object([JSON.Member]())),
            (" \t\r\n[1 , 2]\n", .array([1, 2])),
            (#"{"a":{"b":[null]}}"#, .object(["a": .object(["b": .array([.null])])])),
        ])
    func values(text: String, value: JSON) throws {
        #expect(try JSON(parsing: text) == value)
    }

    @Test(
        "Whatever RFC 8259 does not allow is refused",
        arguments: [
            "", " ", "nul", "True", "nullx", "1 2", "01", "-", "+1", ".5", "1.", "1e", "1e+", "0x10", "NaN", "Infinity",
            "'a'",
            "\"", "\"a", "\"\\", "\"\\x\"", "\"\\u12\"", "\"\\u12g4\"", "\"\\u+123\"", "\"a\nb\"", "\"\u{0}\"", "[",
            "[1", "[1,]", "[,1]", "[1 2]",
            "]", "{", "{\"a\"", "{\"a\":", "{\"a\":1", "{\"a\":1,}", "{,}", "{a:1}", "{\"a\" 1}", "{1:1}",
            "{\"a\":1 \"b\":2}", "// c\n1",
            "\u{feff}1", "[1]]",
        ])
    func refusals(text: String) {
        #expect(throws: JSONError.self) { try JSON(parsing: text) }
    }

    @Test("A name that occurs twice in one object is refused, also when one is escaped")
    func duplicateNames() throws {
        #expect(throws: JSONError.self) { try JSON(parsing: #"{"sub":"a","sub":"b"}"#) }
        #expect(throws: JSONError.self) { try JSON(parsing: #"{"sub":"a","\u0073ub":"a"}"#) }
        #expect(throws: JSONError.self) { try JSON(parsing: #"[{"x":{"a":1,"b":2,"a":3}}]"#) }
        // The same name in two objects is two names.
        #expect(try JSON(parsing: #"{"a":{"a":1}}"#)["a"]?["a"] == 1)
    }

    @Test("Nesting is bounded, at exactly the stated depth")
    func depth() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        // The outermost value is at depth 0.
        #expect(throws: Never.self) { try JSON(parsing: nested(JSON.maximumDepth + 1)) }
        #expect(throws: JSONError.self) { try JSON(parsing: nested(JSON.maximumDepth + 2)) }
        // Would overflow the stack of a parser without a bound.
        #expect(throws: JSONError.self) { try JSON(parsing: String(repeating: "[", count: 1_000_000)) }
        #expect(throws: JSONError.self) { try JSON(parsing: String(repeating: #"{"a":"#, count: 1_000_000)) }
    }

    @Test("Escapes mean what RFC 8259 §7 says, surrogate pairs included")
    func escapes() throws {
        #expect(try JSON(parsing: #""\"\\\/\b\f\n\r\t\u0041\u00e9\u4E2D\ud83d\uDE00""#) == "\"\\/\u{8}\u{c}\n\r\tAé中😀")
        #expect(try JSON(parsing: #""\udbff\udfff""#) == .string("\u{10ffff}"))
    }

    @Test(
        "Half of a surrogate pair is refused",
        arguments: [
            #""\ud83d""#, #""\ude00""#, #""\ud83d\u0041""#, #""\ud83dx""#, #""\ud83d\n""#, #""\ud83d\ud83d""#,
            #""\ud83d\u""#,
        ])
    func loneSurrogates(text: String) {
        #expect(throws: JSONError.self) { try JSON(parsing: text) }
    }

    @Test(
        "Bytes that are not UTF-8 are refused",
        arguments: [
            [0xff], [0xc0, 0x80], [0xe0, 0x80, 0x80], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xe4, 0xb8],
            [0x80],
        ] as [[UInt8]])
    func invalidUTF8(bytes: [UInt8]) {
        #expect(throws: JSONError.self) { try JSON(parsing: [0x22] + bytes + [0x22]) }
        #expect(throws: JSONError.self) { try JSON(parsing: [0x22, 0x5c, 0x75] + bytes + [0x30, 0x30, 0x22]) }
    }

    @Test("An error says where and never repeats the text")
    func errorsKeepSecrets() {
        for text in [#"{"13800138000":"STsidsecret","13800138000":1}"#, #"{"token":"STsidsecret"#, "STsidsecret"] {
            let error = #expect(throws: JSONError.self) { try JSON(parsing: text) }
            #expect(error?.description.contains("byte ") == true)
            #expect(error?.description.contains("STsid") == false)
            #expect(error?.description.contains("138") == false)
        }
    }

    @Test("What is written is read back as it was")
    func roundTrip() throws {
        let controls = String(String.UnicodeScalarView((0...0x9f).compactMap { Unicode.Scalar($0) }))
        let value: JSON = .object([
            "z": .string(controls), "a": .array([.null, true, 1, .number("1E400"), "\"\\/😀\u{2028}"]),
            "empty": .object([JSON.Member]()), "": .array([]),
        ])
        #expect(try JSON(parsing: value.serialized) == value)
        #expect(value.text.hasPrefix(#"{"z":"#), "members keep their order")
    }

    @Test("Two texts that differ only in Unicode form stay two different byte sequences")
    func noNormalisation() throws {
        let decomposed = try #require(try JSON(parsing: "\"e\u{301}\"").stringValue)
        #expect(Array(decomposed.utf8) == [0x65, 0xcc, 0x81])
    }
}

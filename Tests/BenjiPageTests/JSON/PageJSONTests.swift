import Testing

@testable import BenjiPage

/// The error of parsing `text`, or `nil` if it parses.
private func refusal(_ text: String) -> PageError? { refusal(Array(text.utf8)) }

private func refusal(_ bytes: [UInt8]) -> PageError? {
    do throws(PageError) {
        _ = try PageJSON(parsing: bytes)
        return nil
    } catch {
        return error
    }
}

@Suite struct PageJSONParsingTests {
    @Test("Every kind of value is read, members in their order")
    func kinds() throws {
        let value = try PageJSON(parsing: #" {"b":[null,true,false,-1.5,"x"],"a":{}} "#)
        #expect(
            value
                == .object([
                    .init("b", .array([.null, .bool(true), .bool(false), .number(thousandths: -1500), .string("x")])),
                    .init("a", .object([])),
                ]))
    }

    @Test(
        "A number is exact in thousandths however it is written",
        arguments: [
            ("0", 0), ("-0", 0), ("0.0", 0), ("0e9", 0), ("1", 1000), ("0.001", 1), ("-0.05", -50), ("12.345", 12345),
            ("12.34500", 12345), ("1e3", 1_000_000), ("1.5E+2", 150_000), ("2500e-2", 25000), ("0.1e1", 1000),
            ("1000000", 1_000_000_000), ("-1000000", -1_000_000_000), ("10.05", 10050), ("0.00001e2", 1),
        ] as [(String, Int64)])
    func numbers(text: String, thousandths: Int64) throws {
        #expect(try PageJSON(parsing: text) == .number(thousandths: thousandths))
    }

    @Test(
        "What is not a JSON number of at most three decimals within a million is refused",
        arguments: [
            "NaN", "Infinity", "-", "+1", "01", "1.", ".5", "1e", "1e+", "0x10", "1.2345", "1e-4", "1000000.001",
            "1000001", "1e7", "1e999999999999", "-1e10", "123456789012345678901234567890123",
        ])
    func badNumbers(text: String) { #expect(refusal(text)?.place == "$", "\(text) was accepted") }

    @Test("Escapes and surrogate pairs become their characters")
    func escapes() throws {
        #expect(try PageJSON(parsing: #""\"\\\/\b\f\n\r\t\u4e00\uD83D\uDE00""#) == .string("\"\\/\u{8}\u{c}\n\r\t一😀"))
    }

    @Test(
        "What RFC 8259 does not allow is refused",
        arguments: [
            "", " ", "{", "[", "[1,]", "{\"a\":1,}", "{a:1}", "{\"a\" 1}", "{\"a\":1 \"b\":2}", "[1 2]", "\"",
            "\"\\x\"",
            "\"\\u12g4\"", "\"\\ud800\"", "\"\\ud800\\u0041\"", "\"\\udc00\"", "\"\u{1}\"", "tru", "nulll", "1 2",
            "'a'", "\u{FEFF}1", "// c\n1",
        ])
    func notJSON(text: String) { #expect(refusal(text) != nil, "\(text) was accepted") }

    @Test(
        "Bytes that are not UTF-8 are refused",
        arguments: [[0x80], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xff]] as [[UInt8]])
    func notUTF8(bytes: [UInt8]) { #expect(refusal([0x22] + bytes + [0x22])?.problem.contains("UTF-8") == true) }

    @Test("An error names the path of the field, also deep inside")
    func paths() {
        #expect(refusal(#"{"terms":{"items":[{"url":"a"},{"url":01}]}}"#)?.place == "$.terms.items[1].url")
        #expect(refusal(#"{"logo":{"size":1,"size":2}}"#)?.place == "$.logo.size")
        #expect(refusal(#"{"a":{"b":1},"c":?}"#)?.place == "$.c")
    }

    @Test("A name that may be anything is not repeated in an error")
    func secretNames() { #expect(refusal(#"{"13800138000":?}"#)?.place == "$.(unprintable)") }

    @Test("Ten megabytes in one text are refused with the path of that text, and quickly")
    func tenMegabytes() {
        var bytes = Array(#"{"logo":{"name":""#.utf8)
        bytes += [UInt8](repeating: 0x61, count: 10_485_760)
        bytes += Array(#""}}"#.utf8)
        let error = refusal(bytes)
        #expect(error?.place == "$.logo.name")
        #expect(error?.problem.contains("4096") == true)
    }

    @Test("Limits on depth, size, members and elements hold exactly")
    func limits() {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + "1" + String(repeating: "]", count: depth)
        }
        #expect(refusal(nested(PageJSON.maximumDepth)) == nil)
        #expect(refusal(nested(PageJSON.maximumDepth + 1)) != nil)
        func array(_ count: Int) -> String { "[" + [String](repeating: "1", count: count).joined(separator: ",") + "]" }
        #expect(refusal(array(PageJSON.maximumCount)) == nil)
        #expect(refusal(array(PageJSON.maximumCount + 1)) != nil)
        func object(_ count: Int) -> String { "{" + (0..<count).map { "\"a\($0)\":1" }.joined(separator: ",") + "}" }
        #expect(refusal(object(PageJSON.maximumCount)) == nil)
        #expect(refusal(object(PageJSON.maximumCount + 1)) != nil)
        func string(_ count: Int) -> String { "\"" + String(repeating: "a", count: count) + "\"" }
        #expect(refusal(string(PageJSON.maximumString)) == nil)
        #expect(refusal(string(PageJSON.maximumString + 1)) != nil)
        #expect(refusal(String(repeating: " ", count: PageJSON.maximumSize - 1) + "1") == nil)
        #expect(refusal(String(repeating: " ", count: PageJSON.maximumSize + 1) + "1") != nil)
    }
}

@Suite struct PageJSONWritingTests {
    @Test(
        "What is written is read back as the same value, and read text is written in its canonical form",
        arguments: [
            ("[ 1.50 , -0 , 1e2 ]", "[1.5,0,100]"), (#"{"b":1,"a":-0.005}"#, #"{"b":1,"a":-0.005}"#),
            (#""\u0041\/\u0007\n\u007f""#, #""A/\u0007\n\u007f""#), (#""中文\"\\""#, #""中文\"\\""#),
            ("[true,false,null,{}]", "[true,false,null,{}]"), ("1.001", "1.001"), ("-12.34", "-12.34"),
        ])
    func canonical(text: String, canonical: String) throws {
        let value = try PageJSON(parsing: text)
        #expect(value.text == canonical)
        #expect(try PageJSON(parsing: value.bytes) == value)
    }

    @Test("A double becomes the nearest thousandth, and what is no number becomes nothing")
    func doubles() {
        #expect(PageJSON.number(1.0005) == .number(thousandths: 1001))
        #expect(PageJSON.number(-1.0005) == .number(thousandths: -1001))
        #expect(PageJSON.number(-0.0001) == .number(thousandths: 0))
        #expect(PageJSON.number(.nan) == nil)
        #expect(PageJSON.number(.infinity) == nil)
        #expect(PageJSON.number(1_000_000.5) == nil)
    }

    @Test("Names are told apart by their bytes, not by how they look")
    func bytesNotLooks() throws {
        let value = try PageJSON(parsing: "{\"\u{e9}\":1,\"e\u{301}\":2}")
        #expect(value["\u{e9}"] == .number(thousandths: 1000))
        #expect(value["e\u{301}"] == .number(thousandths: 2000))
    }
}

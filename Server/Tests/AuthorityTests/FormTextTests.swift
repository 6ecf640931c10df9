import Testing

@testable import Authority

@Suite("Form-encoded parameters")
struct FormTextTests {
    @Test("what was encoded is decoded, whatever it holds")
    func roundTrip() throws {
        for text in ["", "a b+c", "a=b&c", "号码 ✓", "%41", "\u{0}\n", "https://a.example/?b=c#d"] {
            let pairs = try #require(FormText.pairs(Array("x=\(FormText.encode(text))".utf8)))
            #expect(pairs.count == 1 && pairs[0].name == "x" && pairs[0].value == text)
        }
    }

    @Test("plus is a space, a name without a value has an empty one, and empty parts are none")
    func habits() throws {
        let pairs = try #require(FormText.pairs(Array("a=1+2&&b&c==".utf8)))
        #expect(pairs.map(\.name) == ["a", "b", "c"])
        #expect(pairs.map(\.value) == ["1 2", "", "="])
        let nameless = try #require(FormText.pairs(Array("=a+b=c&d+=e=".utf8)))
        #expect(nameless.map(\.name) == ["", "d "] && nameless.map(\.value) == ["a b=c", "e="])
    }

    @Test("all but letters, digits and four marks is escaped in capitals, and so are other marks unless they are kept")
    func escapes() {
        let plain = "azAZ09-._~"
        #expect(FormText.encode(plain) == plain)
        #expect(FormText.encode("@[`{/: ÿ") == "%40%5B%60%7B%2F%3A%20%C3%BF")
        #expect(FormText.encode("/:?", keeping: "/:") == "/:%3F")
        #expect(FormText.decode(Array("%C3%bf%2f".utf8)) == "ÿ/", "of either case")
    }

    @Test("a broken escape or what is no UTF-8 is refused", arguments: ["a=%", "a=%4", "a=%4g", "a=%ff", "%c3=1"])
    func broken(_ text: String) { #expect(FormText.pairs(Array(text.utf8))?.count == nil) }

    @Test("parameters join a query that is there")
    func adding() {
        #expect(
            FormText.adding(["a": "1 2", "b": nil], to: "https://x.example/?c=d") == "https://x.example/?c=d&a=1%202")
        #expect(FormText.adding(["a": "&"], to: "https://x.example/") == "https://x.example/?a=%26")
    }
}

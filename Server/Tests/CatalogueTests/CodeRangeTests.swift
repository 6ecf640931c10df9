import Testing

@testable import Catalogue

@Suite("Ranges of codes")
struct CodeRangeTests {
    @Test("A range is every number from its first to its last, with sign and leading zeros")
    func ranges() {
        #expect(CodeRange.codes("200052...200054") == ["200052", "200053", "200054"])
        #expect(CodeRange.codes("-8001...-8003") == ["-8001", "-8002", "-8003"])
        #expect(CodeRange.codes("009...011") == ["009", "010", "011"])
        #expect(CodeRange.codes("100...199")?.count == CodeRange.maximumCount)
    }

    @Test("A code without three dots stands for itself, whatever it is made of")
    func single() {
        for code in ["103000", "-64", "000", "token_spent", "NUMBER_VERIFICATION.USER_NOT_AUTHENTICATED"] {
            #expect(CodeRange.codes(code) == [code])
        }
    }

    @Test(
        "What is no range of numbers, runs backwards or is too long is refused",
        arguments: [
            "...", "1...", "...2", "1...2...3", "2...1", "2...2", "9...10", "-1...2", "1...-2", "-2...-1", "a...b",
            "1... 2",
            "+1...+2", "100...200", "١...٢", "1....2", "99999999999999999998...99999999999999999999",
        ])
    func refused(_ text: String) {
        #expect(CodeRange.codes(text) == nil)
    }
}

import Authority
import Testing

@Suite("Source ids")
struct SourceIDGrammarTests {
    @Test(
        "1 to 32 ASCII digits are a source id",
        arguments: ["0", "800120170818101447", String(repeating: "9", count: 32)])
    func accepted(text: String) { #expect(SourceIDGrammar.matches(text)) }

    @Test(
        "nothing else is one",
        arguments: ["", String(repeating: "9", count: 33), "80012017081810144a", " 1", "-1", "１", "1\n"])
    func refused(text: String) { #expect(!SourceIDGrammar.matches(text)) }
}

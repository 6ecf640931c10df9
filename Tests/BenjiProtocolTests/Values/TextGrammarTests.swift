@_spi(Server) import BenjiProtocol
import Testing

@Suite struct TextGrammarTests {
    @Test(
        "A text with code points that a reader does not see, or that change how others are shown, is refused",
        arguments: [
            ("Shop\u{202e}lapyaP", "U+202E at character 5"), ("\u{61c}a", "U+061C at character 1"),
            ("a\u{200e}", "U+200E at character 2"), ("a\u{200f}b", "U+200F"), ("a\u{2066}b\u{2069}", "U+2066"),
            ("a\u{0}b", "U+0000 at character 2"), ("a\tb", "U+0009"), ("a\nb", "U+000A"), ("a\u{7f}b", "U+007F"),
            ("a\u{85}b", "U+0085"), ("a\u{2028}b", "U+2028"), ("a\u{2029}b", "U+2029"), ("a\u{ad}b", "U+00AD"),
            ("a\u{200b}b", "U+200B"), ("a\u{2060}b", "U+2060"), ("\u{feff}a", "U+FEFF"), ("\u{3164}", "U+3164"),
            ("a\u{e000}", "U+E000"), ("a\u{f8ff}", "U+F8FF"), ("a\u{f0000}", "U+F0000"), ("a\u{fffe}", "U+FFFE"),
            ("a\u{ffff}", "U+FFFF"), ("a\u{1fffe}", "U+1FFFE"), ("a\u{50000}", "U+50000"), ("a\u{e0041}", "U+E0041"),
            ("登\u{200d}录", "U+200D at character 2"), ("登\u{fe0f}录", "U+FE0F"), ("1\u{fe0f}", "U+FE0F"),
            ("👩\u{200d}", "U+200D at character 2"), ("a\u{200c}b", "U+200C"), ("a\u{180e}b", "U+180E"),
            ("a\u{2800}b", "U+2800"), ("a\u{fffc}b", "U+FFFC"), ("a\u{13430}b", "U+13430"),
            ("a\u{13455}b", "U+13455"), ("क\u{200c}ख", "U+200C at character 2"), ("কি\u{200d}ক", "U+200D"),
            ("র\u{200d}ক", "U+200D"), ("a\u{2190}\u{fe0e}b", "U+FE0E at character 3"),
        ])
    func refused(text: String, place: String) throws {
        #expect(try #require(TextGrammar.problem(in: text)).hasPrefix("must not hold \(place)"))
        #expect(TextGrammar.problem(inName: text) == TextGrammar.problem(in: text))
        let cleaned = TextGrammar.cleaned(text)
        #expect(TextGrammar.problem(in: cleaned) == nil)
        #expect(cleaned.unicodeScalars.allSatisfy { text.unicodeScalars.contains($0) }, "nothing is put in their place")
    }

    @Test(
        "A text of any script, with emoji, is good and is not changed by cleaning",
        arguments: [
            "商店", "Café №5 — “Shop” & Co.", "متجر", "می\u{200c}خواهم", "क्\u{200d}ष", "র\u{200d}\u{9cd}যাব",
            "ක්\u{200d}රම", "↔️ ↩️", "ᠮᠣᠩᠭᠣᠯ ᠲᠥ\u{180b}", "བསྒྲུབས",
            "Cửa hàng", "ร้านค้า",
            "❤️", "1️⃣", "👨‍👩‍👧‍👦", "👩🏽‍⚕️ ok", "🏳️‍🌈", "🇨🇳", "全角　空格",
        ])
    func good(text: String) {
        #expect(TextGrammar.problem(in: text) == nil)
        #expect(TextGrammar.problem(inName: text) == nil)
        #expect(TextGrammar.cleaned(text) == text)
    }

    @Test("A code point that Unicode calls ignorable by default is refused after a letter, and cleaned away")
    func ignorable() {
        var ignorable = 0
        for value in 0...0x10ffff as ClosedRange<UInt32> {
            guard let scalar = Unicode.Scalar(value), scalar.properties.isDefaultIgnorableCodePoint else { continue }
            ignorable += 1
            let text = "a\(scalar)"
            if TextGrammar.problem(in: text) == nil || TextGrammar.cleaned(text) != "a" {
                Issue.record("U+\(String(value, radix: 16, uppercase: true)) is good")
            }
        }
        #expect(ignorable > 4000)
    }

    @Test("A line feed is good where a text may have several lines, and no other control character is")
    func lineFeeds() {
        #expect(TextGrammar.problem(in: "a\nb", allowsLineFeeds: true) == nil)
        #expect(TextGrammar.problem(in: "a\r\nb", allowsLineFeeds: true)?.contains("U+000D at character 2") == true)
        #expect(TextGrammar.cleaned("a\r\nb", keepsLineFeeds: true) == "a\nb")
        #expect(TextGrammar.cleaned("a\nb") == "ab")
    }

    @Test(
        "A name has no white space at its ends, no mark without a letter, no pile of marks, and nothing unassigned",
        arguments: [
            ("", "must not be empty"), (" Shop", "U+0020 at character 1"), ("Shop\u{3000}", "U+3000 at character 5"),
            ("  ", "U+0020"), ("\u{301}a", "U+0301 at character 1"),
            ("Z\u{301}\u{302}\u{303}\u{304}\u{305}", "U+0305 at character 6"), ("a\u{378}", "U+0378"),
        ])
    func names(text: String, place: String) {
        #expect(TextGrammar.problem(inName: text)?.contains(place) == true)
        #expect(TextGrammar.problem(in: text) == nil, "a text is held to less")
    }

    @Test("A check for control characters alone takes a name that reads backwards; the grammar refuses it")
    func naiveDouble() {
        func naive(_ text: String) -> Bool {
            !text.unicodeScalars.contains { $0.properties.generalCategory == .control }
        }
        #expect(naive("Shop\u{202e}lapyaP") && naive("商店"))
        #expect(TextGrammar.problem(inName: "Shop\u{202e}lapyaP") != nil && TextGrammar.problem(inName: "商店") == nil)
    }
}

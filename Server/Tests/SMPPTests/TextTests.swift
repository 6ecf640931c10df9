import Testing

@testable import SMPP

struct TextTests {
    /// The table of 3GPP TS 23.038 §6.2.1 by code, at places that a slip of one would move.
    @Test("the default alphabet has its characters where the standard has them")
    func table() {
        let places: [(UInt8, String)] = [
            (0x00, "@"), (0x02, "$"), (0x0a, "\n"), (0x0d, "\r"), (0x10, "Δ"), (0x11, "_"), (0x1c, "Æ"), (0x1f, "É"),
            (0x20, " "), (0x24, "¤"), (0x30, "0"), (0x40, "¡"), (0x41, "A"), (0x5b, "Ä"), (0x5f, "§"), (0x60, "¿"),
            (0x61, "a"), (0x7a, "z"), (0x7b, "ä"), (0x7f, "à"),
        ]
        for (code, character) in places {
            #expect(DefaultAlphabet.text([code]) == character)
            #expect(MessageText(character, reference: 0)?.parts == [[code]])
        }
        #expect(
            MessageText("€[]{}\\^~|", reference: 0)?.parts == [
                [
                    0x1b, 0x65, 0x1b, 0x3c, 0x1b, 0x3e, 0x1b, 0x28, 0x1b, 0x29, 0x1b, 0x2f, 0x1b, 0x14, 0x1b, 0x3d,
                    0x1b, 0x40,
                ]
            ])
    }

    @Test("each of the 128 codes but the escape is written as it is read")
    func all() {
        for code in UInt8(0)..<128 where code != 0x1b {
            let text = DefaultAlphabet.text([code])!
            #expect(MessageText(text, reference: 0)?.parts == [[code]])
        }
    }

    @Test("an escape that leads nowhere is read as the standard says, and an octet above 127 is no text")
    func escapes() {
        #expect(DefaultAlphabet.text([0x1b, 0x41]) == "A")
        #expect(DefaultAlphabet.text([0x1b]) == " ")
        #expect(DefaultAlphabet.text([0x1b, 0x1b, 0x65]) == " e")
        #expect(DefaultAlphabet.text([0x80]) == nil)
    }

    @Test("160 septets are one message and 161 are two, the first of 153")
    func septets() throws {
        let one = try #require(MessageText(String(repeating: "a", count: 160), reference: 9))
        #expect(one.parts.count == 1 && one.parts[0].count == 160 && !one.hasHeaders)
        let two = try #require(MessageText(String(repeating: "a", count: 161), reference: 9))
        #expect(two.parts.map(\.count) == [6 + 153, 6 + 8])
        #expect(two.parts.map { Array($0[..<6]) } == [[5, 0, 3, 9, 2, 1], [5, 0, 3, 9, 2, 2]])
    }

    @Test("70 units of UTF-16 are one message and 71 are two, the first of 67")
    func units() throws {
        let one = try #require(MessageText(String(repeating: "验", count: 70), reference: 9))
        #expect(one.coding == .ucs2 && one.parts.map(\.count) == [140])
        let two = try #require(MessageText(String(repeating: "验", count: 71), reference: 9))
        #expect(two.parts.map(\.count) == [140, 6 + 8])
    }

    @Test("no part ends within a surrogate pair or an escape, and no character is lost")
    func cuts() throws {
        for padding in 150...160 {
            let text = String(repeating: "a", count: padding) + String(repeating: "€", count: 10)
            let cut = try #require(MessageText(text, reference: 1))
            #expect(cut.parts.count == 2)
            for part in cut.parts {
                #expect(part.count <= 159)
                #expect(part.last != 0x1b)
            }
            #expect(cut.parts.compactMap { DataCoding.standard.text(Array($0[6...])) }.joined() == text)
        }
        for padding in 60...72 {
            let text = String(repeating: "验", count: padding) + String(repeating: "😀", count: 10)
            let cut = try #require(MessageText(text, reference: 1))
            // A half of a pair is no text.
            let texts = cut.parts.map { DataCoding.ucs2.text(Array($0[6...])) }
            #expect(texts.compactMap { $0 }.joined() == text)
            for part in cut.parts { #expect(part.count <= 140) }
        }
    }

    @Test("a text that needs more than 255 parts is none")
    func tooLong() {
        #expect(MessageText(String(repeating: "a", count: 255 * 153), reference: 1)?.parts.count == 255)
        #expect(MessageText(String(repeating: "a", count: 255 * 153 + 1), reference: 1) == nil)
    }

    @Test("a phone's text is read without its header, in each coding")
    func phone() {
        func text(_ octets: [UInt8], _ coding: DataCoding, messageClass: UInt8 = 0) -> String? {
            Message(
                source: Address(source: ""), destination: Address(source: ""), messageClass: messageClass,
                coding: coding, octets: octets
            ).text
        }
        #expect(text([5, 0, 3, 1, 2, 1, 0x48, 0x69], .standard, messageClass: 0x40) == "Hi")
        #expect(text([0x54, 0x44], .ascii) == "TD")
        #expect(text([0xe9], .latin1) == "é")
        #expect(text([0x90, 0x00, 0x8b, 0xa2], .ucs2) == "退订")
        #expect(text([0xd8, 0x3d], .ucs2) == nil)
        #expect(text([0x90], .ucs2) == nil)
        #expect(text([1], DataCoding(rawValue: 4)) == nil)
        #expect(text([9, 0], .standard, messageClass: 0x40) == nil)
    }
}

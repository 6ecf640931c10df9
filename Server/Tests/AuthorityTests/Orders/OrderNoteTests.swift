import Authority
@_spi(Server) import BenjiProtocol
import Testing

@Suite("What an order's line says")
struct OrderNoteTests {
    @Test("a reason has 1 to 500 bytes without hidden characters")
    func texts() {
        for (reason, words) in [
            ("", "1 to 500 bytes"), (String(repeating: "x", count: 501), "1 to 500 bytes"), ("a\u{202e}b", "U+202E"),
            ("a\nb", "U+000A"), ("13800000001", "a phone number"),
        ] { #expect(OrderNote.problem(inReason: reason)?.contains(words) == true, "\(reason.prefix(9))") }
        for reason in ["x", String(repeating: "x", count: 500)] { #expect(OrderNote.problem(inReason: reason) == nil) }
    }

    @Test(
        "a reason does not hold a mobile number, however its digits are grouped",
        arguments: [
            "asked for 13800000001", "+8613800000001", "asked for 138-0000-0001", "138 0000 0001", "(138) 0000.0001",
            "+86 138 0000 0001", "of 2026-11-23, 138–0000–0001", "138\u{a0}0000\u{a0}0001", "１３８０００００００１",
            "1 3 8 0 0 0 0 0 0 0 1", "86 138 0000 0001", "7 13800000001", "13800000001 7", "12 34 138 0000 0001",
            "138/0000_0001", "138—0000·0001", "9913800000001",
        ])
    func numbers(reason: String) { #expect(OrderNote.problem(inReason: reason) != nil) }

    @Test(
        "a reason may hold times, ids and tickets; a word, a comma or a colon ends a number",
        arguments: [
            "they moved", "ticket 4711", "2026-11-15 19:30:12.345", "app 300000000001", "tickets 15, 16, 17",
            "since 1763918000000", "12345678901", "the 138th", "138 0000, 0001", "138 x 0000 0001", "138:0000:0001",
            "138 0000 001", "1380000000 01 1", "138000000011", "913800000001", "23800000001",
        ])
    func others(reason: String) { #expect(OrderNote.problem(inReason: reason) == nil) }

    @Test(
        """
        the last eight digits of the number that an order is about are refused, whatever country it is of; seven are not
        """
    )
    func ownNumber() throws {
        let number = try #require(PhoneNumber("+4915112345678"))
        for (reason, isRefused) in [
            ("ticket 12345678", true), ("1-2-3-4-5-6-7-8", true), ("a1b2c3d4e5f6g7h8", true),
            ("0151/12345678 asked", true), ("ticket 2345678", false), ("ticket 1234567", false),
        ] {
            #expect((OrderNote.problem(inReason: reason, of: number) != nil) == isRefused, "\(reason)")
            #expect(OrderNote.problem(inReason: reason) == nil, "\(reason), of no number in particular")
        }
    }
}

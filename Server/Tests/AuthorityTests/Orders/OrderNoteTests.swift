import Authority
@_spi(Server) import BenjiProtocol
import Testing

@Suite("What an order's line says")
struct OrderNoteTests {
    @Test(
        "a reason does not hold a mobile number, however its digits are grouped",
        arguments: [
            "asked for 13800000001", "+8613800000001", "asked for 138-0000-0001", "138 0000 0001", "(138) 0000.0001",
            "+86 138 0000 0001", "of 2026-11-23, 138–0000–0001", "138\u{a0}0000\u{a0}0001", "１３８０００００００１",
        ])
    func numbers(reason: String) { #expect(OrderNote.problem(inReason: reason) != nil) }

    @Test(
        "a reason may hold times, ids and tickets",
        arguments: [
            "they moved", "ticket 4711", "2026-11-15 19:30:12.345", "app 300000000001", "tickets 15, 16, 17",
            "since 1763918000000", "12345678901",
        ])
    func others(reason: String) { #expect(OrderNote.problem(inReason: reason) == nil) }

    @Test("a reason does not hold the number that the order is about, whatever country it is of")
    func ownNumber() throws {
        let number = try #require(PhoneNumber("+4915112345678"))
        #expect(OrderNote.problem(inReason: "0151/12345678 asked", of: number) != nil)
        #expect(OrderNote.problem(inReason: "0151/12345678 asked") == nil)
        #expect(OrderNote.problem(inReason: "ticket 5678", of: number) == nil)
    }
}

import BenjiProtocol
import Testing

@testable import Endpoints

@Suite("The operators' times")
struct CMPassportTimeTests {
    @Test("seventeen digits are a moment in UTC+8, and back")
    func roundTrip() throws {
        // The token of TYRZSDK's example carries 1517196594066; its request was sent a second later.
        let moment = try #require(CMPassportTime.parse("20180129112955435"))
        #expect(moment == Timestamp(milliseconds: 1_517_196_595_435))
        #expect(CMPassportTime.format(moment) == "20180129112955435")
        #expect(CMPassportTime.formatDateTime(moment) == "2018-01-29 11:29:55")
    }

    @Test(
        "the calendar is right at its edges",
        arguments: [
            ("19700101080000000", 0), ("20000229000000000", 951_753_600_000), ("20240229235959999", 1_709_222_399_999),
            ("20261231235959001", 1_798_732_799_001), ("21000301000000000", 4_107_513_600_000),
        ] as [(String, Int64)])
    func edges(text: String, milliseconds: Int64) {
        #expect(CMPassportTime.parse(text) == Timestamp(milliseconds: milliseconds))
        #expect(CMPassportTime.format(Timestamp(milliseconds: milliseconds)) == text)
    }

    @Test(
        "what is no moment is refused",
        arguments: [
            "", "2018012911295543", "201801291129554350", "2018012911295543x", "20180229112955435", "21000229000000000",
            "20181301112955435", "20180029112955435", "20180100112955435", "20180132112955435", "20180129242955435",
            "20180129116055435", "20180129112960435", "00000101000000000", "+0180129112955435", "２0180129112955435",
        ])
    func refused(text: String) {
        #expect(CMPassportTime.parse(text) == nil)
    }
}

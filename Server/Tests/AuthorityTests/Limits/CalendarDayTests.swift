import Authority
import BenjiProtocol
import Testing

@Suite("Days")
struct CalendarDayTests {
    @Test(
        "A moment has a day of UTC+8 with a year of at most four digits, however far away it is",
        arguments: [
            (Int64.max, "9999-12-31"), (253_402_272_000_000, "9999-12-31"), (253_402_271_999_999, "9999-12-31"),
            (253_402_185_599_999, "9999-12-30"), (1_795_017_599_999, "2026-11-18"), (1_795_017_600_000, "2026-11-19"),
            (-28_800_001, "1969-12-31"), (-28_800_000, "1970-01-01"),
        ])
    func far(milliseconds: Int64, day: String) {
        #expect(CalendarDay(Timestamp(milliseconds: milliseconds)).description == day)
    }

    @Test("A moment before the year 1 counts as its first day")
    func past() { #expect(CalendarDay(Timestamp(milliseconds: .min)).number == 10_101) }
}

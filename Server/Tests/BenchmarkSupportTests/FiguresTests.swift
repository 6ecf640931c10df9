import BenchmarkSupport
import Testing

@Suite("Figures")
struct FiguresTests {
    @Test("the median is the middle value, whatever the order")
    func median() {
        #expect(Figures([9, 1, 5]).median == 5)
        #expect(Figures([4, 1, 3, 2]).median == 2.5)
    }

    @Test("a ratio is taken round by round, so that a slow round cancels out")
    func ratio() {
        let ratio = Figures([100, 10, 100]).ratio(to: Figures([50, 5, 50]))
        #expect(ratio == Figures([2, 2, 2]))
    }

    @Test("every contestant runs once a round and gets its own figures")
    func rounds() async throws {
        var order: [String] = []
        let figures = try await Rounds(2).run([
            (
                "a",
                {
                    order.append("a")
                    return 1
                }
            ),
            (
                "b",
                {
                    order.append("b")
                    return 2
                }
            ),
        ])
        #expect(figures == [Figures([1, 1]), Figures([2, 2])])
        #expect(order == ["a", "b", "b", "a"])
    }

    @Test("numbers are written with three significant digits")
    func short() {
        #expect(1_234_567.0.short == "1,230,000")
        #expect(12.345.short == "12.3")
        #expect(999.9.short == "1,000")
        #expect(0.001234.short == "0.00123")
        #expect((-4321.0).short == "-4,320")
        #expect(0.0.short == "0")
    }
}

import BenchmarkSupport
import Testing

@Suite("Tables of figures")
struct TableTests {
    @Test("figures stand to the right and words to the left")
    func text() {
        var table = Table(["name", "rate"])
        table.add(["a", "1,000"])
        table.add(["long name", "7"])
        #expect(table.text == "name        rate\na          1,000\nlong name      7")
        #expect(table.markdown == "| name | rate |\n| --- | ---: |\n| a | 1,000 |\n| long name | 7 |")
    }

    @Test("the line for the collector holds ratio, rows and spreads")
    func json() throws {
        let result = BenchmarkResult(
            "sample", ratioOf: "a / b", ratio: Figures([2, 3, 4]), rows: [.init("a", Figures([5]), unit: "/s")])
        #expect(
            try result.json
                == #"{"benchmark":"sample","ratio":3,"ratioOf":"a / b","rounds":3,"#
                + #""rows":[{"median":5,"name":"a","note":"","spread":{"highest":5,"lowest":5},"unit":"/s"}],"#
                + #""spread":{"highest":4,"lowest":2}}"#
        )
    }
}

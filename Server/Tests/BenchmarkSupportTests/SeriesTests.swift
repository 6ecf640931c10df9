import BenchmarkSupport
import Foundation
import Testing

@Suite("Series")
struct SeriesTests {
    private func measured() async throws -> Series {
        // Two microseconds at 10, three at 1000, in every round.
        try await Series.measured("work", over: "things", sizes: [1000, 10], rounds: 3) { $0 == 10 ? 2 : 3 }
    }

    @Test("points stand in the order of their sizes, with a figure for each round")
    func points() async throws {
        let series = try await measured()
        #expect(series.points.map(\.size) == [10, 1000])
        #expect(series.points.map(\.figures.values) == [[2, 2, 2], [3, 3, 3]])
    }

    @Test("growth is the largest size's figure to the smallest one's")
    func growth() async throws {
        #expect(try await measured().growth.values == [1.5, 1.5, 1.5])
    }

    @Test("a result tells the points of its series to the collector and in its table")
    func told() async throws {
        let series = try await measured()
        let result = BenchmarkResult("b", ratioOf: "c / d", ratio: series.growth, rows: [], series: [series])
        let line = try #require(try JSONSerialization.jsonObject(with: Data(result.json.utf8)) as? [String: Any])
        let told = try #require((line["series"] as? [[String: Any]])?.first)
        #expect(told["over"] as? String == "things" && told["unit"] as? String == "µs")
        #expect((told["points"] as? [[String: Any]])?.compactMap { $0["size"] as? Int } == [10, 1000])
        #expect(result.table.text.contains("work, 1,000 things"))
    }

    @Test("a result without series says nothing of them")
    func none() throws {
        let result = BenchmarkResult("b", ratioOf: "c / d", ratio: Figures([1]), rows: [])
        #expect(!(try result.json.contains("series")))
    }
}

import Sightings
import Testing

@testable import Gateway

struct GatewayMetricsTests {
    @Test("each result of a packet and of a sighting is counted under its own name, spelt as metrics are")
    func results() {
        let metrics = GatewayMetrics()
        let none = metrics.counts(sessions: 0)
        #expect(none.sessions == 0 && none.packets.values.allSatisfy { $0 == 0 })
        #expect(none.packets.count == DropReason.allCases.count + 2)
        #expect(none.sightings.count == SightingRefusal.allCases.count + 1)
        metrics.answered(2)
        metrics.answered(0)
        metrics.repeated(3)
        metrics.sighted()
        for (place, reason) in DropReason.allCases.enumerated() {
            metrics.dropped(reason)
            metrics.dropped(reason, count: place + 3)
        }
        for (place, refusal) in SightingRefusal.allCases.enumerated() {
            for _ in 0..<(place + 2) { metrics.refused(refusal) }
        }
        let counts = metrics.counts(sessions: 7)
        #expect(counts.sessions == 7 && counts.packets["answered"] == 2 && counts.packets["repeated"] == 3)
        for (place, reason) in DropReason.allCases.enumerated() {
            #expect(counts.packets[reason.rawValue] == place + 4, "\(reason)")
        }
        #expect(counts.sightings["sighted"] == 1 && counts.sightings["unknown_address"] != nil)
        #expect(counts.sightings.keys.allSatisfy { $0.allSatisfy { $0.isLowercase || $0 == "_" } })
        #expect(counts.sightings.values.sorted() == Array(1...(SightingRefusal.allCases.count + 1)))
    }
}

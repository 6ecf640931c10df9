import BenjiProtocol
import Metrics
import NIOConcurrencyHelpers
import Sightings

/// Packets and sightings by result, and the number of sessions.
package struct GatewayCounts: Sendable, Hashable {
    /// Sessions in the directory, stale ones included until they are swept.
    package var sessions: Int
    /// Packets by result, as in `benji_gateway_accounting_packets_total{result}`: `answered`, `repeated`, or a
    /// ``DropReason``.
    package var packets: [String: Int]
    /// Answers about addresses by result: `sighted` or a refusal.
    package var sightings: [String: Int]
}

struct GatewayMetrics: Sendable {
    private let packets: CountedFamily
    private let sightings: CountedFamily
    /// Indices of results in their families.
    private let drops: [DropReason: Int]
    private let refusals: [SightingRefusal: Int]
    private let sessions = Gauge(label: "benji_gateway_sessions")
    private let journalFailures = Counter(label: "benji_gateway_journal_failures_total")

    init() {
        packets = CountedFamily(
            label: "benji_gateway_accounting_packets_total",
            results: [Self.answered, Self.repeated] + DropReason.allCases.map(\.rawValue))
        sightings = CountedFamily(
            label: "benji_gateway_sightings_total",
            results: [Self.sighted] + SightingRefusal.allCases.map(Self.label))
        drops = Dictionary(uniqueKeysWithValues: zip(DropReason.allCases, 2...))
        refusals = Dictionary(uniqueKeysWithValues: zip(SightingRefusal.allCases, 1...))
    }

    private static let answered = "answered"
    private static let repeated = "repeated"
    private static let sighted = "sighted"

    /// `unknownAddress` as the other labels are written: `unknown_address`.
    private static func label(_ refusal: SightingRefusal) -> String {
        refusal.rawValue.reduce(into: "") { $0 += $1.isUppercase ? "_\($1.lowercased())" : String($1) }
    }

    func answered(_ count: Int) { packets.increment(0, by: count) }
    func repeated(_ count: Int) { packets.increment(1, by: count) }
    func dropped(_ reason: DropReason, count: Int = 1) { packets.increment(drops[reason] ?? 0, by: count) }
    func sighted() { sightings.increment(0, by: 1) }
    func refused(_ refusal: SightingRefusal) { sightings.increment(refusals[refusal] ?? 0, by: 1) }
    func sessions(_ count: Int) { sessions.record(count) }
    func journalFailed() { journalFailures.increment() }

    func counts(sessions: Int) -> GatewayCounts {
        GatewayCounts(sessions: sessions, packets: packets.values, sightings: sightings.values)
    }
}

/// Counters of one name that differ in the label `result`, by the results' indices.
private struct CountedFamily: Sendable {
    private let results: [String]
    private let counters: [Counter]
    private let totals: NIOLockedValueBox<[Int]>

    init(label: String, results: [String]) {
        self.results = results
        counters = results.map { Counter(label: label, dimensions: [("result", $0)]) }
        totals = NIOLockedValueBox(Array(repeating: 0, count: results.count))
    }

    func increment(_ index: Int, by count: Int) {
        guard count > 0 else { return }
        counters[index].increment(by: count)
        totals.withLockedValue { $0[index] += count }
    }

    var values: [String: Int] {
        Dictionary(uniqueKeysWithValues: zip(results, totals.withLockedValue { $0 }))
    }
}

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
    private let sessions = Gauge(label: "benji_gateway_sessions")
    private let journalFailures = Counter(label: "benji_gateway_journal_failures_total")

    init() {
        packets = CountedFamily(
            label: "benji_gateway_accounting_packets_total",
            results: ["answered", "repeated"] + DropReason.allCases.map(\.rawValue))
        sightings = CountedFamily(
            label: "benji_gateway_sightings_total",
            results: ["sighted"] + SightingRefusal.allCases.map(Self.label))
    }

    /// `unknownAddress` as the other labels are written: `unknown_address`.
    private static func label(_ refusal: SightingRefusal) -> String {
        refusal.rawValue.reduce(into: "") { $0 += $1.isUppercase ? "_\($1.lowercased())" : String($1) }
    }

    func packet(_ result: String, count: Int = 1) { packets.increment(result, by: count) }
    func sighted() { sightings.increment("sighted", by: 1) }
    func refused(_ refusal: SightingRefusal) { sightings.increment(Self.label(refusal), by: 1) }
    func sessions(_ count: Int) { sessions.record(count) }
    func journalFailed() { journalFailures.increment() }

    func counts(sessions: Int) -> GatewayCounts {
        GatewayCounts(sessions: sessions, packets: packets.values, sightings: sightings.values)
    }
}

/// Counters of one name that differ in the label `result`.
private struct CountedFamily: Sendable {
    private let counters: [String: Counter]
    private let totals: NIOLockedValueBox<[String: Int]>

    init(label: String, results: [String]) {
        counters = Dictionary(
            uniqueKeysWithValues: results.map { ($0, Counter(label: label, dimensions: [("result", $0)])) })
        totals = NIOLockedValueBox(Dictionary(uniqueKeysWithValues: results.map { ($0, 0) }))
    }

    func increment(_ result: String, by count: Int) {
        guard count > 0 else { return }
        counters[result]?.increment(by: count)
        totals.withLockedValue { $0[result, default: 0] += count }
    }

    var values: [String: Int] { totals.withLockedValue { $0 } }
}

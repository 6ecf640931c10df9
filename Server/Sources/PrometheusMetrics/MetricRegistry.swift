/// The kind of a metric in Prometheus, by the word of its `# TYPE` line.
package enum MetricKind: String, Sendable {
    case counter, gauge, histogram

    /// The names of the lines that a metric of this kind writes.
    func lineNames(_ name: String) -> [String] {
        self == .histogram ? [name, name + "_bucket", name + "_sum", name + "_count"] : [name]
    }
}

/// All metrics as a value: who owns which name, and which series a metric has. The factory's lock guards it.
struct MetricRegistry {
    private struct Family {
        var kind: MetricKind
        /// By rendered labels; ``overflow`` is kept apart and does not count against the limit.
        var series: [String: any Series] = [:]
        var overflow: (any Series)?
    }

    struct Snapshot {
        var name: String
        var kind: MetricKind
        /// The measured quantity and its unit; `nil` if the metric has no description.
        var help: String?
        var series: [(labels: String, series: any Series)]
    }

    private static let overflowLabels = #"overflow="true""#

    private let seriesLimit: Int
    private var families: [String: Family] = [:]
    /// Which family writes lines of a name: a gauge `a_count` beside a histogram `a` would make the whole page
    /// unreadable.
    private var owners: [String: String] = [:]

    private let descriptions: [String: MetricDescription]

    init(seriesLimit: Int, descriptions: [MetricDescription]) {
        self.seriesLimit = seriesLimit
        self.descriptions = Dictionary(descriptions.map { ($0.name, $0) }) { first, _ in first }
        // Described metrics are on the page before something is counted, so that their names can be looked up there.
        for description in descriptions where families[description.name] == nil {
            families[claim(description.name, description.kind)] = Family(kind: description.kind)
        }
    }

    mutating func series<S: Series>(_ kind: MetricKind, _ name: String, _ labels: String, _ make: () -> S) -> S {
        let name = claim(name, kind)
        var family = families[name] ?? Family(kind: kind)
        defer { families[name] = family }
        // The kind decides the class, so the cast holds for every family of this kind.
        if let present = family.series[labels] as? S { return present }
        if family.series.count < descriptions[name]?.seriesLimit ?? seriesLimit {
            let made = make()
            family.series[labels] = made
            return made
        }
        if let overflow = family.overflow as? S { return overflow }
        let overflow = make()
        family.overflow = overflow
        return overflow
    }

    /// The name itself, or one made longer if another kind of metric has taken it or one of its lines' names.
    private mutating func claim(_ wanted: String, _ kind: MetricKind) -> String {
        var name = wanted
        while true {
            if let family = families[name], family.kind == kind { return name }
            let lines = kind.lineNames(name)
            if lines.allSatisfy({ owners[$0] == nil }) {
                for line in lines { owners[line] = name }
                return name
            }
            name += "_\(kind.rawValue)"
        }
    }

    mutating func remove(_ handler: ObjectIdentifier) {
        for (name, family) in families {
            guard let labels = family.series.first(where: { ObjectIdentifier($0.value) == handler })?.key else {
                continue
            }
            families[name]?.series[labels] = nil
            return
        }
    }

    var snapshot: [Snapshot] {
        families.sorted { $0.key < $1.key }.compactMap { name, family in
            var series = family.series.sorted { $0.key < $1.key }.map { (labels: $0.key, series: $0.value) }
            if let overflow = family.overflow { series.append((Self.overflowLabels, overflow)) }
            let help = descriptions[name]?.help
            return series.isEmpty && help == nil
                ? nil : Snapshot(name: name, kind: family.kind, help: help, series: series)
        }
    }
}

import BenchmarkSupport

extension AccountingBenchmark {
    /// Everything that was measured, by name, as rows.
    static func result(
        _ measured: [String: [Contestant.Measurement]], _ durability: [String: Durability],
        names: (benji: String, scale: String, peers: [String])
    ) -> BenchmarkResult {
        func row(_ name: String, _ figures: Figures, _ unit: String, _ note: String = "") -> BenchmarkResult.Row {
            BenchmarkResult.Row(name, figures, unit: unit, note: note)
        }
        func each(
            _ who: String, _ figure: (Contestant.Measurement) -> Double, _ what: Contestant.Workload = .lives
        ) -> Figures { Figures((measured["\(who), \(what)"] ?? []).map(figure)) }
        let (benji, scale) = (names.benji, names.scale)
        let lives = each(benji, \.rate)
        var rows = [
            row("benji: Start, 4 Interim-Updates, Stop", lives, "/s", "directory and journal kept"),
            row("FreeRADIUS: the same lives", each(scale, \.rate), "/s", "nothing kept"),
            row("benji: Interim-Updates", each(benji, \.rate, .reports), "/s", "directory and journal kept"),
            row("FreeRADIUS: the same Interim-Updates", each(scale, \.rate, .reports), "/s", "nothing kept"),
        ]
        rows += names.peers.map { row("\($0): lives", each($0, \.rate), "/s", "each packet kept") }
        rows += [
            row(
                "Interim-Updates: benji / FreeRADIUS",
                each(benji, \.rate, .reports).ratio(to: each(scale, \.rate, .reports)),
                "×")
        ]
        rows += names.peers.map { peer in
            .init(
                "benji / \(peer)", lives.ratio(to: each(peer, \.rate)), unit: "×", note: durability[peer]?.note ?? "",
                instead: durability[peer]?.fault == nil ? nil : "not durable")
        }
        rows += [
            row(
                "the same by processor time, whole lives", each(scale, \.processor).ratio(to: each(benji, \.processor)),
                "×",
                "FreeRADIUS's for a packet / benji's"),
            row("benji: processor time of a packet, whole lives", each(benji, \.processor), "µs"),
            row("benji: processor time of an Interim-Update", each(benji, \.processor, .reports), "µs"),
            row("FreeRADIUS: processor time of a packet", each(scale, \.processor), "µs"),
        ]
        rows += names.peers.map { row("\($0): processor time of a packet", each($0, \.processor), "µs") }
        for name in [benji] + names.peers {
            rows.append(row("\(name): bytes written a packet", each(name, \.written), "B"))
            if let found = durability[name] { rows.append(row("\(name): syncs a packet", found.syncs, "", found.note)) }
        }
        return BenchmarkResult(
            "accounting", ratioOf: "benji / FreeRADIUS answering only", ratio: lives.ratio(to: each(scale, \.rate)),
            rows: rows)
    }
}

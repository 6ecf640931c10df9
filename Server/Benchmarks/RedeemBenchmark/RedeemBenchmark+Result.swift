import BenchmarkSupport

extension RedeemBenchmark {
    /// Everything that was measured as rows.
    /// - Parameter figures: rates in the order in which they ran: ours, nginx's, HTTP alone, store alone, SQLite, the
    ///   peers'.
    func result(
        _ figures: [Figures], _ measured: [String: [Measurement]], _ durability: [String: Durability], peers: [String]
    ) -> BenchmarkResult {
        func row(_ name: String, _ values: Figures, _ unit: String, _ note: String = "") -> BenchmarkResult.Row {
            BenchmarkResult.Row(name, values, unit: unit, note: note)
        }
        func each(_ name: String, _ figure: (Measurement) -> Double) -> Figures {
            Figures((measured[name] ?? []).map(figure))
        }
        let (redeemed, answered, http, stored, bare) = (figures[0], figures[1], figures[2], figures[3], figures[4])
        var rows = [
            row("redeem over HTTP, durable", redeemed, "/s", "\(connections) connections"),
            row("nginx, static answer of the same size", answered, "/s"),
            row("benji's HTTP without a store", http, "/s", "/health/live"),
            row("the store without HTTP", stored, "/s"),
            row("bare SQLite, one update and one insert", bare, "/s", "\(connections) in a commit"),
        ]
        for (peer, rates) in zip(peers, figures[5...]) {
            let note = ["PostgreSQL function": "without HTTP", "glewlwyd": "a code for a token"][peer] ?? ""
            rows.append(row(peer, rates, "/s", note))
        }
        for (peer, rates) in zip(peers, figures[5...]) {
            rows.append(
                .init(
                    "benji / \(peer)", redeemed.ratio(to: rates), unit: "×",
                    note: durability[peer]?.note ?? "",
                    instead: durability[peer]?.fault == nil ? nil : "not durable"))
        }
        rows += [
            row("benji / the store without HTTP", redeemed.ratio(to: stored), "×"),
            row("benji / bare SQLite", redeemed.ratio(to: bare), "×"),
            row("benji's HTTP without a store / nginx", http.ratio(to: answered), "×"),
            row("processor time of a redemption", each("benji", \.processor), "µs"),
            row("processor time of HTTP without a store", each("HTTP without a store", \.processor), "µs"),
            row("processor time of nginx's answer", each("nginx", \.processor), "µs"),
            row("redeem: median latency", each("benji", \.median), "ms"),
            row("redeem: 99 in 100 within", each("benji", \.nearlyAll), "ms"),
        ]
        for name in ["benji"] + peers {
            if name != "benji" { rows.append(row("\(name): processor time", each(name, \.processor), "µs")) }
            rows.append(row("\(name): bytes written a redemption", each(name, \.written), "B"))
            if let found = durability[name] {
                rows.append(row("\(name): syncs a redemption", found.syncs, "", found.note))
            }
        }
        return BenchmarkResult("redeem", ratioOf: "benji / nginx", ratio: redeemed.ratio(to: answered), rows: rows)
    }
}

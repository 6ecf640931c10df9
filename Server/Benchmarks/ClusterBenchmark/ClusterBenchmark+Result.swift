import BenchmarkSupport

extension ClusterBenchmark {
    /// Everything that was measured as rows and series.
    /// - Parameters:
    ///   - inserts: pgbench's rows a second, without and with a replica.
    ///   - sizes: how many authorities there were.
    func result(_ measured: Measured, inserts: [Figures], sizes: [Int]) -> BenchmarkResult {
        typealias Row = BenchmarkResult.Row
        func logins(_ name: String, _ figure: (Cost) -> Double) -> Figures {
            Figures((measured.logins[name] ?? []).map { figure(Cost(sumOf: Array($0.values))) })
        }
        func redemptions(_ name: String, _ figure: (Cost) -> Double) -> Figures {
            Figures((measured.logins[name] ?? []).compactMap { $0[.redeem].map(figure) })
        }
        func parts(_ store: Store) -> [Cluster.Part] {
            Cluster.Part.allCases.filter { part in
                switch part {
                case .gateway, .authority: true
                case .primary: store != .sqlite
                case .replica: store == .followed || store == .pair
                }
            }
        }
        let stores = Store.allCases
        let oneCore = "all parts on one core"
        var rows = stores.map { Row("logins, \($0.rawValue)", logins($0.rawValue, \.rate), unit: "/s", note: oneCore) }
        rows += stores.filter { $0 != .pair }.map {
            Row("redemptions, \($0.rawValue)", redemptions($0.rawValue, \.rate), unit: "/s", note: oneCore)
        }
        let known = [Store.alone, .followed]
        for store in known {
            let pair = measured.pairs[store.rawValue] ?? []
            rows.append(
                Row(
                    "a pair's beginnings and endings, \(store.rawValue)", Figures(pair.map(\.rate)), unit: "/s",
                    note: "all cores, the sender included"))
        }
        for (store, rate) in zip(known, inserts) {
            rows.append(Row("pgbench's best insert, \(store.rawValue)", rate, unit: "/s", note: "a row of 200 bytes"))
        }
        rows.append(
            Row(
                "redemptions / pgbench's best insert, \(Store.followed.rawValue)",
                redemptions(Store.followed.rawValue, \.rate).ratio(to: inserts[1]), unit: "×"))
        for store in stores {
            for part in parts(store) {
                rows.append(
                    Row(
                        "a login, \(store.rawValue): \(part.rawValue)",
                        logins(store.rawValue) { $0.processor[part] ?? 0 }, unit: "µs", note: "processor time"))
            }
            rows.append(
                Row("a login, \(store.rawValue): all parts", logins(store.rawValue, \.whole), unit: "µs"))
        }
        for store in stores where store != .pair {
            for part in parts(store) where part != .gateway {
                rows.append(
                    Row(
                        "a redemption, \(store.rawValue): \(part.rawValue)",
                        redemptions(store.rawValue) { $0.processor[part] ?? 0 }, unit: "µs", note: "processor time"))
            }
            rows.append(
                Row(
                    "a redemption, \(store.rawValue): all parts",
                    redemptions(store.rawValue) { $0.whole - ($0.processor[.gateway] ?? 0) }, unit: "µs",
                    note: "without the gateway, which only waits"))
        }
        for store in known { rows += sessions(store.rawValue, measured.pairs[store.rawValue] ?? [], parts(store)) }
        rows += [
            Row(
                "write-ahead log of a login", logins(Store.alone.rawValue, \.logged), unit: "B",
                note: "no checkpoint in the rounds"),
            Row("write-ahead log of a redemption", redemptions(Store.alone.rawValue, \.logged), unit: "B"),
            Row(
                "write-ahead log of a login after a checkpoint", Figures(measured.afterCheckpoint), unit: "B",
                note: "pages that change first go there whole"),
            Row(
                "bytes written a login, SQLite", logins(Store.sqlite.rawValue) { $0.written[.authority] ?? 0 },
                unit: "B", note: "as the kernel counts them"),
            Row(
                "bytes written a redemption, SQLite",
                redemptions(Store.sqlite.rawValue) { $0.written[.authority] ?? 0 }, unit: "B"),
        ]
        rows += measured.kept.map {
            Row("kept of a login: \($0.table)", Figures([$0.bytes]), unit: "B", note: "table and indexes")
        }
        rows.append(
            Row("the register, a subscriber", Figures([measured.subscriber]), unit: "B", note: "table and indexes"))

        func series(_ title: String, _ figure: @escaping (Cost) -> Double) -> Series {
            Series(
                title, over: "authorities",
                points: sizes.map { .init(size: $0, figures: logins(Self.paced($0), figure)) })
        }
        let all = [
            series("a login, the gateway") { $0.processor[.gateway] ?? 0 },
            series("a login, all authorities") { $0.processor[.authority] ?? 0 },
            series("a login, PostgreSQL") { $0.processor[.primary] ?? 0 },
            series("a login, all parts", \.whole),
        ]
        rows += all.map {
            Row(
                "\($0.name): most authorities / one", $0.growth, unit: "×",
                note: "1 is flat; the same pace for each")
        }
        rows.append(
            Row(
                "a login, all parts: most authorities / one, as fast as they are",
                logins(Self.crowded, \.whole).ratio(to: logins(Store.alone.rawValue, \.whole)), unit: "×",
                note: "on one core: fewer operations share a transaction"))
        return BenchmarkResult(
            "cluster", ratioOf: "redemptions on PostgreSQL / pgbench's best insert",
            ratio: redemptions(Store.alone.rawValue, \.rate).ratio(to: inserts[0]), rows: rows,
            series: all)
    }

    /// The cost of a pair's sessions.
    private func sessions(
        _ store: String, _ pairs: [Pair.Measurement], _ parts: [Cluster.Part]
    ) -> [BenchmarkResult.Row] {
        func row(
            _ name: String, _ unit: String = "µs", _ note: String = "", _ figure: (Pair.Measurement) -> Double
        ) -> BenchmarkResult.Row {
            .init("a pair on \(store), \(name)", Figures(pairs.map(figure)), unit: unit, note: note)
        }
        return [
            row("beginnings", "/s") { $0.beginnings.rate }, row("endings", "/s") { $0.endings.rate },
        ]
            + parts.map { part in
                row("a session: \(part.rawValue)", "µs", "processor time of its beginning and end") {
                    ($0.beginnings.processor[part] ?? 0) + ($0.endings.processor[part] ?? 0)
                }
            } + [
                row("a session: all parts") { $0.beginnings.whole + $0.endings.whole },
                row("write-ahead log of a session", "B") { $0.beginnings.logged + $0.endings.logged },
                row("the record of a living session", "B", "without indexes") { $0.kept },
            ]
    }
}

import CoreMetrics
import PrometheusMetrics
import Testing

@Suite("Metrics as Prometheus reads them")
struct PrometheusMetricsTests {
    let factory = PrometheusMetricsFactory(seriesLimit: 3, timerBuckets: [0.1, 0.01, 1], recorderBuckets: [1, 10])

    private var page: PageSyntax { PageSyntax(factory.render()) }

    @Test("a page of every kind reads without a problem, sorted by name, and shows what was measured")
    func everyKind() {
        Counter(label: "redeem.spent", dimensions: [("dialect", "device")], factory: factory).increment(by: 3)
        FloatingPointCounter(label: "cost", factory: factory).increment(by: 1.5)
        Gauge(label: "sessions", factory: factory).record(12)
        Meter(label: "queue", factory: factory).increment(by: 2.5)
        Recorder(label: "size", factory: factory).record(7)
        Timer(label: "redeem", factory: factory).recordMilliseconds(20)
        #expect(
            factory.render() == """
                # TYPE cost_total counter
                cost_total 1.5
                # TYPE queue gauge
                queue 2.5
                # TYPE redeem_seconds histogram
                redeem_seconds_bucket{le="0.01"} 0
                redeem_seconds_bucket{le="0.1"} 1
                redeem_seconds_bucket{le="1"} 1
                redeem_seconds_bucket{le="+Inf"} 1
                redeem_seconds_sum 0.02
                redeem_seconds_count 1
                # TYPE redeem_spent_total counter
                redeem_spent_total{dialect="device"} 3
                # TYPE sessions gauge
                sessions 12
                # TYPE size histogram
                size_bucket{le="1"} 0
                size_bucket{le="10"} 1
                size_bucket{le="+Inf"} 1
                size_sum 7
                size_count 1

                """)
        #expect(page.problems == [])
    }

    @Test("names and labels that Prometheus does not allow are made so that it does")
    func sanitising() {
        Counter(
            label: "1 über-Name", dimensions: [("a.b", "x"), ("a-b", "y"), ("__meta", "z"), ("", "e")], factory: factory
        )
        .increment()
        Recorder(label: "le", dimensions: [("le", "5")], factory: factory).record(1)
        #expect(page.problems == [])
        #expect(page.samples[#"_1___ber_Name_total{_="e",_meta="z",a_b="x",a_b_="y"}"#] == "1")
        #expect(page.samples[#"le_count{le_="5"}"#] == "1")
    }

    @Test("a label's value cannot break out of its line or its quotes")
    func escaping() {
        let hostile = "a\"} 1\r\n\nevil_total 9\\"
        Counter(label: "safe", dimensions: [("value", hostile)], factory: factory).increment()
        #expect(page.problems == [])
        #expect(page.samples.count == 1)
        #expect(factory.render().contains(#"a\"} 1"# + "\r" + #"\n\nevil_total 9\\""#))
    }

    @Test("the same dimensions in another order are one series, and equal handlers share it")
    func sameSeries() {
        Counter(label: "c", dimensions: [("a", "1"), ("b", "2")], factory: factory).increment()
        Counter(label: "c", dimensions: [("b", "2"), ("a", "1")], factory: factory).increment()
        #expect(page.samples == [#"c_total{a="1",b="2"}"#: "2"])
    }

    @Test("label combinations beyond the limit are counted together, and none is lost")
    func bounded() {
        for user in 0..<1000 { Counter(label: "c", dimensions: [("user", "\(user)")], factory: factory).increment() }
        #expect(page.samples.count == 4)
        #expect(page.samples[#"c_total{overflow="true"}"#] == "997")
        Counter(label: "c", dimensions: [("user", "1")], factory: factory).increment()
        #expect(page.samples[#"c_total{user="1"}"#] == "2")
        Counter(label: "other", dimensions: [("user", "1")], factory: factory).increment()
        #expect(page.samples[#"other_total{user="1"}"#] == "1")
        #expect(page.problems == [])
    }

    @Test("a described metric has its help on the page before anything is counted, and a limit of its own")
    func described() {
        let factory = PrometheusMetricsFactory(
            describing: [
                MetricDescription(
                    "logins_total", .counter, labels: ["app"], seriesLimit: 5, help: "Logins,\nby app\\carrier.")
            ], seriesLimit: 1)
        #expect(
            factory.render() == """
                # HELP logins_total Logins,\\nby app\\\\carrier.
                # TYPE logins_total counter

                """)
        for app in 0..<7 { Counter(label: "logins", dimensions: [("app", "\(app)")], factory: factory).increment() }
        let page = PageSyntax(factory.render())
        #expect(page.problems == [])
        #expect(page.helps.keys.sorted() == ["logins_total"])
        #expect(page.samples.count == 6)
        #expect(page.samples[#"logins_total{overflow="true"}"#] == "2")
    }

    @Test("two kinds of metric under one name, or under a name of the other's lines, are told apart")
    func collisions() {
        Gauge(label: "x", factory: factory).record(1)
        Recorder(label: "x", factory: factory).record(2)
        Gauge(label: "x_histogram_count", factory: factory).record(3)
        Gauge(label: "y_seconds_sum", factory: factory).record(4)
        Timer(label: "y", factory: factory).recordSeconds(5)
        #expect(page.problems == [])
        #expect(page.samples["x"] == "1")
        #expect(page.samples["x_histogram_sum"] == "2")
        #expect(page.samples["x_histogram_count_gauge"] == "3")
        #expect(page.samples["y_seconds_histogram_sum"] == "5")
    }

    @Test(
        """
        a value on a bucket's end is inside it, one above all ends only in +Inf, and a clock set back counts as nothing
        """
    )
    func buckets() {
        let timer = Timer(label: "t", factory: factory)
        timer.recordNanoseconds(10_000_000)
        timer.recordNanoseconds(10_000_001)
        timer.recordNanoseconds(2_000_000_000)
        timer.recordNanoseconds(-5)
        let samples = page.samples
        #expect(samples[#"t_seconds_bucket{le="0.01"}"#] == "2")
        #expect(samples[#"t_seconds_bucket{le="0.1"}"#] == "3")
        #expect(samples[#"t_seconds_bucket{le="1"}"#] == "3")
        #expect(samples[#"t_seconds_bucket{le="+Inf"}"#] == "4")
        #expect(samples["t_seconds_count"] == "4")
    }

    @Test(
        """
        a counter never goes down, keeps single steps beyond 2^53, and numbers that are none read as Prometheus writes \
        them
        """
    )
    func numbers() {
        let counter = Counter(label: "c", factory: factory)
        counter.increment(by: 9_007_199_254_740_993)
        counter.increment(by: -5)
        #expect(page.samples["c_total"] == "9007199254740993")
        counter.increment(by: Int64.max)
        #expect(page.samples["c_total"] == "\(Int64.max)")
        for (name, value) in [("nan", Double.nan), ("up", .infinity), ("down", -.infinity), ("small", 1e-9)] {
            Gauge(label: name, factory: factory).record(value)
        }
        #expect(page.samples["nan"] == "NaN")
        #expect(page.samples["up"] == "+Inf")
        #expect(page.samples["down"] == "-Inf")
        #expect(page.samples["small"].flatMap(Double.init) == 1e-9)
        #expect(page.problems == [])
    }

    @Test("a destroyed metric is no longer shown")
    func destroying() {
        let counter = Counter(label: "gone", factory: factory)
        counter.increment()
        counter.destroy()
        #expect(factory.render().isEmpty)
    }

    @Test("no step is lost when many tasks count and read at once")
    func concurrency() async {
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<16 {
                group.addTask { [factory] in
                    for step in 0..<500 {
                        Counter(label: "c", dimensions: [("half", "\(task % 2)")], factory: factory).increment()
                        Timer(label: "t", factory: factory).recordNanoseconds(Int64(step))
                        if step % 100 == 0 { _ = factory.render() }
                    }
                }
            }
        }
        #expect(page.samples[#"c_total{half="0"}"#] == "4000")
        #expect(page.samples[#"c_total{half="1"}"#] == "4000")
        #expect(page.samples["t_seconds_count"] == "8000")
    }

    @Test(
        "the reader of these tests refuses pages that are wrong",
        arguments: [
            "# TYPE a counter\na 1", "a{b=c} 1\n", "# TYPE a counter\na 1\na 2\n", "# TYPE a counter\nb 1\n",
            "# TYPE a gauge\na x\n", "# TYPE a gauge\na{b=\"1\",b=\"2\"} 1\n", "# TYPE a thing\na 1\n",
        ])
    func readerIsStrict(_ wrong: String) {
        #expect(!PageSyntax(wrong).problems.isEmpty)
    }
}

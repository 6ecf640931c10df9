import BenchmarkSupport
import Testing

@Suite("What became of answers")
struct DurabilityTests {
    @Test("who lost an answer or syncs nothing is not durable")
    func faults() {
        #expect(Durability(answered: 9, lost: 0, syncs: Figures([0.02, 1])).fault == nil)
        #expect(Durability(answered: 9, lost: 1, syncs: Figures([1])).fault == "lost 1 of 9 answered at kill -9")
        #expect(Durability(answered: 9, lost: 0, syncs: Figures([0, 0])).fault?.contains("power cut") == true)
    }

    @Test("a row without a ratio shows why in its place")
    func row() {
        let result = BenchmarkResult(
            "sample", ratioOf: "a / b", ratio: Figures([2]),
            rows: [.init("a / c", Figures([7]), unit: "×", note: "lost", instead: "not durable")])
        #expect(result.table.text.contains("a / c  not durable"))
        #expect(!result.table.text.contains("7.00"))
    }

    @Test("a peer that is missing is said with its package")
    func missing() {
        let failure = #expect(throws: BenchmarkFailure.self) {
            try Installed.require("no-such-server", package: "no-such-package")
        }
        #expect(failure?.description.contains("apt-get install no-such-package") == true)
    }

    @Test("a group's processes are killed with all that they started")
    func group() throws {
        let scratch = try Scratch("group")
        let group = ProcessGroup()
        try group.start("/bin/sh", ["-c", "sleep 60 & echo started; wait"], log: scratch.file("log"), core: nil)
            .wait(for: "started")
        #expect(group.processes.count == 2)
        group.kill()
        #expect(group.processes.isEmpty)
    }
}

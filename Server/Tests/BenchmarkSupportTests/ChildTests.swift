import BenchmarkSupport
import Testing

@Suite("Child processes of benchmarks")
struct ChildTests {
    @Test("a child is kept on the core that was asked for, and its parent is not")
    func core() throws {
        let scratch = try Scratch("child")
        let before = Cores.count
        let child = try Child("/usr/bin/nproc", log: scratch.file("log"), core: 0)
        try child.wait { child.said.contains("\n") }
        #expect(child.said == "1\n")
        #expect(Cores.count == before)
    }

    @Test("a child that ignores the wish to end is ended, and that is said")
    func stubborn() throws {
        let scratch = try Scratch("child")
        let child = try Child(
            "/bin/sh", ["-c", "trap '' TERM; echo ready; while :; do sleep 0.05; done"], log: scratch.file("log"))
        try child.wait(for: "ready")
        #expect(ProcessUsage.of(child.process) != nil)
        #expect(!child.stop(within: 0.2))
        #expect(!child.isRunning)
    }

    @Test("waiting for a child that has ended fails and shows what it said")
    func ended() throws {
        let scratch = try Scratch("child")
        let child = try Child("/bin/sh", ["-c", "echo no licence; exit 3"], log: scratch.file("log"))
        let failure = #expect(throws: BenchmarkFailure.self) { try child.wait(for: "ready") }
        #expect(failure?.description.contains("no licence") == true)
    }

    @Test("a program that does not exist is said to be missing")
    func missing() throws {
        let scratch = try Scratch("child")
        #expect(throws: BenchmarkFailure.self) { try Child("/no/such/program", log: scratch.file("log")) }
    }
}

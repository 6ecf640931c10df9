import BenjiProtocol
import Foundation
import Logging
import ServerHTTP
import ServerTestKit
import Synchronization
import Testing

@testable import BenjiCommand
@testable import ServerRuntime

@Suite("Log lines are gathered and written together")
struct LogOutputTests {
    /// The written pieces, and the scheduled work.
    private final class Scene: Sendable {
        let written = Mutex<[String]>([])
        let scheduled = Mutex<[@Sendable () -> Void]>([])
        /// So many bytes are taken still; any number if `nil`.
        let takes = Mutex<Int?>(nil)
        /// Whether there is no reader any more.
        let isLost = Mutex(false)
        /// How often a writer waited for the reader.
        let waits = Mutex(0)

        var pieces: [String] { written.withLock { $0 } }

        func output() -> LogOutput {
            LogOutput(
                schedule: { _, work in self.scheduled.withLock { $0.append(work) } },
                sink: LogSink { lines in
                    if self.isLost.withLock({ $0 }) { return LogSink.lost }
                    let taken = self.takes.withLock { takes in
                        defer { takes = takes.map { $0 - min($0, lines.count) } }
                        return min(takes ?? lines.count, lines.count)
                    }
                    if taken > 0 {
                        self.written.withLock { $0.append(String(decoding: lines.prefix(taken), as: UTF8.self)) }
                    }
                    return taken
                } wait: { _ in
                    self.waits.withLock { $0 += 1 }
                })
        }

        func runScheduled() {
            let works = scheduled.withLock { works in
                defer { works = [] }
                return works
            }
            for work in works { work() }
        }
    }

    @Test("lines at level info wait for each other, and are written once when the first has waited long enough")
    func together() {
        let scene = Scene()
        let output = scene.output()
        for line in ["one\n", "two\n", "three\n"] { output.append(Array(line.utf8), at: .info) }
        #expect(scene.pieces.isEmpty)
        #expect(scene.scheduled.withLock { $0.count } == 1)
        scene.runScheduled()
        #expect(scene.pieces == ["one\ntwo\nthree\n"])
        output.append(Array("four\n".utf8), at: .info)
        scene.runScheduled()
        #expect(scene.pieces == ["one\ntwo\nthree\n", "four\n"])
    }

    @Test(
        "a notice, a warning and an error are written at once, after what came before them",
        arguments: [.notice, .warning, .error, .critical] as [Logger.Level])
    func atOnce(level: Logger.Level) {
        let scene = Scene()
        let output = scene.output()
        output.append(Array("before\n".utf8), at: .info)
        output.append(Array("look\n".utf8), at: level)
        #expect(scene.pieces == ["before\nlook\n"])
        scene.runScheduled()
        #expect(scene.pieces.count == 1, "nothing is written twice, and nothing empty")
    }

    @Test("with many bytes waiting they are written without waiting longer")
    func full() {
        let scene = Scene()
        let output = scene.output()
        let line = Array(String(repeating: "x", count: 1023).utf8) + [0x0a]
        for _ in 0..<(LogOutput.capacity / 1024 - 1) { output.append(line, at: .info) }
        #expect(scene.pieces.isEmpty)
        output.append(line, at: .info)
        #expect(scene.pieces.map(\.utf8.count) == [LogOutput.capacity])
    }

    @Test("an orderly end loses no line")
    func end() {
        let scene = Scene()
        let output = scene.output()
        output.append(Array("last\n".utf8), at: .info)
        output.flush()
        #expect(scene.pieces == ["last\n"])
    }

    @Test("what is not taken at once is written later from where the write stopped, before what was logged since")
    func stopped() {
        let scene = Scene()
        let output = scene.output()
        scene.takes.withLock { $0 = 5 }
        output.append(Array("one line\n".utf8), at: .warning)
        output.append(Array("two\n".utf8), at: .error)
        output.append(Array("three\n".utf8), at: .info)
        #expect(scene.pieces == ["one l"])
        #expect(scene.scheduled.withLock { $0.count } == 1, "one waits for the reader, and none of who logs")
        scene.runScheduled()
        #expect(scene.pieces == ["one l"], "nothing is taken yet")
        scene.takes.withLock { $0 = 2 }
        scene.runScheduled()
        scene.takes.withLock { $0 = nil }
        scene.runScheduled()
        #expect(scene.pieces == ["one l", "in", "e\ntwo\nthree\n"])
        scene.runScheduled()
        output.append(Array("four\n".utf8), at: .warning)
        #expect(scene.pieces.last == "four\n")
    }

    @Test(
        """
        of what nobody reads so many bytes wait; lines beyond are left out, and their count is told where they are \
        missing
        """
    )
    func bound() {
        let scene = Scene()
        let output = scene.output()
        output.whenLeftOut { output.append(Array("left out: \($0)\n".utf8), at: .warning) }
        let line = Array(String(repeating: "x", count: 1023).utf8) + [0x0a]
        scene.takes.withLock { $0 = 0 }
        for _ in 0..<(LogOutput.bound / 1024 + 3) { output.append(line, at: .info) }
        output.append(Array("short\n".utf8), at: .critical)
        #expect(scene.pieces.isEmpty)
        // The reader takes some and stops again. A line logged now would precede the missing ones: it is left out.
        scene.takes.withLock { $0 = 4096 }
        scene.runScheduled()
        output.append(Array("later\n".utf8), at: .critical)
        scene.takes.withLock { $0 = nil }
        scene.runScheduled()
        output.append(Array("more\n".utf8), at: .warning)
        let written = scene.pieces.joined().utf8
        #expect(written.count { $0 == 0x78 } == LogOutput.bound / 1024 * 1023)
        #expect(scene.pieces.suffix(2) == ["left out: 5\n", "more\n"])
    }

    @Test("lines that are lost because nobody reads are counted, and so are those that a lost line would have told")
    func lost() {
        let scene = Scene()
        let output = scene.output()
        output.whenLeftOut { output.append(Array("left out: \($0)\n".utf8), at: .warning) }
        scene.isLost.withLock { $0 = true }
        output.append(Array("one\n".utf8), at: .info)
        output.append(Array("two\n".utf8), at: .warning)
        output.append(Array("three\n".utf8), at: .warning)
        for _ in 0..<3 { scene.runScheduled() }
        let waits = scene.waits.withLock { $0 }
        output.flush()
        #expect(scene.waits.withLock { $0 } == waits, "the end does not wait for nobody")
        scene.isLost.withLock { $0 = false }
        scene.runScheduled()
        scene.runScheduled()
        output.append(Array("four\n".utf8), at: .warning)
        #expect(scene.pieces == ["left out: 3\n", "four\n"])
    }

    @Test("what is written to a pipe that nobody reads is lost, and no such write ends the process")
    func closedPipe() throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        signal(SIGPIPE, SIG_IGN)
        close(ends[0])
        let sink = LogSink(blocking: ends[1])
        let count = Array("line\n".utf8).withUnsafeBytes { sink.write($0) }
        #expect(count == LogSink.lost)
        close(ends[1])
    }

    @Test("lines of several threads come out whole, each once")
    func threads() async {
        let scene = Scene()
        let output = scene.output()
        await withTaskGroup(of: Void.self) { group in
            for writer in 0..<8 {
                group.addTask {
                    for number in 0..<200 {
                        output.append(Array("\(writer)-\(number)\n".utf8), at: number % 7 == 0 ? .warning : .info)
                    }
                }
            }
        }
        output.flush()
        let lines = scene.pieces.joined().split(separator: "\n").map(String.init)
        #expect(lines.count == 1600 && Set(lines).count == 1600)
        for writer in 0..<8 {
            let own = lines.filter { $0.hasPrefix("\(writer)-") }
            #expect(own == (0..<200).map { "\(writer)-\($0)" }, "a thread's lines keep their order")
        }
    }

    @Test("a line of text has the time, the level, the label, the metadata by name, the source and the message")
    func text() {
        let scene = Scene()
        let output = scene.output()
        var logger = Logger(label: "benji") { label in
            TextLogHandler(
                label: label, clock: TestClock(Timestamp(milliseconds: 1_790_000_000_042)),
                second: .universal(), output: output)
        }
        logger[metadataKey: "role"] = "all"
        logger.warning("took long", metadata: ["b": ["1", "2"], "a": ["k": "v"], "status": .stringConvertible(200)])
        logger.debug("not at this level")
        #expect(
            scene.pieces == [
                "2026-09-21T14:13:20 warning benji: a=[\"k\": \"v\"] b=[\"1\", \"2\"] role=all status=200 "
                    + "[JourneyTests] took long\n"
            ])
    }

    @Test("the text of a second is made once for all lines in it")
    func second() {
        let made = Mutex(0)
        let second = SecondText { moment in
            made.withLock { $0 += 1 }
            return "\(moment)"
        }
        #expect([1, 1, 1, 2, 2, 1].map(second.text(of:)) == ["1", "1", "1", "2", "2", "1"])
        #expect(made.withLock { $0 } == 3)
    }
}

import BenjiProtocol
import Logging
import ServerTestKit
import Synchronization
import Testing

@testable import BenjiCommand
@testable import ServerRuntime

@Suite("Log lines as JSON")
struct JSONLogHandlerTests {
    private final class Lines: Sendable {
        let all = Mutex<[String]>([])
    }

    @Test("each line is one object with time, level, message and metadata, whatever is in them")
    func lines() throws {
        let lines = Lines()
        var logger = Logger(label: "benji") { _ in
            JSONLogHandler(
                clock: TestClock(Timestamp(milliseconds: 1_790_000_000_042)),
                output: LogOutput(
                    sink: LogSink { written in
                        lines.all.withLock { $0.append(String(decoding: written, as: UTF8.self)) }
                        return written.count
                    } wait: { _ in
                    }))
        }
        logger[metadataKey: "role"] = "all"
        logger.info("request", metadata: ["b": ["1", "\"x\""], "a": ["k": "two\nlines"]])
        logger.warning("a \"quote\"\nand a line")
        logger.debug("not at this level")
        // A warning is written at once, and what waited with it.
        let written = lines.all.withLock { $0.joined() }
        #expect(
            written
                == #"{"time":"2026-09-21T14:13:20.042Z","level":"info","message":"request","#
                + #""metadata":{"a":{"k":"two\nlines"},"b":["1","\"x\""],"role":"all"}}"#
                + "\n"
                + #"{"time":"2026-09-21T14:13:20.042Z","level":"warning","message":"a \"quote\"\nand a line","#
                + #""metadata":{"role":"all"}}"#
                + "\n")
    }
}

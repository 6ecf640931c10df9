import Hummingbird
import NIOCore
import Synchronization
import Testing

@testable import Link

@Suite("How long the link waits for an answer", .serialized)
struct LinkFaultTimingTests {
    @Test("an answer whose body never ends is given up too")
    func endless() async throws {
        let isOver = Mutex(false)
        defer { isOver.withLock { $0 = true } }
        // swift-format-ignore: OnlyOneTrailingClosureArgument
        try await LinkFaultTests().ask(
            {
                Response(
                    status: .ok, headers: [.contentType: "application/json"],
                    body: ResponseBody { writer in
                        while !isOver.withLock({ $0 }) {
                            try await writer.write(ByteBuffer(string: " "))
                            try await Task.sleep(for: .milliseconds(100))
                        }
                        try await writer.finish(nil)
                    })
            }, timeout: .milliseconds(500)
        ) { remote in
            defer { isOver.withLock { $0 = true } }
            let start = ContinuousClock.now
            #expect(await remote.problem() == "link timed_out")
            #expect(ContinuousClock.now - start < .seconds(10))
        }
    }
}

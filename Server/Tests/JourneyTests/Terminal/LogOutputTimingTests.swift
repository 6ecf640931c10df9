import Dispatch
import Foundation
import Logging
import Synchronization
import Testing

@testable import BenjiCommand
@testable import ServerRuntime

@Suite("Log lines wait for no reader", .serialized)
struct LogOutputTimingTests {
    /// The kind of channel that the log is written to, still empty.
    enum Way: CaseIterable, Sendable {
        case pipe, nonblockingPipe, othersPipe, socket
    }

    @Test(
        """
        nobody who logs waits for a reader that does not read, nor does the end for long; what it reads later is whole \
        lines and the count of the others
        """,
        arguments: Way.allCases)
    func stalled(way: Way) throws {
        var ends: [Int32] = [0, 0]
        switch way {
        case .socket: try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        default: try #require(pipe(&ends) == 0)
        }
        let (reading, writing) = (ends[0], ends[1])
        if way == .nonblockingPipe { _ = fcntl(writing, F_SETFL, O_NONBLOCK) }
        let output = LogOutput(sink: way == .othersPipe ? LogSink(blocking: writing) : LogSink(descriptor: writing))
        output.whenLeftOut { output.append(Array("left out \($0)\n".utf8), at: .warning) }
        let logged = 60_000
        let begin = ContinuousClock.now
        DispatchQueue.concurrentPerform(iterations: 4) { writer in
            for number in 0..<(logged / 4) {
                let line = "line \(writer) \(number) " + String(repeating: "x", count: number % 97)
                output.append(Array((line + "\n").utf8), at: number % 50 == 0 ? .warning : .info)
            }
        }
        output.flush(within: .milliseconds(100))
        #expect(ContinuousClock.now - begin < .seconds(30), "nobody reads, and all have gone on")
        let text = Mutex("")
        let isRead = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            var (read, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 1 << 16))
            while !read.suffix(32).contains(0x21) {
                let count = Foundation.read(reading, &buffer, buffer.count)
                guard count > 0 else { break }
                read += buffer.prefix(count)
            }
            text.withLock { [read] in $0 = String(decoding: read, as: UTF8.self) }
            isRead.signal()
        }
        output.flush(within: .seconds(20))
        output.append(Array("end!\n".utf8), at: .warning)
        isRead.wait()
        let lines = text.withLock { $0 }.split(separator: "\n").map(String.init)
        let whole = lines.filter { $0.hasPrefix("line ") }
        for line in whole {
            let words = line.split(separator: " ", omittingEmptySubsequences: false)
            #expect(words.count == 4 && Int(words[2]).map { words[3].count == $0 % 97 } == true, "torn: \(line)")
        }
        let told = lines.filter { $0.hasPrefix("left out ") }.compactMap { Int($0.dropFirst(9)) }
        #expect(told.count == 1 && whole.count + told.reduce(0, +) == logged, "\(whole.count) and \(told)")
        #expect(lines.count == whole.count + told.count + 1 && lines.last == "end!")
        for end in ends { close(end) }
    }
}

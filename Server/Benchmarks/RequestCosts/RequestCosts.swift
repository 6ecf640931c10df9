import ArgumentParser
import BenchmarkSupport
import CBenchmarkSystem
import Dispatch
import ServerTestKit
import Synchronization

/// Runs each operation a fixed number of times, so that valgrind can count the instructions that one takes.
@main
struct RequestCosts: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "RequestCosts",
        abstract: "A fixed script of requests, look-ups and packets, for valgrind to count its instructions.",
        discussion: """
            Everything is the same in each run: clock, random numbers, order, one thread of Swift's at a time. \
            Requests go through router
            and middlewares without a socket, to an authority over SQLite; packets through the gateway, with register \
            and journal. What
            is not to be counted, such as the phones' own signing, happens in between.

            scripts/lib/request_costs.py runs it under callgrind and compares the figures with those that are kept \
            beside this program. Run
            without valgrind it only shows that the script works.
            """)

    @Option(help: "Logins that are counted, each by a phone of its own.") var logins = 12
    @Option(help: "Look-ups in the directory that are counted.") var lookups = 500
    @Option(help: "Sessions whose packets are counted: a Start, two Interim-Updates and a Stop each.") var sessions = 32

    func validate() throws {
        guard (1...200).contains(logins) else { throw ValidationError("--logins: 1 to 200") }
        guard lookups > 0 else { throw ValidationError("--lookups: at least 1") }
        guard (1...200).contains(sessions) else { throw ValidationError("--sessions: 1 to 200") }
    }

    /// Waits on its first thread: valgrind 3.19 crashes when that ends before the process, as it does in a program that
    /// begins asynchronously.
    func run() throws {
        let done = DispatchSemaphore(value: 0)
        let outcome = Mutex<Result<[String], any Error>?>(nil)
        let (logins, lookups, sessions) = (logins, lookups, sessions)
        Task.detached {
            let result: Result<[String], any Error>
            do { result = .success(try await Self.count(logins: logins, lookups: lookups, sessions: sessions)) } catch {
                result = .failure(error)
            }
            outcome.withLock { $0 = result }
            done.signal()
        }
        done.wait()
        if let lines = try outcome.withLock({ $0 })?.get() { print(lines.joined(separator: "\n")) }
    }

    private static func count(logins: Int, lookups: Int, sessions: Int) async throws -> [String] {
        let counted = Counted()
        let server = try await LoginServer(phones: logins + LoginServer.warmUp)
        try await server.run(counted)
        let gateway = try MeasuredGateway(world: server.world)
        try await gateway.lookUp(lookups, counted)
        try await gateway.account(sessions, counted)
        await server.world.end()
        return counted.lines
    }
}

/// Marks the counted code for valgrind, and names it.
final class Counted {
    /// Name and number of operations of each part, as JSON.
    private(set) var lines: [String] = []

    /// - Parameter count: how many operations `body` does.
    func count(_ name: String, _ count: Int, _ body: () async throws -> Void) async throws {
        benchmark_begin_counting()
        do { try await body() } catch { throw BenchmarkFailure("\(name): \(error)") }
        benchmark_end_counting(name)
        lines.append(#"{"operation":"\#(name)","count":\#(count)}"#)
    }
}

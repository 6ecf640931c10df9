import CBenchmarkSystem
import Foundation
import Glibc

/// A process that a benchmark runs, on a core of its own.
///
/// It is started with `posix_spawn`, because Foundation's `Process` misbehaves in a program with more than 1,023
/// descriptors. Every wait is bounded; some servers hang when they are asked to stop.
package final class Child {
    package let process: Int32
    /// Where its output and errors go.
    package let log: String
    private var status: Int32?

    /// Starts a program with its output in the file `log`.
    /// - Parameters:
    ///   - core: the core it is kept on; `nil` for any.
    ///   - environment: Variables added to this process's.
    /// - Throws: ``BenchmarkFailure`` if it cannot be started.
    package init(
        _ program: String, _ arguments: [String] = [], log: String, core: Int? = nil,
        environment: [String: String] = [:]
    ) throws(BenchmarkFailure) {
        self.log = log
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, log, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        posix_spawn_file_actions_adddup2(&actions, 1, 2)
        benchmark_add_closefrom(&actions, 3)
        // Threads of a pool hear no signals; what they start must, such as the alarm that ends pgbench.
        var (attributes, none) = (posix_spawnattr_t(), sigset_t())
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        let variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }.map { "\($0)=\($1)" }
        var process: pid_t = 0
        let code = try Cores.pinned(to: core) { () throws(BenchmarkFailure) in
            Self.withCStrings([program] + arguments) { arguments in
                Self.withCStrings(variables) { posix_spawnp(&process, program, &actions, &attributes, arguments, $0) }
            }
        }
        guard code == 0 else {
            throw BenchmarkFailure("\(program) cannot be started: \(String(cString: strerror(code)))")
        }
        self.process = process
        // A benchmark that is interrupted leaves nothing running.
        benchmark_end_with_us(process)
    }

    /// Its output so far.
    package var said: String {
        String(decoding: FileManager.default.contents(atPath: log) ?? Data(), as: UTF8.self)
    }

    /// Whether it has not ended.
    package var isRunning: Bool {
        if status == nil {
            var status: Int32 = 0
            if waitpid(process, &status, WNOHANG) != 0 {
                self.status = status
                benchmark_forget(process)
            }
        }
        return status == nil
    }

    /// Waits until `isReady`.
    /// - Throws: ``BenchmarkFailure`` with the end of its output, if it ends before or is not ready in time.
    package func wait(upTo seconds: Double = 20, until isReady: () -> Bool) throws(BenchmarkFailure) {
        let end = ContinuousClock.now + .seconds(seconds)
        while true {
            // Asked first: what it said before it ended is all there.
            let isRunning = isRunning
            if isReady() { return }
            guard isRunning, ContinuousClock.now < end else {
                let reason = isRunning ? "was not ready within \(seconds) s" : "ended before it was ready (\(ending))"
                throw BenchmarkFailure("a program \(reason), \(log): …\(said.suffix(600))")
            }
            usleep(5_000)
        }
    }

    /// How it ended, in words.
    private var ending: String {
        guard let status else { return "it runs" }
        let signal = status & 0x7f
        return signal == 0 ? "status \(status >> 8 & 0xff)" : "killed by signal \(signal)"
    }

    /// Waits until its output holds `text`.
    package func wait(upTo seconds: Double = 20, for text: String) throws(BenchmarkFailure) {
        try wait(upTo: seconds) { said.contains(text) }
    }

    /// Runs a program to its end.
    /// - Parameter log: a file for its output, which is emptied before.
    /// - Returns: its output.
    /// - Throws: ``BenchmarkFailure`` with the end of its output, if it fails or takes more than `seconds`.
    @discardableResult
    package static func run(
        _ program: String, _ arguments: [String], log: String, core: Int? = nil, upTo seconds: Double = 120
    ) throws(BenchmarkFailure) -> String {
        try? FileManager.default.removeItem(atPath: log)
        let child = try Child(program, arguments, log: log, core: core)
        try child.wait(upTo: seconds) { !child.isRunning }
        guard child.stop() else { throw BenchmarkFailure("\(program) failed: …\(child.said.suffix(600))") }
        return child.said
    }

    /// Asks it to end, and ends it when it does not within `seconds`.
    /// - Returns: whether it ended by itself with status 0.
    @discardableResult
    package func stop(within seconds: Double = 5) -> Bool {
        if isRunning { kill(process, SIGTERM) }
        let end = ContinuousClock.now + .seconds(seconds)
        while isRunning, ContinuousClock.now < end { usleep(10_000) }
        if isRunning {
            kill(process, SIGKILL)
            while isRunning { usleep(1_000) }
            return false
        }
        return status == 0
    }

    deinit { stop(within: 0) }

    private static func withCStrings<Result>(
        _ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
        let pointers = texts.map { strdup($0) } + [nil]
        defer { for pointer in pointers { free(pointer) } }
        return body(pointers)
    }
}

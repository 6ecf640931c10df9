import CBenchmarkSystem
import Foundation
import Glibc

/// The processes of one contestant: those that a benchmark started, and all that these have started.
package final class ProcessGroup {
    private var roots: [Child] = []
    /// Those that only watch the others.
    private var tracers: Set<Int32> = []

    package init() {}

    /// Starts one more process.
    /// - Parameters:
    ///   - acting: a command that starts the program as somebody else, or with other limits.
    ///   - tracing: a folder to which strace writes the syncs of the process and of those that it starts; see
    ///     ``SyncLog``.
    @discardableResult
    package func start(
        _ program: String, _ arguments: [String] = [], acting: [String] = [], log: String, core: Int?,
        tracing: String? = nil
    ) throws -> Child {
        roots.removeAll { !$0.isRunning }
        var words = acting + [program] + arguments
        if let tracing {
            try Installed.require("strace", package: "strace")
            // If strace is ended, what it watches shall not go on alone.
            let ending = ["setpriv", "--pdeathsig", "KILL", "--"]
            words =
                [
                    "strace", "-f", "--seccomp-bpf", "-qq", "-e", "trace=" + SyncLog.calls, "-e", "signal=none",
                    "-o", "\(tracing)/\(UUID())",
                ] + acting + ending + [program] + arguments
        }
        let child = try Child(words[0], Array(words.dropFirst()), log: log, core: core)
        roots.append(child)
        if tracing != nil { tracers.insert(child.process) }
        return child
    }

    /// Every process of it that runs.
    package var processes: [Int32] {
        var found: [Int32] = []
        var next = roots.filter(\.isRunning).map(\.process)
        while let process = next.popLast() {
            found.append(process)
            let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")) ?? []
            for task in tasks {
                let text = try? String(contentsOfFile: "/proc/\(process)/task/\(task)/children", encoding: .utf8)
                next += (text ?? "").split(separator: " ").compactMap { Int32($0) }
            }
        }
        return found
    }

    /// Seconds of processor time that they have used, those that have ended included.
    package var processorTime: Double {
        get throws(BenchmarkFailure) {
            let processes = processes
            guard !processes.isEmpty else { throw BenchmarkFailure("a contestant has ended") }
            return processes.reduce(0) { sum, process in
                sum + max(benchmark_processor_time(process), 0) + ProcessUsage.processorTimeOfEndedChildren(of: process)
            }
        }
    }

    /// Bytes that they have handed to the disk, those that have ended included.
    package var written: Int {
        processes.reduce(0) { sum, process in
            let text = (try? String(contentsOfFile: "/proc/\(process)/io", encoding: .utf8)) ?? ""
            let line = text.split(separator: "\n").first { $0.hasPrefix("write_bytes: ") }
            return sum + (line?.split(separator: " ").last.flatMap { Int($0) } ?? 0)
        }
    }

    /// Kills all of them at once, without a warning, and returns when they are gone.
    package func kill() {
        let all = processes.filter { !tracers.contains($0) }
        for process in all { Glibc.kill(process, SIGKILL) }
        let end = ContinuousClock.now + .seconds(10)
        while all.contains(where: Self.runs) || roots.contains(where: \.isRunning), ContinuousClock.now < end {
            usleep(5_000)
        }
        for root in roots { root.stop(within: 0) }
        roots = []
        tracers = []
    }

    private static func runs(_ process: Int32) -> Bool {
        guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
            let end = text.lastIndex(of: ")")
        else { return false }
        return !text[end...].hasPrefix(") Z")
    }

    deinit { kill() }
}

import CBenchmarkSystem
import Foundation
import Glibc

/// The resources that a process has used.
package struct ProcessUsage: Sendable, Hashable {
    /// Seconds of processor time in the program and in the kernel for it.
    package var user: Double
    package var system: Double
    /// Bytes of memory that are present now.
    package var memory: Int

    package var processor: Double { user + system }

    /// This process, to the microsecond.
    package static var own: ProcessUsage {
        var usage = rusage()
        _ = getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
        return ProcessUsage(
            user: seconds(usage.ru_utime), system: seconds(usage.ru_stime), memory: residentBytes("self"))
    }

    /// Another process, to the clock tick of the kernel (10 ms); `nil` if there is none of this number.
    package static func of(_ process: Int32) -> ProcessUsage? {
        guard let fields = stat(process), fields.count > 12, let user = Double(fields[11]),
            let system = Double(fields[12])
        else { return nil }
        let tick = Double(sysconf(Int32(_SC_CLK_TCK)))
        return ProcessUsage(user: user / tick, system: system / tick, memory: residentBytes("\(process)"))
    }

    /// Seconds of processor time that another process has used, to the nanosecond.
    package static func processorTime(of process: Int32) throws(BenchmarkFailure) -> Double {
        let seconds = benchmark_processor_time(process)
        guard seconds >= 0 else { throw BenchmarkFailure("process \(process) has ended") }
        return seconds
    }

    /// Seconds that children of another process have used, which it has waited for since they ended; to the clock tick.
    static func processorTimeOfEndedChildren(of process: Int32) -> Double {
        guard let fields = stat(process), fields.count > 14, let user = Double(fields[13]),
            let system = Double(fields[14])
        else { return 0 }
        return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    /// Fields 3 and on of its line in `/proc`: those after the program's name, which may hold anything but ends with
    /// the last parenthesis.
    private static func stat(_ process: Int32) -> [Substring]? {
        guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
            let end = text.lastIndex(of: ")")
        else { return nil }
        return text[text.index(after: end)...].split(separator: " ")
    }

    private static func residentBytes(_ process: String) -> Int {
        let text = (try? String(contentsOfFile: "/proc/\(process)/statm", encoding: .utf8)) ?? ""
        let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return pages * sysconf(Int32(_SC_PAGESIZE))
    }
}

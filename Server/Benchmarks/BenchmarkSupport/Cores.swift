import CBenchmarkSystem

/// Which cores run what, so that the contestants of a benchmark get the same one and the load comes from another.
/// The first 64 cores of a machine are known.
package enum Cores {
    /// How many cores the calling thread may use now.
    package static var count: Int { allowed.nonzeroBitCount }

    /// The core for the load, beside the one that is measured; the same on a machine that has no other.
    package static func beside(_ core: Int) -> Int { count > 1 ? core + 1 : core }

    /// Keeps the calling thread, and every thread and process that it starts later, on one core.
    ///
    /// Call it first in `main`, before anything that starts threads.
    /// - Throws: ``BenchmarkFailure`` if the machine does not have that core.
    package static func pin(to core: Int) throws(BenchmarkFailure) { try set(1 << UInt64(core), core) }

    /// Runs `body`, which starts a process, with the calling thread on one core, and gives the thread its cores back.
    ///
    /// A process inherits the cores of the thread that starts it. `nil` changes nothing.
    package static func pinned<Result>(
        to core: Int?, _ body: () throws(BenchmarkFailure) -> Result
    ) throws(BenchmarkFailure) -> Result {
        guard let core else { return try body() }
        let before = allowed
        try set(1 << UInt64(core), core)
        defer { _ = benchmark_set_cores(before) }
        return try body()
    }

    private static var allowed: UInt64 {
        var mask: UInt64 = 0
        _ = benchmark_get_cores(&mask)
        return mask
    }

    private static func set(_ mask: UInt64, _ core: Int) throws(BenchmarkFailure) {
        guard benchmark_set_cores(mask) == 0 else { throw BenchmarkFailure("core \(core) is not there to be used") }
    }
}

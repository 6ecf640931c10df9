import BenchmarkSupport
import Glibc

/// The cost of one kind of work, for each of its operations.
struct Cost {
    var count = 0
    /// From the first request to the last answer.
    var seconds = 0.0
    /// Microseconds of processor time of each part.
    var processor: [Cluster.Part: Double] = [:]
    /// Bytes that each part has handed to the disk, as the kernel counts them. With PostgreSQL's files that is several
    /// times the bytes that reach the disk. A process that changes a page of a larger piece of the cache is charged the
    /// piece (seen on Linux 6.18).
    var written: [Cluster.Part: Double] = [:]
    /// Bytes of PostgreSQL's write-ahead log.
    var logged = 0.0

    var rate: Double { Double(count) / seconds }
    /// Microseconds of all parts.
    var whole: Double { processor.values.reduce(0, +) }

    /// Measures work of `count` operations, which says how long it took.
    init(of count: Int, at cluster: Cluster, _ work: () throws -> Double) throws {
        // Asking PostgreSQL costs it something, too, so that is outside of the time that is counted: it has ended
        // before.
        let logged = try cluster.logged()
        usleep(20_000)
        let before = try cluster.usage()
        seconds = try work()
        // Writes after the answers, such as traces after 0.2 seconds, are a part of them.
        usleep(400_000)
        let after = try cluster.usage()
        self.count = count
        self.logged = (try cluster.logged() - logged) / Double(count)
        for part in cluster.parts {
            processor[part] = (after.processor[part]! - before.processor[part]!) / Double(count) * 1e6
            written[part] = (after.written[part]! - before.written[part]!) / Double(count)
        }
    }

    /// Several steps of the same operations.
    init(sumOf steps: [Cost]) {
        for step in steps {
            count = step.count
            seconds += step.seconds
            logged += step.logged
            processor.merge(step.processor, uniquingKeysWith: +)
            written.merge(step.written, uniquingKeysWith: +)
        }
    }
}

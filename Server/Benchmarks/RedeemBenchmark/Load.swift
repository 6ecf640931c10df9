import BenchmarkSupport
import Foundation

/// The result of one wrk measurement, and the server's resources meanwhile.
struct Measurement {
    var requests: Int
    var seconds: Double
    /// Microseconds of processor time for one request, in the server and in the kernel for it.
    var processor: Double
    /// Bytes that it handed to the disk for one request.
    var written: Double
    /// Milliseconds.
    var median = 0.0
    var nearlyAll = 0.0

    var rate: Double { Double(requests) / seconds }
}

/// wrk, the load generator: one thread on a core of its own, each body sent once.
struct Load {
    var scratch: Scratch
    var connections: Int
    var seconds: Int
    var core: Int

    /// - Parameters:
    ///   - group: the server's processes.
    ///   - bodies: The file with the bodies to send, one a line; `nil` sends a GET.
    ///   - fresh: how many bodies there are, if each may be sent only once.
    func run(
        _ url: String, _ group: ProcessGroup, bodies: String? = nil, fresh: Int? = nil
    ) throws -> Measurement {
        let script = Bundle.module.path(forResource: "redeem", ofType: "lua") ?? ""
        let log = scratch.file("wrk.log")
        try? FileManager.default.removeItem(atPath: log)
        let (before, written) = (try group.processorTime, group.written)
        let wrk = try Child(
            "wrk", ["-t1", "-c\(connections)", "-d\(seconds)s", "-s", script, url], log: log, core: core,
            environment: bodies.map { ["REDEEM_BODIES": $0] } ?? [:])
        // Beside other work wrk was seen to need more than half a minute for its end.
        try wrk.wait(upTo: Double(seconds) + 180, for: "result requests")
        let (used, bytes) = (try group.processorTime - before, group.written - written)
        wrk.stop()
        var figures: [String: Double] = [:]
        let line = wrk.said.split(separator: "\n").first { $0.hasPrefix("result ") } ?? ""
        let words = line.split(separator: " ").dropFirst()
        for (name, value) in zip(words.striding(from: 0), words.striding(from: 1)) { figures[name] = Double(value) }
        guard let requests = figures["requests"], let time = figures["microseconds"], figures["errors"] == 0,
            requests > 0
        else { throw BenchmarkFailure("wrk did not get answers: \(wrk.said.suffix(400))") }
        if let fresh, Int(figures["sent"] ?? 0) > fresh {
            throw BenchmarkFailure("all \(fresh) tokens of a round were spent before its end: raise --most")
        }
        return Measurement(
            requests: Int(requests), seconds: time / 1e6, processor: used / requests * 1e6,
            written: Double(bytes) / requests, median: (figures["p50"] ?? 0) / 1000,
            nearlyAll: (figures["p99"] ?? 0) / 1000)
    }
}

extension ArraySlice<Substring> {
    /// Every second word.
    fileprivate func striding(from first: Int) -> [String] {
        stride(from: startIndex + first, to: endIndex, by: 2).map { String(self[$0]) }
    }
}

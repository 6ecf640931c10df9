import BenchmarkSupport

/// A server under measurement that takes one-time codes, and how it is asked.
struct Contestant {
    var name: String
    /// All of its processes, whatever it keeps its data with included.
    var group: ProcessGroup
    /// Starts it, or starts it again on what it holds; syncs are written to the folder, if there is one.
    var start: (_ tracing: String?) throws -> Void
    /// Makes new codes. The server runs.
    var take: (_ count: Int) throws -> [String]
    /// Measures one round.
    var round: (_ number: Int) async throws -> Measurement
    /// Spends new codes, calls `kill` when about half of them are answered, and returns those that were accepted.
    var spend: (_ codes: [String], _ kill: (() -> Void)?) throws -> [String]
    /// How many of these codes are accepted, each asked for once.
    var accepted: (_ codes: [String]) throws -> Int
    /// Codes for the count of syncs and for the kill.
    var codes: (slice: Int, kill: Int)

    /// Counts syncs, kills the server in the middle of a load, starts it again and asks for every answered code a
    /// second time. Its processes are gone afterwards.
    func durability(_ scratch: Scratch, slices: Int) throws -> Durability {
        let log = try SyncLog(in: scratch)
        group.kill()
        try start(log.folder)
        let syncs = try (0..<slices).map { _ in
            let codes = try take(codes.slice)
            let before = log.count
            guard try spend(codes, nil).count == codes.count else {
                throw BenchmarkFailure("\(name) refuses new codes")
            }
            return Double(log.count - before) / Double(codes.count)
        }
        let unspent = try take(1)
        let answered = try spend(try take(codes.kill), { group.kill() })
        guard !answered.isEmpty else { throw BenchmarkFailure("\(name) answered nothing before it was killed") }
        try start(nil)
        var lost = try accepted(answered)
        // A server that knows nothing any more refuses every code, too.
        if try accepted(unspent) != 1 { lost = answered.count }
        group.kill()
        return Durability(answered: answered.count, lost: lost, syncs: Figures(syncs))
    }
}

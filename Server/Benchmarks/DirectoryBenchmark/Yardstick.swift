import BenchmarkSupport

/// The obvious alternative to a directory: Swift's Dictionary from address to session.
struct Yardstick {
    /// As many bytes as the directory's session.
    struct Session {
        var words: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64)
    }

    private let sessions: [UInt32: Session]
    private let count: Int
    let resident: Double

    init(_ count: Int) {
        let before = ProcessUsage.own
        var sessions: [UInt32: Session] = [:]
        for index in 0..<UInt32(count) {
            sessions[10 << 24 + index] = Session(words: (UInt64(index), 0, 0, 0, 0, 0, 0, 0, 1))
        }
        self.sessions = sessions
        self.count = count
        resident = Double(ProcessUsage.own.memory - before.memory) / Double(count)
    }

    func finds(_ lookups: Int) throws -> Double {
        let addresses = (0..<lookups).map { _ in 10 << 24 + UInt32.random(in: 0..<UInt32(count)) }
        var found = 0
        let time = seconds { for address in addresses { found += Int(sessions[address]?.words.8 ?? 0) } }
        guard found == lookups else { throw BenchmarkFailure("the Dictionary lost sessions") }
        return Double(lookups) / time
    }
}

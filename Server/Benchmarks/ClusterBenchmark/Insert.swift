import BenchmarkSupport
import Foundation

/// The scale: what this PostgreSQL does at best when each transaction is one row of 200 bytes, asked by its own
/// pgbench.
struct Insert {
    private let database: PostgreSQL
    private let script: String
    private let seconds: Int
    private let clients: [Int]

    init(_ database: PostgreSQL, seconds: Int, clients: [Int]) throws {
        (self.database, self.seconds, self.clients) = (database, seconds, clients)
        script = database.folder + "/insert.sql"
        try "INSERT INTO line (text) VALUES (repeat('x', 200));\n".write(
            toFile: script, atomically: true, encoding: .utf8)
        try database.run("CREATE TABLE line (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, text text NOT NULL)")
    }

    /// Rows a second with the number of clients that gets most.
    func best() throws -> Double { try clients.map(rate).max() ?? 0 }

    private func rate(_ clients: Int) throws -> Double {
        let said = try database.client(
            "pgbench",
            ["-n", "-M", "prepared", "-c", "\(clients)", "-j", "1", "-T", "\(seconds)", "-f", script, "postgres"])
        let line = said.split(separator: "\n").first { $0.hasPrefix("tps = ") } ?? ""
        guard let rate = line.split(separator: " ").dropFirst(2).first.flatMap({ Double($0) }), rate > 0 else {
            throw BenchmarkFailure("pgbench says no rate: \(said.suffix(400))")
        }
        return rate
    }
}

import BenchmarkSupport
import RADIUS

/// A pair of gateways whose subscribers come and go; each beginning and ending is committed before it is answered.
final class Pair {
    struct Measurement {
        var beginnings: Cost
        var endings: Cost
        /// Bytes that the record takes for a session that lives.
        var kept: Double

        /// Beginnings and endings a second, as many of one as of the other.
        var rate: Double { Double(beginnings.count + endings.count) / (beginnings.seconds + endings.seconds) }
    }

    let cluster: Cluster
    private let count: Int
    private var subscribers: Subscribers

    /// Lets every subscriber come and go once, so that the register knows them.
    init(_ cluster: Cluster, sessions: Int) throws {
        (self.cluster, count) = (cluster, sessions)
        subscribers = try Subscribers(count: sessions, port: cluster.accounting)
        _ = try subscribers.say(.start)
        _ = try subscribers.say(.stop)
    }

    func measure() throws -> Measurement {
        let beginnings = try Cost(of: count, at: cluster) { try subscribers.say(.start) }
        let kept = try check(living: count)
        let endings = try Cost(of: count, at: cluster) { try subscribers.say(.stop) }
        _ = try check(living: 0)
        return Measurement(beginnings: beginnings, endings: endings, kept: kept)
    }

    /// Every answered beginning and ending is in the database.
    /// - Returns: bytes of the record for each session.
    private func check(living: Int) throws -> Double {
        guard let database = cluster.database else { throw BenchmarkFailure("a pair needs PostgreSQL") }
        // Keys of sessions begin with 0; others are of NASes and domains.
        let found = try database.number(
            "SELECT count(*) FROM benji.gateway_entry WHERE ended_at IS NULL AND get_byte(key, 0) = 0",
            in: cluster.databaseName)
        guard Int(found) == living else {
            throw BenchmarkFailure("\(living) sessions live, but the pair's record has \(Int(found))")
        }
        return try database.number(
            """
            SELECT coalesce(sum(pg_column_size(e.*)), 0) FROM benji.gateway_entry AS e \
            WHERE ended_at IS NULL AND get_byte(key, 0) = 0
            """, in: cluster.databaseName) / Double(max(living, 1))
    }
}

package import BenjiProtocol
package import Sightings
package import Store
import StoreRows

extension Session {
    package func put(
        _ entries: [PairEntry], ofPair pair: String, after sequence: Int64, at moment: Timestamp
    ) throws {
        try run(
            """
            INSERT INTO gateway_entry (pair, key, sequence, content, ended_at)
                SELECT $1, n.key, $2 + n.place, n.content, n.ended_at
                FROM unnest($3, $4, $5) WITH ORDINALITY AS n (key, content, ended_at, place)
            ON CONFLICT (pair, key) DO UPDATE
                SET sequence = excluded.sequence, content = excluded.content, ended_at = excluded.ended_at
            """, pair, sequence, Values(entries.map(\.key)), Values(entries.map(\.content)),
            Values(entries.map { $0.isEnd ? moment.milliseconds : nil }))
    }
}

extension PostgresStore {
    /// Each step of a login at a gateway of a pair asks for one.
    package func standing(ofPair pair: String) async throws(StoreError) -> PairStanding { try await standings(pair) }
}

extension PairRows {
    /// How the pairs of these fences stand.
    static func standings(of fences: [PairFence]) -> Statement { standings(of: fences.map(\.pair)) }

    private static func standings(of pairs: [String]) -> Statement {
        Statement("SELECT \(columns), name FROM gateway_pair WHERE name = ANY($1)", Values(Set(pairs).sorted()))
    }

    static func standings(_ pairs: [String], _ db: Session) throws -> [Result<PairStanding, StoreError>] {
        var found: [String: PairStanding] = [:]
        try db.run([standings(of: pairs)]) { _, answer in found = try standings(answer) }
        return pairs.map { .success(found[$0] ?? PairStanding()) }
    }

    static func standings(_ answer: Answer) throws -> [String: PairStanding] {
        let rows = try answer.rows(of: "gateway_pair") { columns in
            (standing: try decode(&columns), name: try columns.text())
        }
        return Dictionary(rows.map { ($0.name, $0.standing) }) { first, _ in first }
    }
}
